import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// No partial is shown whose number is not the next one.
package final class PartialsAreReplaced: BeamOracle {
  package static let id = "PartialsAreReplaced"
  package static let claim = "No partial is shown whose number is not the next one."
  package static let clause = "BEAM 5.5.8"
  package static let interests: [TraceKind] = [.partial]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let guest = state.device(of: record), !guest.isHost, case .report(let report) = record.event,
      case .partialShown(let sequence, _)? = report.beam
    else { return }
    if sequence == guest.shown + 1 {
      ledger.judged += 1
    } else {
      ledger.fail(record, expected: "a partial of final \(guest.shown + 1)", actual: "one of final \(sequence)")
    }
  }
}

/// No alert is shown that was not raised, except one that a guest has noticed itself.
package final class AlertsChangeNoText: BeamOracle {
  package static let id = "AlertsChangeNoText"
  package static let claim = "No alert is shown as text, and none that was not raised, except 5.7.5."
  package static let clause = "BEAM 5.7.6"
  package static let interests: [TraceKind] = [.alert, .text]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let guest = state.device(of: record), !guest.isHost, case .report(let report) = record.event else { return }
    switch report.beam {
    case .alertShown(let alert, let isOwn):
      let isRaised = state.host?.alertsRaised.contains(alert) ?? true
      if isOwn ? alert == BeamAlert.hostDisconnected.rawValue : isRaised {
        ledger.judged += 1
      } else {
        ledger.fail(record, expected: "an alert that the host raised", actual: alert)
      }
    case .finalShown(_, let text):
      let isAlert = BeamAlert.allCases.contains { $0.rawValue == text }
      let isSpoken = state.host?.sessions.contains { $0.contains(text) } ?? true
      if isAlert, !isSpoken {
        ledger.fail(record, expected: "the alert \(text) beside the text", actual: "it is shown as a final")
      } else {
        ledger.judged += 1
      }
    default: break
    }
  }
}

/// Two claims about finals that a host has spoken: all guests show them, and no slow one delays the others.
package class FinalsArrive: BeamOracle {
  package class var id: String { "FinalsArrive" }
  package class var claim: String { "" }
  package class var clause: String { "" }
  package static let interests: [TraceKind] = [.text, .networkInput, .networkEffect]

  package let ledger: OracleLedger
  fileprivate let state: BeamRunState
  private var due = Obligations<(guest: BeamDevice, stream: StreamKey, sequence: Int, spoken: SimInstant)>()

  package required init(state: BeamRunState) {
    self.state = state
    ledger = OracleLedger(oracle: Self.id, clause: Self.clause)
  }

  package var deadline: SimInstant { due.deadline }

  /// Whether a final is owed to a guest for the reason of this claim.
  fileprivate func isOwed(_ guest: BeamDevice, by host: BeamDevice) -> Bool { true }

  package func observe(_ record: TraceRecord) {
    guard case .report(let report) = record.event, case .finalShown(let sequence, _)? = report.beam,
      let device = state.device(of: record)
    else { return }
    guard device.isHost else {
      due.remove { duty in
        let isShown = duty.guest === device && duty.sequence <= device.shown
        if isShown { ledger.judged += 1 }
        return isShown
      }
      return
    }
    for end in device.streamsUp where end.openSince != nil && !end.wasEndedByOwner {
      guard let guest = end.peer, let other = end.partner, other.isUp, other.isRead, end.isViable, other.isViable,
        isOwed(guest, by: device), guest.shown < sequence
      else { continue }
      let key = StreamKey(device: device.index, generation: device.generation, id: end.id)
      due.add((guest, key, sequence, record.instant), at: record.instant + Bounds.arrives)
    }
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      let host = state.devices[duty.stream.device]
      guard let end = host.stream(duty.stream.id), host.generation == duty.stream.generation, end.isUp,
        let other = end.partner, other.isUp, end.isViable, other.isViable, other.isRead, host.isOnNetwork,
        duty.guest.isOnNetwork, !isDisturbed(host, instant), !isDisturbed(duty.guest, instant)
      else { continue }
      if duty.guest.shown >= duty.sequence {
        ledger.judged += 1
      } else {
        ledger.fail(
          at: instant, device: duty.guest.index, since: duty.spoken,
          expected: "final \(duty.sequence), spoken at \(duty.spoken) s, within \(Bounds.arrives) s",
          actual: "final \(duty.guest.shown) is the newest")
      }
    }
  }

  private func isDisturbed(_ device: BeamDevice, _ instant: SimInstant) -> Bool {
    device.disturbedAt.map { instant - $0 < Bounds.settles } ?? false
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}

package final class TranscriptConverges: FinalsArrive {
  package override class var id: String { "TranscriptConverges" }
  package override class var claim: String {
    "2 s after the last final (with viable streams) every guest with an open stream shows the host's transcript."
  }
  package override class var clause: String { "BEAM 5.6.9" }
}

package final class SlowGuestsDelayNobody: FinalsArrive {
  package override class var id: String { "SlowGuestsDelayNobody" }
  package override class var claim: String {
    "A final is on the screen of every guest that reads within 2 s, whatever others do."
  }
  package override class var clause: String { "BEAM 5.5.7" }

  fileprivate override func isOwed(_ guest: BeamDevice, by host: BeamDevice) -> Bool {
    host.streamsUp.contains { $0.peer !== guest && !($0.partner?.isRead ?? true) }
  }
}
