import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// How a host writes what it sends. What is no object at all is a matter of `FramesAreWhole`.
package final class PacketsAreCanonical: BeamOracle {
  package static let id = "PacketsAreCanonical"
  package static let claim = "Every body is the canonical text of a packet."
  package static let clause = "BEAM 4.1"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.streamAnswer]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let answer = state.answered, answer.device.isHost, !answer.stream.isAccused else { return }
    for body in answer.stream.newest {
      guard body.first == UInt8(ascii: "{"), body.last == UInt8(ascii: "}") else { continue }
      if let problem = problem(body) {
        ledger.fail(record, expected: "the canonical text of a packet", actual: problem)
      } else {
        ledger.judged += 1
      }
    }
  }

  private func problem(_ body: [UInt8]) -> String? {
    do throws(PacketRefusal) {
      return try state.bodies.canonicalProblem(body)
    } catch {
      return "no packet (\(error.reason.rawValue)) at octet \(error.offset)"
    }
  }
}
