import BabSim
public import Bench
public import Conformance
public import Judging

/// The run reaches its end: nothing waits forever, nothing keeps the queue busy without end, and no app breaks down.
public final class NoCrashNoHang: BabOracle {
  public static let id = "NoCrashNoHang"
  public static let claim =
    "The run reaches its end within its limits of simulated time and events, and no app breaks down."
  public static let clause = "BAB 7.13"
  public static let nature = OracleNature.liveness
  public static let interests: [TraceKind] = []
  public static let judgesEndOnly = true

  public let ledger = makeLedger()

  public init(state: BabRunState) {}

  public func observe(_ record: TraceRecord) {}

  public func finish(_ outcome: RunOutcome) { ledger.judgeEnding(of: outcome) }
}
