import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// Each final on each open stream, as long as some other guest does not read.
package final class SlowGuestsDelayNobody: BeamOracle {
  package static let id = "SlowGuestsDelayNobody"
  package static let claim = "A final is on the screen of every guest that reads within 2 s, whatever others do."
  package static let clause = "BEAM 5.5.7"
  package static let nature = OracleNature.liveness
  package static let restsOn = ["finalShown"]
  package static let interests: [TraceKind] = [.text]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var owed = FinalsOwed()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { owed.due.deadline }

  package func observe(_ record: TraceRecord) {
    guard case .finalShown(let sequence, _)? = state.report, let device = state.device(of: record) else { return }
    guard device.isHost else { return ledger.judged += owed.isShown(by: device) }
    let slow = device.streams.filter { $0.isUp && !($0.partner?.isRead ?? true) }
    if slow.isEmpty { return }
    for end in device.streams {
      guard let guest = FinalsOwed.carries(end), guest.shown < sequence, slow.contains(where: { $0.peer !== guest })
      else { continue }
      owed.due.add(
        FinalsOwed.Duty(guest: guest, stream: end, sequence: sequence, spoken: record.instant),
        at: record.instant + Bounds.arrives)
    }
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in owed.overdue(within: Bounds.arrives, at: now) { ledger.fail(duty, at: instant) }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += owed.due.count }
}
