import AppSeam
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// A correct engine below a layer of its own that cuts packets and puts them together, with one rule broken.
///
/// The inner engine talks to a perfect platform with a large ATT_MTU: every value is taken at once and holds a whole
/// packet. What the peer sends is put together here (`LooseReassembler`) and handed on whole.
final class FramingMutant: AppEngine {
  /// How a packet becomes values: its text, how many packets of the link went before it, and the ATT_MTU.
  typealias Cutting = @Sendable (_ text: [UInt8], _ number: Int, _ attMTU: Int) -> [[UInt8]]

  private struct Side {
    let link: LinkID
    var attMTU = 23
    var isOpen = false
    var isWaiting = false
    var queue: [[UInt8]] = []
    var packets = 0
    var fromInner: Reassembler
    var fromPeer: LooseReassembler
    var packetsToInner: UInt16 = 0
  }

  private let inner: any AppEngine
  private let configuration: BabConfiguration
  private let isHost: Bool
  private let fault: LooseReassembler.Fault?
  private let cutting: Cutting
  /// A value that the platform refused is taken for sent.
  private let ignoresRefusals: Bool
  /// One packetID after the other, whatever the link.
  private let countsTogether: Bool
  private var packets = 0
  private var writesWithResponse = true
  private var sides: [Side] = []
  /// What an ended link left, for the defect of that name.
  private var legacy: LooseReassembler?
  private var effects: [AppEffect] = []
  private var now = SimInstant.zero

  init(
    wrapping inner: any AppEngine, role: AppRole, configuration: BabConfiguration, fault: LooseReassembler.Fault?,
    ignoresRefusals: Bool, countsTogether: Bool, cutting: @escaping Cutting
  ) {
    self.inner = inner
    self.configuration = configuration
    isHost = role == .host
    self.fault = fault
    self.ignoresRefusals = ignoresRefusals
    self.countsTogether = countsTogether
    self.cutting = cutting
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    self.now = now
    receive(input)
    var result: [AppEffect] = []
    swap(&result, &effects)
    return result
  }

  private func receive(_ input: AppInput) {
    switch input {
    case .connected(let link, _):
      let receiver = legacy ?? LooseReassembler(fault)
      sides.append(Side(link: link, fromInner: Reassembler(), fromPeer: receiver))
      feed(input)
      feed(.attMTU(link, 2_000))
    case .disconnected(let link, _):
      feed(input)
      if fault == .outlivesLinks { legacy = place(link).map { sides[$0].fromPeer } }
      sides.removeAll { $0.link == link }
      effects.append(.cancelTimer(timer(link)))
    case .attMTU(let link, let attMTU): if let place = place(link) { sides[place].attMTU = attMTU }
    case .subscribed(let link, let characteristic, let isOn):
      if isHost, characteristic == configuration.dialect.state.uuid { open(link, isOn) }
      feed(input)
    case .servicesDiscovered(let link, _, let found):
      if let command = found.first(where: { $0.uuid == configuration.dialect.command.uuid }) {
        writesWithResponse =
          command.properties.contains(.write)
          && (configuration.dialect.clientWrites == .withResponse
            || !command.properties.contains(.writeWithoutResponse))
      }
      if !isHost, !found.isEmpty { open(link, true) }
      feed(input)
    case .submitted(let link, _, let accepted): answered(link, accepted: accepted || ignoresRefusals)
    case .writeCompleted(let link, _, nil): answered(link, accepted: true)
    case .readyToSend(let link):
      guard let place = place(link), !ignoresRefusals else { return }
      sides[place].isWaiting = false
      pump(place)
    case .valueReceived(let link, let characteristic, let octets): received(link, characteristic, octets)
    case .timer(let id):
      if let place = sides.firstIndex(where: { timer($0.link) == id }) { expire(place) } else { feed(input) }
    default: feed(input)
    }
  }

  private func place(_ link: LinkID) -> Int? { sides.firstIndex { $0.link == link } }

  private func timer(_ link: LinkID) -> TimerID { TimerID(2_000_000 + link.rawValue) }

  // MARK: Receiving

  private func received(_ link: LinkID, _ characteristic: BluetoothUUID, _ octets: [UInt8]) {
    guard let own = place(link) else { return }
    let place = fault == .oneForAllLinks ? 0 : own
    let text = sides[place].fromPeer.receive(octets, at: now)
    report(place)
    guard let text else { return }
    var fragmenter = Fragmenter(nextPacketID: sides[place].packetsToInner)
    sides[place].packetsToInner &+= 1
    for value in (try? fragmenter.fragments(of: text, attMTU: 2_000)) ?? [] {
      feed(.valueReceived(link, characteristic: characteristic, octets: value))
    }
  }

  private func expire(_ place: Int) {
    if fault != .expiresWithNextValue { sides[place].fromPeer.expire(at: now) }
    report(place)
  }

  private func report(_ place: Int) {
    let link = sides[place].link
    for reason in sides[place].fromPeer.takeRefusals() { effects.append(.report(.refused(link, reason: reason))) }
    if let deadline = sides[place].fromPeer.deadline, deadline > now {
      effects.append(.setTimer(timer(link), at: deadline))
    }
  }

  // MARK: Sending

  private func feed(_ input: AppInput) {
    for effect in inner.handle(input, at: now) { perform(effect) }
  }

  private func perform(_ effect: AppEffect) {
    switch effect {
    case .notify(let link, let characteristic, let octets),
      .writeWithoutResponse(let link, let characteristic, let octets):
      said(link, octets)
      feed(.submitted(link, characteristic: characteristic, accepted: true))
    case .write(let link, let characteristic, let octets):
      said(link, octets)
      feed(.writeCompleted(link, characteristic: characteristic, error: nil))
    // Only this layer knows what was sent.
    case .report(let report):
      if case .packetSent? = report.bab { return }
      effects.append(effect)
    default: effects.append(effect)
    }
  }

  private func said(_ link: LinkID, _ octets: [UInt8]) {
    guard let place = place(link), let text = sides[place].fromInner.receive(octets, at: now).packet else { return }
    sides[place].queue += cutting(text, countsTogether ? packets : sides[place].packets, sides[place].attMTU)
    sides[place].packets += 1
    packets += 1
    pump(place)
  }

  private func open(_ link: LinkID, _ isOn: Bool) {
    guard let place = place(link) else { return }
    sides[place].isOpen = isOn
    pump(place)
  }

  private func answered(_ link: LinkID, accepted: Bool) {
    guard accepted, let place = place(link), sides[place].isWaiting else { return }
    sides[place].isWaiting = false
    if !sides[place].queue.isEmpty { sides[place].queue.removeFirst() }
    pump(place)
  }

  private func pump(_ place: Int) {
    guard sides[place].isOpen, !sides[place].isWaiting, let octets = sides[place].queue.first else { return }
    sides[place].isWaiting = true
    let link = sides[place].link
    let dialect = configuration.dialect
    if isHost {
      effects.append(.notify(link, characteristic: dialect.state.uuid, octets: octets))
    } else if writesWithResponse {
      effects.append(.write(link, characteristic: dialect.command.uuid, octets: octets))
    } else {
      effects.append(.writeWithoutResponse(link, characteristic: dialect.command.uuid, octets: octets))
    }
  }
}

extension FramingMutant {
  /// As a correct sender cuts (BAB 3.1 to 3.7), or nothing when there are too many fragments.
  @Sendable static func wellCut(_ text: [UInt8], _ number: Int, _ attMTU: Int) -> [[UInt8]] {
    var fragmenter = Fragmenter(nextPacketID: UInt16(truncatingIfNeeded: number))
    return (try? fragmenter.fragments(of: text, attMTU: attMTU)) ?? []
  }
}

extension Mutant {
  /// A defect in how packets are cut or put together.
  static func framing(
    _ name: String, _ role: AppRole, _ clause: String, _ summary: String, _ fault: LooseReassembler.Fault? = nil,
    adjust: @escaping @Sendable (inout BabConfiguration) -> Void = { _ in },
    ignoresRefusals: Bool = false, countsTogether: Bool = false,
    cutting: @escaping FramingMutant.Cutting = FramingMutant.wellCut
  ) -> Mutant {
    Mutant(
      name, role, clause: clause, summary, adjust: adjust,
      wrapped: { engine, configuration in
        FramingMutant(
          wrapping: engine, role: role, configuration: configuration, fault: fault, ignoresRefusals: ignoresRefusals,
          countsTogether: countsTogether, cutting: cutting)
      })
  }
}
