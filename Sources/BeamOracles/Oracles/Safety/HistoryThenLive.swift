import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// The order of packets on each stream, as its host sent them.
package final class HistoryThenLive: BeamOracle {
  package static let id = "HistoryThenLive"
  package static let claim =
    "On every stream the history comes first, and the finals after it follow it without gap or repeat."
  package static let clause = "BEAM 5.6.3"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.streamAnswer]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let answer = state.answered, answer.device.isHost else { return }
    let stream = answer.stream
    for problem in stream.problems {
      ledger.fail(record, clause: problem.clause, expected: problem.expected, actual: problem.actual)
    }
    if stream.problems.isEmpty, !stream.newest.isEmpty { ledger.judged += 1 }
  }
}
