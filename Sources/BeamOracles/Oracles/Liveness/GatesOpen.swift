import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// The gate of each stream: that it opens in time, that it waits for viability, and that the history has all that there
/// was then. The old transport has none.
package final class GatesOpen: BeamOracle {
  package static let id = "GatesOpen"
  package static let claim = "A stream that is up and viable gets its history within 4 s + 2 s after ready."
  package static let clause = "BEAM 5.4.1"
  package static let nature = OracleNature.liveness
  package static let interests: [TraceKind] = [.networkInput, .streamSend, .streamAnswer]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<(host: BeamDevice, stream: BeamStream)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let host = state.device(of: record), host.isHost, host.dialect == .beamNetwork else { return }
    switch record.event {
    case .input(.network(.incoming(let id, _, _))):
      if let stream = host.stream(id), stream.isFromStart {
        due.add((host, stream), at: record.instant + Bounds.gate + Bounds.arrives)
      }
    case .effect(.network(.send(let id, _))):
      guard let stream = host.stream(id), stream.pending.count == 1, stream.sent.octets == 0, !stream.isViable else {
        return
      }
      ledger.fail(
        record, clause: "BEAM 5.4.3", expected: "nothing on connection \(id.rawValue) until it is viable",
        actual: "its first octets")
    case .input(.network(.submitted)):
      guard let stream = state.answered?.stream, stream.isFromStart, stream.openSince == record.instant,
        let opening = stream.opening, let upTo = stream.order.upTo, opening.finals > upTo, !stream.newest.isEmpty
      else { return }
      ledger.fail(
        record, clause: "BEAM 5.4.7", expected: "a history of all \(opening.finals) finals",
        actual: "one of \(upTo)")
    default: break
    }
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      let stream = duty.stream
      if stream.opening != nil {
        ledger.judged += 1
      } else if stream.isUp, !stream.wasEndedByOwner, stream.isViable, duty.host.isUndisturbed(at: instant) {
        if instant - stream.viableSince < Bounds.arrives {
          due.add(duty, at: stream.viableSince + Bounds.arrives)
          continue
        }
        ledger.fail(
          at: instant, device: duty.host.index, since: stream.readyAt,
          expected: "the history of connection \(stream.id.rawValue) within 6 s after ready",
          actual: "nothing was sent")
      }
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}
