import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// What a host hands to the platform for a stream that is gated. The old transport has no gate.
package final class NothingBeforeTheGate: BeamOracle {
  package static let id = "NothingBeforeTheGate"
  package static let claim = "No octet is sent on a stream within 4 s after it became ready."
  package static let clause = "BEAM 5.4.2"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.streamSend]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard case .effect(.network(.send(let id, _))) = record.event, let device = state.device(of: record),
      device.isHost, device.dialect == .beamNetwork, let stream = device.stream(id), stream.isFromStart
    else { return }
    let age = record.instant - stream.readyAt
    if age >= Bounds.gate {
      ledger.judged += 1
    } else {
      ledger.fail(
        record, expected: "nothing before \(stream.readyAt + Bounds.gate) s, 4 s after ready",
        actual: "something was sent \(age) s after ready")
    }
  }
}
