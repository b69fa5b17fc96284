import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// What guests hand to the platform. Invitations of the old transport are the bench's.
package final class GuestsSendNothing: BeamOracle {
  package static let id = "GuestsSendNothing"
  package static let claim = "No guest sends on a stream."
  package static let clause = "BEAM 1.2"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.networkInput, .streamSend, .streamOctets]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), !device.isHost, device.dialect == .beamNetwork else { return }
    switch record.event {
    case .effect(.network(.send(_, let octets))):
      ledger.fail(record, expected: "nothing from a guest", actual: "\(octets.count) octets")
    case .input(.network(.ready)), .input(.network(.received)): ledger.judged += 1
    default: break
    }
  }
}
