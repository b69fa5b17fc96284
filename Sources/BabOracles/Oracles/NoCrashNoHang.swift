import BabSim
package import Bench
package import Conformance
package import Judging

/// The run reaches its end: nothing waits forever, nothing keeps the queue busy without end, and no app breaks down.
package final class NoCrashNoHang: BabOracle {
  package static let id = "NoCrashNoHang"
  package static let claim =
    "The run reaches its end within its limits of simulated time and events, and no app breaks down."
  package static let clause = "BAB 7.13"
  package static let nature = OracleNature.liveness
  package static let interests: [TraceKind] = []
  package static let judgesEndOnly = true

  package let ledger = makeLedger()

  package init(state: BabRunState) {}

  package func observe(_ record: TraceRecord) {}

  package func finish(_ outcome: RunOutcome) { ledger.judgeEnding(of: outcome) }
}
