import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// Attempts after a loss come 1, 2 and 4 s after what they follow, and no fourth without a new finding.
package final class RetriesWait: BeamOracle {
  package static let id = "RetriesWait"
  package static let claim =
    "Attempts after a loss come 1, 2 and 4 s after what they follow, and no fourth without a new finding."
  package static let clause = "BEAM 5.9.2"
  package static let nature = OracleNature.safety
  package static let restsOn = ["historyShown"]
  package static let interests: [TraceKind] = [
    .networkInput, .networkEffect, .user, .otherInput, .launched, .otherReport,
  ]

  /// What a guest has lost, and what it did since then.
  private struct Loss {
    /// The newest loss or failure.
    var at: SimInstant
    /// Attempts that have failed since the loss.
    var failures = 0
    /// Something came that may begin an attempt of its own.
    var mayBegin = false
  }

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var losses: [Loss?]
  /// Attempts after a loss.
  private var attempts: [ConnectionID?]

  package init(state: BeamRunState) {
    self.state = state
    losses = state.devices.map { _ in nil }
    attempts = state.devices.map { _ in nil }
  }

  package func observe(_ record: TraceRecord) {
    guard let guest = state.device(of: record), !guest.isHost else { return }
    switch record.event {
    case .input(.launched): losses[guest.index] = nil
    case .input(.user), .input(.background), .input(.network(.found)), .input(.network(.changed)),
      .input(.network(.betterPath)), .input(.network(.lost)):
      losses[guest.index]?.mayBegin = true
    case .input(.network(.ended(let id))), .input(.network(.failed(let id, _))), .input(.network(.cancelled(let id))):
      lost(id, guest, at: record.instant)
    case .effect(.network(.cancel(let id))): lost(id, guest, at: record.instant)
    case .effect(.network(.connect(let id, _))): began(id, guest, record)
    default: break
    }
    if case .report(let report) = record.event, case .historyShown? = report.beam { losses[guest.index] = nil }
  }

  private func lost(_ id: ConnectionID, _ guest: BeamDevice, at instant: SimInstant) {
    if attempts[guest.index] == id {
      attempts[guest.index] = nil
      losses[guest.index]?.failures += 1
      losses[guest.index]?.at = instant
    } else if guest.isWanted, !guest.hasStream, guest.stream(id)?.endedAt == instant, losses[guest.index] == nil {
      losses[guest.index] = Loss(at: instant)
    }
  }

  private func began(_ id: ConnectionID, _ guest: BeamDevice, _ record: TraceRecord) {
    guard let loss = losses[guest.index] else { return }
    attempts[guest.index] = id
    if loss.mayBegin {
      losses[guest.index] = nil
      attempts[guest.index] = nil
      return
    }
    guard loss.failures < Bounds.retries.count else {
      return ledger.fail(
        record, unless: guest.unsaid("historyShown"), expected: "no attempt after three failures without a new finding",
        actual: "attempt \(loss.failures + 1) after \(record.instant - loss.at) s")
    }
    // After a stream that was lost within its gate, the waits go on where they were (BEAM 5.9.4).
    let waited = record.instant - loss.at
    let allowed = Bounds.retries[loss.failures...]
    if allowed.contains(where: { max(waited - $0, $0 - waited) <= state.attemptSlack }) {
      ledger.judged += 1
    } else {
      ledger.fail(
        record, unless: guest.unsaid("historyShown"),
        expected: "attempt \(loss.failures + 1) after a wait of \(Bounds.retries[loss.failures]) s",
        actual: "after \(waited) s")
    }
  }
}
