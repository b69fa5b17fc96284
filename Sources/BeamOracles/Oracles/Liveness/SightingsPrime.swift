import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// What a guest does with an advertisement of the service. One that was told a name, or waits for an event that has
/// ended, is not judged by an advertiser with a name: whose it is the name alone does not say.
package final class SightingsPrime: BeamOracle {
  package static let id = "SightingsPrime"
  package static let claim = "A guest that hears the host while it looks primes in the same instant."
  package static let clause = "BEAM 5.3.3"
  package static let nature = OracleNature.liveness
  package static let interests: [TraceKind] = [.otherInput, .networkEffect]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<(guest: BeamDevice, record: Int)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let guest = state.device(of: record), !guest.isHost, guest.dialect == .beamNetwork else { return }
    switch record.event {
    case .input(.discovered(let advertisement)):
      guard guest.isWanted, guest.isScanning, !guest.hasStream, guest.attempts.isEmpty,
        record.instant >= guest.primedUntil, advertisement.serviceUUIDs.contains(.beamScribe)
      else { return }
      let isNameWanted = guest.wantedName != nil || guest.state == BeamState.ended.rawValue
      if isNameWanted, advertisement.localName != nil { return }
      due.add((guest, record.sequence), at: record.instant)
    case .effect(.network(.prime)):
      due.remove { $0.guest === guest }
      ledger.judged += 1
    default: break
    }
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) where !duty.guest.isKilled {
      ledger.fail(
        at: instant, device: duty.guest.index, record: duty.record, expected: "peer to peer is primed at once",
        actual: "nothing is")
    }
  }
}
