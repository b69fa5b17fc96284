import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import Platform
import SimKernel

/// The run ends within its limits, and no app breaks down.
package final class NoCrashNoHang: BeamOracle {
  package static let id = "NoCrashNoHang"
  package static let claim = "The run ends within its limits, and no app breaks down."
  package static let clause = "BEAM 7.5"
  package static let nature = OracleNature.liveness
  package static let interests: [TraceKind] = []
  package static let judgesEndOnly = true

  package let ledger = makeLedger()

  package init(state: BeamRunState) {}

  package func observe(_ record: TraceRecord) {}

  package func finish(_ outcome: RunOutcome) {
    switch outcome.ending {
    case .finished: ledger.judged += 1
    case .simulatedTimeLimit:
      ledger.fail(
        at: outcome.endInstant, device: -1, expected: "every awaited condition comes true",
        actual: "the limit of simulated time was reached while the scenario still waited")
    // Which app broke down, the joint judge says.
    case .stopped, .breakdown: break
    case .eventLimit:
      ledger.fail(
        at: outcome.endInstant, device: -1, expected: "the run comes to rest", actual: "the event limit was reached")
    }
  }
}
