import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// Attempts after a loss come 1, 2 and 4 s after what they follow, and no fourth without a new finding.
package final class RetriesWait: BeamOracle {
  package static let id = "RetriesWait"
  package static let claim =
    "Attempts after a loss come 1, 2 and 4 s after what they follow, and no fourth without a new finding."
  package static let clause = "BEAM 5.9.2"
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
        record, expected: "no attempt after three failures without a new finding",
        actual: "attempt \(loss.failures + 1) after \(record.instant - loss.at) s")
    }
    // After a stream that was lost within its gate, the waits go on where they were (BEAM 5.9.4).
    let waited = record.instant - loss.at
    let allowed = Bounds.retries[loss.failures...]
    if allowed.contains(waited) {
      ledger.judged += 1
    } else {
      ledger.fail(
        record, expected: "attempt \(loss.failures + 1) after a wait of \(Bounds.retries[loss.failures]) s",
        actual: "after \(waited) s")
    }
  }
}

/// A stream over AWDL begins only where infrastructure does not connect the two.
package final class InfrastructurePreferred: BeamOracle {
  package static let id = "InfrastructurePreferred"
  package static let claim = "A stream over AWDL begins only where infrastructure does not connect the two."
  package static let clause = "BEAM 5.11.1"
  package static let interests: [TraceKind] = [.networkEffect]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard case .effect(.network(.connect(_, let request))) = record.event, let guest = state.device(of: record),
      !guest.isHost, guest.dialect == .beamNetwork, let endpoint = guest.endpoints[request.endpoint],
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

/// A guest whose host can be reached and hosts shows the whole transcript within 30 s after that.
package final class LostGuestsReturn: BeamOracle {
  package static let id = "LostGuestsReturn"
  package static let claim =
    "A guest whose host can be reached and hosts shows the whole transcript within 30 s after that."
  package static let clause = "BEAM 5.9.3"
  package static let interests: [TraceKind] = [.networkInput, .networkEffect, .user, .link, .fault, .otherInput, .text]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var asked: [SimInstant?]
  private var due = Obligations<(guest: BeamDevice, since: SimInstant)>()

  package init(state: BeamRunState) {
    self.state = state
    asked = state.devices.map { _ in nil }
  }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    for guest in state.devices where !guest.isHost && !guest.isForeign {
      guard let since = guest.lonelySince, let host = state.host, host.isWanted, host.isOnNetwork, guest.isOnNetwork,
        guest.wantedName.map({ $0 == host.eventName }) ?? true
      else {
        if asked[guest.index] != nil, guest.hasStream { ledger.judged += 1 }
        asked[guest.index] = nil
        due.remove { $0.guest === guest }
        continue
      }
      let begin = [since, guest.disturbedAt ?? .zero, host.disturbedAt ?? .zero].max() ?? since
      if asked[guest.index] == begin { continue }
      asked[guest.index] = begin
      due.remove { $0.guest === guest }
      due.add((guest, begin), at: max(begin, record.instant) + Bounds.returns)
    }
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      ledger.fail(
        at: instant, device: duty.guest.index, since: duty.since, expected: "the guest has a stream again",
        actual: "none was up since \(duty.since) s")
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}
