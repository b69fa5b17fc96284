import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// Finals of a guest against those that a host has spoken.
package final class FinalsExactlyOnce: BeamOracle {
  package static let id = "FinalsExactlyOnce"
  package static let claim = "No guest ever shows a gap, a repeat or another text among the finals of a session."
  package static let clause = "BEAM 5.6.4"
  package static let nature = OracleNature.safety
  package static let restsOn = ["transcriptCleared", "finalShown"]
  package static let interests: [TraceKind] = [.text]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let guest = state.device(of: record), !guest.isHost,
      case .finalShown(let sequence, let text)? = state.report
    else { return }
    // The state has counted it already.
    if sequence != guest.shown {
      return ledger.fail(
        record, unless: guest.unsaid("transcriptCleared"), expected: "final \(guest.shown) next",
        actual: "final \(sequence) is shown")
    }
    for place in state.hosts.indices where state.hosts[place].hasSpoken(text, as: sequence) {
      return ledger.judged += 1
    }
    let hosts = state.hosts
    // Nothing is claimed of what a hostile host says.
    if state.devices.contains(where: { $0.isHost && $0.isHostile }) { return }
    if state.isLedFromOutside || hosts.isEmpty { return ledger.open += 1 }
    let spoken = hosts.compactMap { $0.sessions.last }.first { sequence <= $0.count }.map { ", “\($0[sequence - 1])”" }
    ledger.fail(
      record, unless: hosts.flatMap { $0.unsaid("finalShown") },
      expected: "final \(sequence) as it was spoken\(spoken ?? "")", actual: "“\(text)”")
  }
}
