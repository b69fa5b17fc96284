import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// What a host counts against what its platform told it. The old transport counts nothing.
package final class UnstableAreCounted: BeamOracle {
  package static let id = "UnstableAreCounted"
  package static let claim =
    "The count of a guest is the number of its streams that ended within 5 s and not by the host."
  package static let clause = "BEAM 5.4.5"
  package static let nature = OracleNature.safety
  package static let restsOn = ["unstable"]
  package static let interests: [TraceKind] = [.networkInput, .complaint, .launched]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var counts: [(host: Int, peer: String, count: Int)] = []
  private var due = Obligations<(host: Int, peer: String, count: Int)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let host = state.device(of: record), host.isHost, host.dialect == .beamNetwork else { return }
    switch record.event {
    case .input(.launched): counts.removeAll { $0.host == host.index }
    case .input(.network(.ended(let id))), .input(.network(.failed(let id, _))): ended(id, host, record)
    case .report(let report):
      guard case .unstable(let peer, let count)? = report.beam else { return }
      let expected = counts.first { $0.peer == peer && $0.host == host.index }?.count ?? 0
      due.remove { $0.host == host.index && $0.peer == peer && $0.count <= count }
      if count == expected {
        ledger.judged += 1
      } else {
        ledger.fail(record, expected: "\(expected) unstable streams of \(peer)", actual: "\(count) were counted")
      }
    default: break
    }
  }

  private func ended(_ id: ConnectionID, _ host: BeamDevice, _ record: TraceRecord) {
    guard let stream = host.stream(id), !stream.wasEndedByOwner, stream.endedAt == record.instant, host.isWanted,
      let peer = stream.peer?.name, record.instant - stream.readyAt < Bounds.unstable
    else { return }
    let place = counts.firstIndex { $0.peer == peer && $0.host == host.index } ?? counts.count
    if place == counts.count { counts.append((host.index, peer, 0)) }
    counts[place].count += 1
    due.add((host.index, peer, counts[place].count), at: record.instant)
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      ledger.fail(
        at: instant, device: duty.host, unless: state.devices[duty.host].unsaid("unstable"),
        expected: "unstable stream \(duty.count) of \(duty.peer) is counted",
        actual: "nothing is")
    }
  }
}
