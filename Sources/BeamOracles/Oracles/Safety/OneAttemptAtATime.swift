import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// What a guest has of connections at one time.
package final class OneAttemptAtATime: BeamOracle {
  package static let id = "OneAttemptAtATime"
  package static let claim = "A guest never has two attempts or three streams."
  package static let clause = "BEAM 5.3.5"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.networkInput, .networkEffect]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let guest = state.device(of: record), !guest.isHost else { return }
    switch record.event {
    case .effect(.network(.connect)):
      if guest.attempts.count > 1 {
        ledger.fail(record, expected: "one attempt at a time", actual: "\(guest.attempts.count) attempts")
      } else {
        ledger.judged += 1
      }
    case .input(.network(.ready)) where guest.streamsUp.count > 2:
      ledger.fail(record, expected: "at most two streams", actual: "\(guest.streamsUp.count) streams")
    default: break
    }
  }
}
