import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
import Platform
package import SimKernel

/// A client whose host does not come back gives up when the reconnect window is over, and says so. One that shows the
/// end of its game does not look for its host (BAB 5.8.3).
package final class LostSessionsEnd: BabOracle {
  package static let id = "LostSessionsEnd"
  package static let claim = "A client that cannot reach its host again shows the end of its session after 30 s."
  package static let clause = "BAB 5.7.8"
  package static let nature = OracleNature.liveness
  package static let restsOn = ["linkState", "sessionEnded"]
  package static let interests: [TraceKind] = [.link, .session, .launched, .user, .fault]

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device: when the client must have given up; nil while it has a link or no session.
  private var due: [Obligation?]
  /// By device: it has lost the link of a game that is over.
  private var isOver: [Bool]

  package init(state: BabRunState) {
    self.state = state
    due = Array(repeating: nil, count: state.devices.count)
    isOver = Array(repeating: false, count: state.devices.count)
  }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), device.role == .client else { return }
    switch record.bab {
    case .input(.launched), .fault(.kill), .fault(.reclaim), .action, .input(.connected):
      (due[device.index], isOver[device.index]) = (nil, false)
    case .input(.disconnected), .input(.radioPower(false)):
      guard !device.hasEnded, device.linkState == "CONNECTED" || device.linkState == "RECONNECTING" else { return }
      guard due[device.index] == nil, !device.links.contains(where: \.isUp) else { return }
      isOver[device.index] = device.phase == "FINISHED" && device.linkState == "CONNECTED" && device.isSeenWhole
      due[device.index] = Obligation(
        device.running, within: Bounds.reconnectWindow + Bounds.givesUp, from: record.instant)
    case .report(.sessionEnded): over(device)
    case .report(.linkState(let linkState)):
      if linkState == "DISCONNECTED" { over(device) }
      guard isOver[device.index], linkState == "RECONNECTING" else { return }
      isOver[device.index] = false
      ledger.fail(
        record, clause: "BAB 5.8.3", expected: "the end of the session, since its game is over",
        actual: "link state \(linkState)")
    default: break
    }
  }

  private func over(_ client: BabDevice) {
    isOver[client.index] = false
    guard due[client.index] != nil else { return }
    due[client.index] = nil
    ledger.judged += 1
  }

  package func expire(at now: SimInstant) {
    for client in state.devices {
      guard let obligation = due[client.index], obligation.isDue(at: now) else { continue }
      due[client.index] = nil
      ledger.fail(
        at: obligation.deadline, device: client.index, since: obligation.since,
        unless: client.unsaid("linkState", "sessionEnded"),
        expected: "link state DISCONNECTED or the session's end",
        actual: "link state \(client.linkState)")
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open = due.openCount }
}
