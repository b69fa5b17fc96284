import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// Guests of a host, by peer. One that comes too many is refused before time passes.
package final class GuestsWithinCapacity: BeamOracle {
  package static let id = "GuestsWithinCapacity"
  package static let claim = "Never more than seven guests have a stream up that was not refused in the same instant."
  package static let clause = "BEAM 1.3"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.networkInput]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<(host: BeamDevice, record: Int)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard case .input(.network(.incoming)) = record.event, let host = state.device(of: record), host.isHost,
      host.dialect == .beamNetwork
    else { return }
    if host.guestCount <= Bounds.guests { return ledger.judged += 1 }
    due.add((host, record.sequence), at: record.instant)
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      let count = duty.host.guestCount
      if count <= Bounds.guests {
        ledger.judged += 1
      } else {
        ledger.fail(
          at: instant, device: duty.host.index, record: duty.record, expected: "at most \(Bounds.guests) guests",
          actual: "\(count) have a stream up")
      }
    }
  }
}
