import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// Alerts that a host raises against the screens of guests with an open stream. Who comes back later is told of a
/// session that goes on when it does.
package final class AlertsReachAll: BeamOracle {
  package static let id = "AlertsReachAll"
  package static let claim =
    "Within 2 s every guest whose stream is open and viable shows an alert that the host raised."
  package static let clause = "BEAM 5.7.2"
  package static let nature = OracleNature.liveness
  package static let restsOn = ["alertShown"]
  package static let interests: [TraceKind] = [.alert]

  private struct Duty {
    var guest: BeamDevice
    var stream: BeamStream
    var alert: String
    var raised: SimInstant
  }

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<Duty>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch state.report {
    case .alertRaised(let alert):
      if alert == BeamAlert.sessionResumed.rawValue { return }
      for end in device.streams {
        guard let guest = FinalsOwed.carries(end) else { continue }
        due.add(
          Duty(guest: guest, stream: end, alert: alert, raised: record.instant),
          at: record.instant + Bounds.arrives)
      }
    case .alertShown(let alert, _):
      let before = due.count
      due.remove { $0.guest === device && $0.alert == alert }
      ledger.judged += before - due.count
    default: break
    }
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      if duty.stream.isUp, duty.stream.isUnderWay(at: instant) {
        due.add(duty, at: instant + Bounds.arrives)
        continue
      }
      guard duty.guest.isWanted, FinalsOwed.isOwed(duty.stream, to: duty.guest, within: Bounds.arrives, at: instant)
      else { continue }
      ledger.fail(
        at: instant, device: duty.guest.index, since: duty.raised, unless: duty.guest.unsaid("alertShown"),
        expected: "\(duty.alert), raised at \(duty.raised) s, within \(Bounds.arrives) s", actual: "it is not shown")
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}
