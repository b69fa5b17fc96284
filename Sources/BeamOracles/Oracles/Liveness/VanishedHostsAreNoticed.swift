import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import Platform
package import SimKernel

/// Guests that had a stream when their host vanished. Whatever else happens to one of them excuses it, and so does that
/// it has shown the end of this event already, and nothing of the event since.
package final class VanishedHostsAreNoticed: BeamOracle {
  package static let id = "VanishedHostsAreNoticed"
  package static let claim = "A guest whose host vanished shows `hostDisconnected` within 60 s."
  package static let clause = "BEAM 5.7.5"
  package static let nature = OracleNature.liveness
  package static let restsOn = ["alertShown"]
  package static let interests: [TraceKind] = [.fault, .alert, .user, .networkInput]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<(guest: BeamDevice, host: BeamDevice)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    switch record.event {
    case .fault(.vanish) where device.isHost:
      for stream in device.streamsUp {
        guard let guest = stream.peer, guest.hasStream, guest.isOnNetwork, !due.contains(where: { $0.guest === guest }),
          guest.knowsEndOf == nil || guest.knowsEndOf != guest.joinedName, Self.finds(guest)
        else { continue }
        due.add((guest, device), at: record.instant + Bounds.vanishingIsNoticed)
      }
    case .fault(.appear): due.remove { $0.host === device || $0.guest === device }
    case .input(.network(.lost)): due.remove { $0.guest === device && !Self.finds(device) }
    case .fault, .input(.network(.ready)): due.remove { $0.guest === device }
    case .input(.user): due.remove { $0.guest === device && !device.isWanted }
    case .report(let report):
      guard case .alertShown(BeamAlert.hostDisconnected.rawValue, _)? = report.beam else { return }
      let before = due.count
      due.remove { $0.guest === device }
      ledger.judged += before - due.count
    default: break
    }
  }

  /// Whether its browser still has the event: one that is gone is not retried (BEAM 5.9.5), and looked for instead.
  private static func finds(_ guest: BeamDevice) -> Bool {
    guest.joinedName.map { name in guest.endpoints.contains { $0.name == name } } ?? true
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      ledger.fail(
        at: instant, device: duty.guest.index, since: instant - Bounds.vanishingIsNoticed,
        unless: duty.guest.unsaid("alertShown"),
        expected: "the guest shows hostDisconnected", actual: "it shows nothing of it")
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}
