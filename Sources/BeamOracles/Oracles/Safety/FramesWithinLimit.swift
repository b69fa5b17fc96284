import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// The lengths of what a host sends.
package final class FramesWithinLimit: BeamOracle {
  package static let id = "FramesWithinLimit"
  package static let claim = "No body is empty or longer than 1 MiB."
  package static let clause = "BEAM 3.3"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.streamAnswer]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let answer = state.answered, answer.device.isHost else { return }
    let stream = answer.stream
    for body in stream.newest {
      if body.count > BeamLimits.body {
        fail(body.count, record)
      } else {
        ledger.judged += 1
      }
    }
    // The guest closes the stream at such a header, so that the frame is seldom whole.
    if let length = stream.sent.promisedLength, length > BeamLimits.body, !stream.isAccused {
      stream.isAccused = true
      fail(length, record)
    }
  }

  private func fail(_ length: Int, _ record: TraceRecord) {
    ledger.fail(record, expected: "at most \(BeamLimits.body) octets", actual: CountedNoun.text(length, "octet"))
  }
}
