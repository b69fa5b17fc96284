import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// Never more than seven guests have a stream up that was not refused in the same instant.
package final class GuestsWithinCapacity: BeamOracle {
  package static let id = "GuestsWithinCapacity"
  package static let claim =
    "Never more than seven guests have a stream up that was not refused in the same instant."
  package static let clause = "BEAM 1.3"
  package static let interests: [TraceKind] = [.networkInput]

  static let limit = 7
  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<(host: BeamDevice, record: Int)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard case .input(.network(.incoming)) = record.event, let host = state.device(of: record), host.isHost else {
      return
    }
    if guests(of: host) <= Self.limit { return ledger.judged += 1 }
    due.add((host, record.sequence), at: record.instant)
  }

  private func guests(of host: BeamDevice) -> Int {
    var peers: [Int] = []
    var strangers = 0
    for stream in host.streamsUp where !stream.wasEndedByOwner {
      guard let peer = stream.peer else {
        strangers += 1
        continue
      }
      if !peers.contains(peer.index) { peers.append(peer.index) }
    }
    return peers.count + strangers
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      let count = guests(of: duty.host)
      if count <= Self.limit {
        ledger.judged += 1
      } else {
        ledger.fail(
          at: instant, device: duty.host.index, record: duty.record, expected: "at most \(Self.limit) guests",
          actual: "\(count) have a stream up")
      }
    }
  }
}

/// A guest never has two attempts or three streams.
package final class OneAttemptAtATime: BeamOracle {
  package static let id = "OneAttemptAtATime"
  package static let claim = "A guest never has two attempts or three streams."
  package static let clause = "BEAM 5.3.5"
  package static let interests: [TraceKind] = [.networkInput, .networkEffect]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let guest = state.device(of: record), !guest.isHost else { return }
    switch record.event {
    case .effect(.network(.connect)):
      if guest.attempts.count > 1 {
        ledger.fail(record, expected: "one attempt at a time", actual: "\(guest.attempts.count) attempts")
      } else {
        ledger.judged += 1
      }
    case .input(.network(.ready)) where guest.streamsUp.count > 2:
      ledger.fail(record, expected: "at most two streams", actual: "\(guest.streamsUp.count) streams")
    default: break
    }
  }
}

/// The count of a guest is the number of its streams that ended within 5 s and not by the host.
package final class UnstableAreCounted: BeamOracle {
  package static let id = "UnstableAreCounted"
  package static let claim =
    "The count of a guest is the number of its streams that ended within 5 s and not by the host."
  package static let clause = "BEAM 5.4.5"
  package static let interests: [TraceKind] = [.networkInput, .complaint, .user, .launched]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var counts: [(peer: String, host: Int, count: Int)] = []
  private var due = Obligations<(host: Int, peer: String, count: Int)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let host = state.device(of: record), host.isHost, host.dialect == .beamNetwork else { return }
    switch record.event {
    case .input(.launched): counts.removeAll { $0.host == host.index }
    case .input(.user(let action)):
      if case .startEvent? = action.beam { counts.removeAll { $0.host == host.index } }
    case .input(.network(.ended(let id))), .input(.network(.failed(let id, _))): ended(id, host, record)
    case .report(let report):
      guard case .unstable(let peer, let count)? = report.beam else { return }
      let expected = counts.first { $0.peer == peer && $0.host == host.index }?.count ?? 0
      due.remove { $0.host == host.index && $0.peer == peer && $0.count <= count }
      if count == expected {
        ledger.judged += 1
      } else {
        ledger.fail(
          record, expected: "\(expected) unstable streams of \(peer)", actual: "\(count) were counted")
      }
    default: break
    }
  }

  private func ended(_ id: ConnectionID, _ host: BeamDevice, _ record: TraceRecord) {
    guard let stream = host.stream(id), !stream.wasEndedByOwner, stream.endedAt == record.instant,
      let peer = stream.peer?.name, record.instant - stream.readyAt < Bounds.unstable
    else { return }
    let place = counts.firstIndex { $0.peer == peer && $0.host == host.index } ?? counts.count
    if place == counts.count { counts.append((peer, host.index, 0)) }
    counts[place].count += 1
    due.add((host.index, peer, counts[place].count), at: record.instant)
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      ledger.fail(
        at: instant, device: duty.host, expected: "unstable stream \(duty.count) of \(duty.peer) is counted",
        actual: "nothing is")
    }
  }
}
