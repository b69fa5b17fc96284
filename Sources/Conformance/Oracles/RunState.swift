public import AppSeam
public import Bench
public import BluetoothWire
import Platform
public import SimKernel

/// Who is who in a run, which links there are and what the bench has done to whom: built from the trace, shared by the
/// oracles that read it. A protocol's own state adds what its apps show.
open class RunState {
  public final let header: TraceHeader
  /// A chance has just opened (`Chance`): deadlines may be earlier than they were.
  public final var hasNewChance = false
  /// By dense device index.
  public final let parties: [DeviceState]
  /// What is said is kept where somebody may leave words out.
  private final let hasPrograms: Bool

  /// - Parameter parties: one for each device of the header, in its order.
  public init(header: TraceHeader, parties: [DeviceState]) {
    self.header = header
    self.parties = parties
    assert(parties.indices.allSatisfy { parties[$0].index == $0 }, "each party stands at its number")
    hasPrograms = parties.contains(where: \.isProgram)
  }

  /// What a report is about. Called for each report of a run, so it must be quick.
  open func kind(of report: AppReport) -> TraceKind { .otherReport }

  /// Whether somebody asks a device for its newest input (`DeviceState.cause`).
  open var keepsCauses: Bool { true }

  /// A link that an app was told of.
  open func makeLink(
    id: LinkID, owner: DeviceState, peer: DeviceState?, address: BluetoothAddress, openedAt: SimInstant
  ) -> LinkState {
    LinkState(id: id, owner: owner, peer: peer, address: address, openedAt: openedAt)
  }

  /// Takes one record in, where nobody else asks for its kind.
  public final func apply(_ record: TraceRecord) { apply(record, kind: TraceKind.of(record.event)) }

  /// Takes one record in. - Complexity: O(1) except for links (O(number of links of the device)).
  final func apply(_ record: TraceRecord, kind: TraceKind) {
    guard parties.indices.contains(record.device) else { return }
    // What streams carry changes no device: it is not copied where nobody asks for causes.
    if !keepsCauses, kind == .streamOctets || kind == .streamAnswer || kind == .streamSend { return take(record) }
    let device = parties[record.device]
    switch record.event {
    case .input(let input):
      if keepsCauses { device.receive(input) }
      switch kind {
      case .launched: device.relaunch(at: record.instant)
      case .link, .otherInput: apply(input, to: device, at: record.instant)
      default: break
      }
      follow(input, kind, of: device, at: record.instant)
    case .report(let report):
      if hasPrograms { device.hear(report) }
      device.apply(report, kind: kind, at: record.instant)
    case .fault(let fault):
      apply(fault, to: device, at: record.instant)
      renewChances(of: device, at: record.instant)
    case .effect(let effect):
      if kind == .transmit || kind == .otherEffect { follow(effect, of: device, at: record.instant) }
    default: break
    }
    take(record)
  }

  /// Something that a protocol may want to know beyond devices and links; called for each record of a device.
  open func take(_ record: TraceRecord) {}

  private func apply(_ input: AppInput, to device: DeviceState, at instant: SimInstant) {
    switch input {
    case .connected(let id, let address):
      let link = makeLink(
        id: id, owner: device, peer: header.device(at: address).map { parties[$0] }, address: address,
        openedAt: instant)
      device.append(link)
      device.isDamaged = false
      pair(link)
    case .disconnected(let id, _): device.link(id)?.close(at: instant)
    case .attMTU(let id, let attMTU): device.link(id)?.attMTU = attMTU
    case .subscribed(let id, _, true): device.link(id)?.isSubscribed = true
    case .radioPower(let isOn):
      device.isRadioOff = !isOn
      if !isOn { device.closeLinks(at: instant) }
    case .background(let isSuspended): device.isInBackground = isSuspended
    default: break
    }
  }

  /// The system runs an app no more, or again.
  final func runs(_ device: Int, _ isRun: Bool, at instant: SimInstant) {
    parties[device].isSuspended = !isRun
    if isRun { parties[device].wokenAt = instant }
  }

  /// An app that runs again is told of links of long ago, and of those that are there.
  private func isToldLate(_ link: LinkState, of other: LinkState?) -> Bool {
    guard link.owner.wokenAt == link.openedAt else { return false }
    return other.map { link.openedAt - $0.openedAt > Self.lateAfter } ?? true
  }

  /// The ends of a connection learn of it within its first intervals.
  private static let lateAfter = SimDuration.seconds(1)

  /// Finds the other end: the newest link of the peer to this device that is up and never had another end.
  ///
  /// What an app is told of at its launch are links of the app before it, which are still there or about to end: their
  /// other ends are those that they had, and no new one.
  private func pair(_ link: LinkState) {
    guard let peer = link.peer else { return }
    let isInherited = link.owner.inherits(link)
    (link.isInherited, link.isTaken) = (isInherited, isInherited)
    let found = peer.links.last {
      $0.isUp && $0.peer === link.owner && (isInherited ? $0.partner == nil && $0.partnerID == link.id : !$0.isTaken)
    }
    if isToldLate(link, of: found) {
      link.isToldLate = true
      found?.isToldLate = true
      return
    }
    guard let other = found else { return }
    link.partner = other
    other.partner = link
    (link.partnerID, other.partnerID) = (other.id, link.id)
    (link.isTaken, other.isTaken) = (true, true)
    link.chance = other.chance
    if let calm = link.owner.calm { link.chance.depend(on: calm) }
  }

  private func apply(_ fault: FaultEvent, to device: DeviceState, at instant: SimInstant) {
    switch fault {
    case .vanish: device.isVanished = true
    case .appear: device.isVanished = false
    case .radioOff:
      device.isRadioOff = true
      device.closeLinks(at: instant)
    case .radioOn: device.isRadioOff = false
    case .kill:
      device.isKilled = true
      device.isReclaimed = false
      device.closeLinks(at: instant)
    case .reclaim:
      device.isKilled = true
      device.isReclaimed = true
    case .relaunch: device.isKilled = false
    case .background: device.isInBackground = true
    case .foreground: device.isInBackground = false
    case .message(let fault, let id, _, _):
      // Whoever repeats a value has changed nothing that a receiver may take for another one.
      if fault == .duplicate { return }
      device.isDamaged = true
      device.link(id)?.peer?.isDamaged = true
    case .failure(let operation, let id, _, _):
      // What its app gave away, or took, went wrong for the phone's reasons.
      guard operation == .write || operation == .subscription else { return }
      device.isDamaged = true
      id.flatMap(device.link)?.peer?.isDamaged = true
    case .disconnect, .move, .network, .forgetBonds, .screenOff, .screenOn: break
    }
  }
}
