import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// The newest final on each open stream, once no other follows it for 2 s; from the history on for streams that opened
/// later.
package final class TranscriptConverges: BeamOracle {
  package static let id = "TranscriptConverges"
  package static let claim =
    "2 s after the last final (with viable streams) every guest with an open stream shows the host's transcript."
  package static let clause = "BEAM 5.6.9"
  package static let nature = OracleNature.liveness
  package static let restsOn = ["finalShown"]
  package static let interests: [TraceKind] = [.text, .streamAnswer]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var owed = FinalsOwed()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { owed.due.deadline }

  package func observe(_ record: TraceRecord) {
    if let answer = state.answered {
      if answer.stream.openSince == record.instant, answer.device.isHost { owe(answer.stream, at: record.instant) }
    } else if case .finalShown? = state.report, let device = state.device(of: record) {
      if !device.isHost { return ledger.judged += owed.isShown(by: device) }
      for end in device.streams { owe(end, at: record.instant) }
    }
  }

  private func owe(_ end: BeamStream, at instant: SimInstant) {
    guard let guest = FinalsOwed.carries(end), let sequence = end.owner.sessions.last?.count else { return }
    owed.due.remove { $0.stream === end }
    if sequence == 0 || guest.shown >= sequence { return }
    owed.due.add(
      FinalsOwed.Duty(guest: guest, stream: end, sequence: sequence, spoken: instant), at: instant + Bounds.arrives)
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in owed.overdue(within: Bounds.arrives, at: now) { ledger.fail(duty, at: instant) }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += owed.due.count }
}
