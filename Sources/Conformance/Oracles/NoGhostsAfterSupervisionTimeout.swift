public import BabSim
public import SimKernel

/// A client that is gone leaves every roster: at the latest one supervision timeout and a margin after it went, and one
/// margin after the host was told.
public final class NoGhostsAfterSupervisionTimeout: Oracle {
  public static let id = "NoGhostsAfterSupervisionTimeout"
  public static let claim =
    "A client that vanished, was killed or disconnected is in nobody's roster after the supervision timeout."
  public static let clause = "BAB 5.7.1"
  public static let interests: [TraceKind] = [.fault, .link, .roster]

  private struct Absence {
    var due: SimInstant
    var isDue = false
  }

  public let ledger = makeLedger()
  private let state: RunState
  /// By device; nil while the device is not known to be gone.
  private var absences: [Absence?]
  public private(set) var deadline = SimInstant.distantFuture

  public init(state: RunState) {
    self.state = state
    absences = Array(repeating: nil, count: state.devices.count)
  }

  public func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.event {
    case .fault(let fault): observe(fault, of: device, record)
    case .input(.connected(_, let address)):
      // Either end counts: a renewed link means that the client is back.
      if device.role == .client { present(device) } else { state.device(address: address).map(present) }
    case .input(.disconnected(let id, _)):
      guard device.role == .host, let peer = device.link(id)?.peer, peer.role == .client else { return }
      if device.links.contains(where: { $0.isUp && $0.peer === peer }) { return }
      absent(peer, by: record.instant + Bounds.rosterMargin)
    case .report(.roster(let players)): judgeLate(players, by: device, record)
    case .report(.lobby(let lobby)): judgeLate(lobby.players, by: device, record)
    default: break
    }
  }

  private func observe(_ fault: FaultEvent, of device: DeviceState, _ record: TraceRecord) {
    let due = record.instant + state.supervisionTimeout + Bounds.rosterMargin
    switch fault {
    case .vanish, .kill, .radioOff:
      if device.role == .client { absent(device, by: due) }
    case .disconnect(let id):
      if device.role == .client {
        absent(device, by: due)
      } else if let peer = device.link(id)?.peer {
        absent(peer, by: due)
      }
    case .appear:
      // Back before anybody noticed: the link lives on.
      if device.role == .client, linkedHost(device) != nil { present(device) }
    default: break
    }
  }

  /// The host that still holds a link to the client.
  private func linkedHost(_ client: DeviceState) -> DeviceState? {
    state.devices.first { host in host.role == .host && host.links.contains { $0.isUp && $0.peer === client } }
  }

  private func absent(_ device: DeviceState, by due: SimInstant) {
    absences[device.index] = Absence(due: min(due, absences[device.index]?.due ?? due))
    renewDeadline()
  }

  private func present(_ device: DeviceState) {
    guard absences[device.index] != nil else { return }
    absences[device.index] = nil
    renewDeadline()
  }

  public func expire(at now: SimInstant) {
    for gone in state.devices {
      guard let absence = absences[gone.index], !absence.isDue, absence.due < now else { continue }
      absences[gone.index]?.isDue = true
      judge(gone, at: absence.due)
    }
    renewDeadline()
  }

  private func judge(_ gone: DeviceState, at due: SimInstant) {
    guard let peerID = gone.peerID else { return }
    for witness in state.devices where witness !== gone && isWitness(witness) {
      let shown = (witness.roster ?? []).contains(peerID) || (witness.lobby?.players ?? []).contains(peerID)
      if shown {
        ledger.fail(
          at: due, device: witness.index, expected: "\(peerID) gone from roster and lobby",
          actual: "roster \(witness.roster ?? []), lobby \(witness.lobby?.players ?? [])")
      } else {
        ledger.judged += 1
      }
    }
  }

  /// A roster shown after the due time, by whoever.
  private func judgeLate(_ players: [String], by witness: DeviceState, _ record: TraceRecord) {
    for gone in state.devices where gone !== witness {
      guard let absence = absences[gone.index], absence.isDue, let peerID = gone.peerID else { continue }
      guard players.contains(peerID), isWitness(witness) else { continue }
      ledger.fail(record, expected: "\(peerID), gone since long, in no roster", actual: "\(players)")
    }
  }

  /// Whose roster counts: a host that runs, and clients that such a host can reach.
  private func isWitness(_ device: DeviceState) -> Bool {
    guard device.isReachable, !device.hasEnded else { return false }
    if device.role == .host { return true }
    return state.host(of: device).map { state.areJoined(device, $0) } ?? false
  }

  private func renewDeadline() {
    deadline = absences.reduce(.distantFuture) { earliest, absence in
      guard let absence, !absence.isDue else { return earliest }
      return min(earliest, absence.due)
    }
  }

  public func finish(_ outcome: RunOutcome) {
    ledger.open = absences.filter { $0.map { !$0.isDue } ?? false }.count
  }
}
