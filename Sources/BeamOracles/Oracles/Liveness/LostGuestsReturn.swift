import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// Guests without a stream, from the instant on at which nothing keeps them and their host apart.
///
/// That they can reach each other at all is known of those whose browser has found the event (after its end: again) and
/// who stayed where they were.
package final class LostGuestsReturn: BeamOracle {
  package static let id = "LostGuestsReturn"
  package static let claim =
    "A guest whose host can be reached and hosts shows the whole transcript within 30 s after that."
  package static let clause = "BEAM 5.9.3"
  package static let nature = OracleNature.liveness
  package static let restsOn = ["state"]
  package static let interests: [TraceKind] = [
    .networkInput, .networkEffect, .user, .link, .fault, .otherInput, .otherReport,
  ]

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
      guard let since = guest.lonelySince, let host = host(of: guest) else {
        // It has a stream again, or cannot be asked to have one.
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

  /// The host that a guest could join now, with a seat for it. As long as it retries (BEAM 5.9.2) it asks for the event
  /// that it was in, whatever others there are, also one of the same name.
  private func host(of guest: BeamDevice) -> BeamDevice? {
    guard guest.isOnNetwork, !guest.hasMoved else { return nil }
    let retries = [BeamState.lost, .connecting].contains { $0.rawValue == guest.state }
    return state.hosts.first { host in
      host.isWanted && host.isOnNetwork && !host.hasMoved && host.guestCount < Bounds.guests
        && guest.knows(host.eventName) && guest.wantedName.map { $0 == host.eventName } ?? true
        && (!retries || wasWith(host, guest))
    }
  }

  private func wasWith(_ host: BeamDevice, _ guest: BeamDevice) -> Bool {
    if let newest = guest.streams.last { return newest.peer === host }
    return guest.joinedName.map { $0 == host.eventName } ?? true
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      ledger.fail(
        at: instant, device: duty.guest.index, since: duty.since, unless: duty.guest.unsaid("state"),
        expected: "the guest has a stream again",
        actual: "none was up since \(duty.since) s")
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}
