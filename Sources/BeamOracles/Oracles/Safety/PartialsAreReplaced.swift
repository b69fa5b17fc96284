import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// Partials on the screen of a guest.
package final class PartialsAreReplaced: BeamOracle {
  package static let id = "PartialsAreReplaced"
  package static let claim = "No partial is shown whose number is not the next one."
  package static let clause = "BEAM 5.5.8"
  package static let nature = OracleNature.safety
  package static let restsOn = ["finalShown", "transcriptCleared"]
  package static let interests: [TraceKind] = [.partial]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let guest = state.device(of: record), !guest.isHost,
      case .partialShown(let sequence, _)? = state.report
    else {
      return
    }
    if sequence == guest.shown + 1 {
      ledger.judged += 1
    } else {
      ledger.fail(
        record, unless: guest.unsaid("finalShown") + guest.unsaid("transcriptCleared"),
        expected: "a partial of final \(guest.shown + 1)", actual: "one of final \(sequence)")
    }
  }
}
