import BluetoothWire
import Judging
import SimKernel

/// Notifications and indications go to who asked for them. Spec: Core v5.4, Vol 3, Part G, 3.3.3.3.
///
/// A bond keeps the configuration, so the verdict waits for the end of the link: one that was ever encrypted or paired
/// on, or whose two ends were in another link of the captures, stays open.
final class ValueUpdatesAreSubscribed: TrafficRule {
  static let id = "ValueUpdatesAreSubscribed"
  static let claim = "A server notifies or indicates only what the client's configuration of that value asks for."
  static let clause = "Core v5.4, Vol 3, Part G, 3.3.3.3"
  static let leavesOpen =
    "the link has no beginning, has gaps, pairs or is encrypted (a bond keeps the configuration), "
    + "or discovery is not shown"
  static let attOpcodes = OpcodeSet(0x01, 0x12, 0x13, 0x1B, 0x1D, 0x52)
  private static let configuration = BluetoothUUID(0x2902)

  private struct Subscription {
    var value: UInt16
    var bits: UInt16
  }

  private struct Suspicion {
    var record: Int
    var instant: SimInstant
    var handle: UInt16
    var opcode: UInt8
  }

  private struct Server {
    var subscriptions: [Subscription] = []
    /// What the newest write was to change, until it is answered.
    var pending: (value: UInt16, before: UInt16, after: UInt16)?
    var suspicion: Suspicion?
    /// A descriptor was written whose meaning the capture does not tell: it may have been this one.
    var isUncertain = false

    func bits(of value: UInt16) -> UInt16 {
      for subscription in subscriptions where subscription.value == value { return subscription.bits }
      return 0
    }

    mutating func set(_ value: UInt16, _ bits: UInt16) {
      if let place = subscriptions.firstIndex(where: { $0.value == value }) {
        subscriptions[place].bits = bits
      } else if subscriptions.count < 256 {
        subscriptions.append(Subscription(value: value, bits: bits))
      }
    }
  }

  private struct Notified {
    var handle: UInt16 = 0
    /// Else it stays open, whatever comes.
    var isAsked = false
  }

  private struct State {
    var servers = PerSide(Server())
    var isExcused = false
  }

  let ledger = makeLedger()
  let interests: TrafficEvent.Interests = [.att, .gaps, .links, .frames]
  @exclusivity(unchecked) private var links = PerLink(State())
  /// The newest value that was notified, and what came of it: the next one of the same value has the same fate.
  @exclusivity(unchecked) private var newest = PerLink(PerSide(Notified()))
  /// Pairs whose link was encrypted.
  @exclusivity(unchecked) private var bonded: [(central: BluetoothAddress?, peripheral: BluetoothAddress?)] = []

  func observe(_ event: TrafficEvent) {
    switch event.kind {
    case .gap(let link, _, _): links[link].isExcused = true
    case .frame(let link, _, .securityManager, _): links[link].isExcused = true
    case .linkOpened(let link): if !link.isFromStart { links[link].isExcused = true }
    case .linkChanged(let link, .encryption):
      links[link].isExcused = true
      if bonded.count < 256 { bonded.append((link.central, link.peripheral)) }
    case .linkChanged(let link, let change) where change.turnsDirections: links[link].isExcused = true
    case .linkClosed(let link, _): close(link)
    default: break
    }
  }

  func observe(att pdu: TrafficPDU) {
    switch pdu.opcode {
    case 0x01, 0x13: answer(pdu)
    case 0x1B where pdu.count >= 3, 0x1D where pdu.count >= 3: update(pdu)
    case 0x12 where pdu.count >= 3, 0x52 where pdu.count >= 3: configure(pdu)
    default: break
    }
  }

  private func configure(_ pdu: TrafficPDU) {
    let (link, serverIsCentral) = (pdu.link, !pdu.fromCentral)
    let handle = pdu.word(at: 1)
    let map = link.attributes(ofCentral: serverIsCentral)
    if map.characteristic(value: handle) != nil { return }
    guard map.descriptor(handle) == Self.configuration, let owner = map.characteristic(owning: handle) else {
      links[link].servers[isCentral: serverIsCentral].isUncertain = true
      return
    }
    guard pdu.count == 5 else { return }
    var server = links[link].servers[isCentral: serverIsCentral]
    let before = server.bits(of: owner.value)
    let after = pdu.word(at: 3)
    // Values may come before the response does.
    server.set(owner.value, before | after)
    server.pending = pdu.opcode == 0x12 ? (owner.value, before, after) : nil
    links[link].servers[isCentral: serverIsCentral] = server
    newest[link][isCentral: serverIsCentral] = Notified()
  }

  private func answer(_ pdu: TrafficPDU) {
    let (link, fromCentral) = (pdu.link, pdu.fromCentral)
    guard let pending = links[link].servers[isCentral: fromCentral].pending else { return }
    var server = links[link].servers[isCentral: fromCentral]
    server.pending = nil
    newest[link][isCentral: fromCentral] = Notified()
    server.set(pending.value, pdu.opcode == 0x13 ? pending.after : pending.before)
    links[link].servers[isCentral: fromCentral] = server
  }

  private func update(_ pdu: TrafficPDU) {
    let (link, fromCentral, opcode, handle) = (pdu.link, pdu.fromCentral, pdu.opcode, pdu.word(at: 1))
    if opcode == 0x1B, newest[link][isCentral: fromCentral].handle == handle {
      if newest[link][isCentral: fromCentral].isAsked { ledger.judged += 1 } else { leaveOpen(link) }
      return
    }
    let state = links[link]
    let server = state.servers[isCentral: fromCentral]
    let isAsked = server.bits(of: handle) & (opcode == 0x1B ? 1 : 2) != 0
    if isAsked || state.isExcused || server.isUncertain {
      if opcode == 0x1B { newest[link][isCentral: fromCentral] = Notified(handle: handle, isAsked: isAsked) }
      if isAsked { ledger.judged += 1 } else { leaveOpen(link) }
      return
    }
    guard hasConfiguration(handle, link.attributes(ofCentral: fromCentral)) else { return leaveOpen(link) }
    if server.suspicion == nil {
      links[link].servers[isCentral: fromCentral].suspicion = Suspicion(
        record: pdu.place.record, instant: pdu.instant, handle: handle, opcode: opcode)
    }
  }

  /// Whether discovery has shown the configuration of a value.
  private func hasConfiguration(_ value: UInt16, _ map: AttributeMap) -> Bool {
    if map.characteristic(value: value) == nil { return false }
    return map.descriptors.contains { descriptor in
      descriptor.uuid == Self.configuration && map.characteristic(owning: descriptor.handle)?.value == value
    }
  }

  private func close(_ link: TrafficLink) {
    let state = links[link]
    links[link] = State()
    for (isCentral, server) in [(true, state.servers.central), (false, state.servers.peripheral)] {
      guard let suspicion = server.suspicion else { continue }
      let isBonded = bonded.contains { $0.central == link.central && $0.peripheral == link.peripheral }
      if state.isExcused || isBonded {
        leaveOpen(link)
        continue
      }
      ledger.fail(
        at: suspicion.instant, device: link.index, record: suspicion.record,
        expected: "\(RuleText.opcode(suspicion.opcode)) of \(RuleText.handle(suspicion.handle)) only after a write of "
          + "its client configuration",
        actual: "\(RuleText.side(fromCentral: isCentral)) sends it unasked, on a link without pairing or encryption")
    }
  }
}
