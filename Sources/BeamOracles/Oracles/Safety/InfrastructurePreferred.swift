import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// What a guest asks its platform for, and what it gets: only the platform knows which path is there.
package final class InfrastructurePreferred: BeamOracle {
  package static let id = "InfrastructurePreferred"
  package static let claim = "A stream over AWDL begins only where infrastructure does not connect the two."
  package static let clause = "BEAM 5.11.1"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.networkEffect]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard case .effect(.network(.connect(_, let request))) = record.event, let guest = state.device(of: record),
      !guest.isHost, guest.dialect == .beamNetwork,
      let endpoint = guest.endpoints.first(where: { $0.id == request.endpoint }),
      endpoint.interfaces.contains(.infrastructure)
    else { return }
    if request.interfaces.first == .infrastructure {
      ledger.judged += 1
    } else {
      ledger.fail(
        record, expected: "infrastructure first, over which the event was found",
        actual: request.interfaces.map(\.rawValue).joined(separator: ", "))
    }
  }
}
