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

  package func finish(_ outcome: RunOutcome) { ledger.judgeEnding(of: outcome) }
}
