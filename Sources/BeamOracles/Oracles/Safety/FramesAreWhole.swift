import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// Where the lengths of a stream lead: each body begins and ends as an object does. A stream is accused once.
package final class FramesAreWhole: BeamOracle {
  package static let id = "FramesAreWhole"
  package static let claim =
    "What a host sends on a stream is frames and nothing else, each with the length of its body."
  package static let clause = "BEAM 3.1"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.streamAnswer, .networkEffect]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    switch record.event {
    case .input(.network(.submitted)):
      guard let answer = state.answered, answer.device.isHost, !answer.stream.isAccused else { return }
      judge(answer.stream, record)
    case .effect(.network(.finish(let id))):
      guard let device = state.device(of: record), device.isHost, let stream = device.stream(id), !stream.isAccused,
        stream.pending.isEmpty, stream.sent.isWithinFrame
      else { return }
      accuse(stream, record, expected: "the rest of the frame that has begun", actual: "the end of the stream")
    default: break
    }
  }

  private func judge(_ stream: BeamStream, _ record: TraceRecord) {
    if let problem = stream.sent.problem {
      return accuse(stream, record, expected: "the length of a body", actual: problem)
    }
    for body in stream.newest {
      guard body.first == UInt8(ascii: "{"), body.last == UInt8(ascii: "}") else {
        let actual = "\(body.count) octets that are none, where the lengths before them lead"
        return accuse(stream, record, expected: "a body that is one JSON object", actual: actual)
      }
      ledger.judged += 1
    }
  }

  private func accuse(_ stream: BeamStream, _ record: TraceRecord, expected: String, actual: String) {
    stream.isAccused = true
    ledger.fail(record, expected: expected, actual: actual)
  }
}
