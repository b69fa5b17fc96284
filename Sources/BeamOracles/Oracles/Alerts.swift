import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import Platform
package import SimKernel

/// Within 2 s every guest whose stream is open and viable shows an alert that the host raised.
package final class AlertsReachAll: BeamOracle {
  package static let id = "AlertsReachAll"
  package static let claim =
    "Within 2 s every guest whose stream is open and viable shows an alert that the host raised."
  package static let clause = "BEAM 5.7.2"
  package static let interests: [TraceKind] = [.alert]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<(guest: BeamDevice, host: BeamDevice, alert: String, raised: SimInstant)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), case .report(let report) = record.event else { return }
    switch report.beam {
    case .alertRaised(let alert):
      // A resumed session is told to those who come back, when they do.
      if alert == BeamAlert.sessionResumed.rawValue { return }
      for end in device.streams where end.openSince != nil && (end.isUp || end.endedAt == record.instant) {
        guard let guest = end.peer, let other = end.partner, other.isUp, other.isRead, end.isViable, other.isViable
        else { continue }
        due.add((guest, device, alert, record.instant), at: record.instant + Bounds.arrives)
      }
    case .alertShown(let alert, _):
      due.remove { duty in
        let isShown = duty.guest === device && duty.alert == alert
        if isShown { ledger.judged += 1 }
        return isShown
      }
    default: break
    }
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      guard duty.guest.isOnNetwork, duty.host.isOnNetwork, duty.guest.isWanted,
        !(duty.guest.disturbedAt.map { instant - $0 < Bounds.settles } ?? false),
        !(duty.host.disturbedAt.map { instant - $0 < Bounds.settles } ?? false)
      else { continue }
      ledger.fail(
        at: instant, device: duty.guest.index, since: duty.raised,
        expected: "\(duty.alert), raised at \(duty.raised) s, within \(Bounds.arrives) s", actual: "it is not shown")
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}

/// A guest whose host vanished shows `hostDisconnected` within 60 s.
package final class VanishedHostsAreNoticed: BeamOracle {
  package static let id = "VanishedHostsAreNoticed"
  package static let claim = "A guest whose host vanished shows `hostDisconnected` within 60 s."
  package static let clause = "BEAM 5.7.5"
  package static let interests: [TraceKind] = [.fault, .alert, .user]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<(guest: BeamDevice, host: BeamDevice)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.event {
    case .fault(.vanish) where device.isHost:
      for guest in state.devices where !guest.isHost && guest.hasStream && guest.isOnNetwork {
        due.add((guest, device), at: record.instant + Bounds.vanishingIsNoticed)
      }
    case .fault(.appear): due.remove { $0.host === device || $0.guest === device }
    // Whatever else happens to a guest, it may notice later.
    case .fault: due.remove { $0.guest === device }
    case .input(.user): due.remove { $0.guest === device && !device.isWanted }
    case .report(let report):
      guard case .alertShown(BeamAlert.hostDisconnected.rawValue, _)? = report.beam else { return }
      due.remove { duty in
        let isNoticed = duty.guest === device
        if isNoticed { ledger.judged += 1 }
        return isNoticed
      }
    default: break
    }
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      ledger.fail(
        at: instant, device: duty.guest.index, since: instant - Bounds.vanishingIsNoticed,
        expected: "the guest shows hostDisconnected", actual: "it shows nothing of it")
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}

/// A stream that is up and viable gets its history within 4 s + 2 s after ready.
package final class GatesOpen: BeamOracle {
  package static let id = "GatesOpen"
  package static let claim = "A stream that is up and viable gets its history within 4 s + 2 s after ready."
  package static let clause = "BEAM 5.4.1"
  package static let interests: [TraceKind] = [.networkInput]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<(host: BeamDevice, stream: BeamStream)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard case .input(.network(.incoming(let id, _, _))) = record.event, let host = state.device(of: record),
      host.isHost, host.dialect == .beamNetwork, let stream = host.stream(id)
    else { return }
    due.add((host, stream), at: record.instant + Bounds.gate + Bounds.arrives)
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      let stream = duty.stream
      let isExcused =
        !stream.isUp || stream.wasEndedByOwner || !stream.isViable || !duty.host.isOnNetwork
        || (duty.host.disturbedAt.map { instant - $0 < Bounds.settles } ?? false)
      if isExcused { continue }
      if stream.openSince != nil || stream.sent.octets > 0 {
        ledger.judged += 1
      } else {
        ledger.fail(
          at: instant, device: duty.host.index, since: stream.readyAt,
          expected: "the history of connection \(stream.id.rawValue) within 6 s after ready",
          actual: "nothing was sent")
      }
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}

/// The run ends within its limits, and no app breaks down.
package final class NoCrashNoHang: BeamOracle {
  package static let id = "NoCrashNoHang"
  package static let claim = "The run ends within its limits, and no app breaks down."
  package static let clause = "BEAM 7.5"
  package static let interests: [TraceKind] = []
  package static let judgesEndOnly = true

  package let ledger = makeLedger()

  package init(state: BeamRunState) {}

  package func observe(_ record: TraceRecord) {}

  package func finish(_ outcome: RunOutcome) {
    switch outcome.ending {
    case .finished: ledger.judged += 1
    case .simulatedTimeLimit:
      ledger.fail(
        at: outcome.endInstant, device: -1, expected: "every awaited condition comes true",
        actual: "the limit of simulated time was reached while the scenario still waited")
    case .stopped: break
    case .eventLimit:
      ledger.fail(
        at: outcome.endInstant, device: -1, expected: "the run comes to rest", actual: "the event limit was reached")
    }
  }
}
