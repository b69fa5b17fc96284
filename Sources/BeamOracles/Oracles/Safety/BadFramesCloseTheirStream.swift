import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// What receivers do with what they must not take: a guest with a frame that is wrong or no packet, a host with any
/// octet.
///
/// Judged in the instant in which it arrived: no path to the other end matters.
package final class BadFramesCloseTheirStream: BeamOracle {
  package static let id = "BadFramesCloseTheirStream"
  package static let claim = "A stream on which a bad frame arrived is ended by its receiver, and no other."
  package static let clause = "BEAM 3.6"
  package static let nature = OracleNature.safety
  package static let interests: [TraceKind] = [.streamOctets]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var due = Obligations<Duty>()

  private struct Duty {
    var receiver: BeamDevice
    var stream: BeamStream
    var problem: String
    var record: Int
    var others: [BeamStream]
  }

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard case .input(.network(.received(let id, let octets))) = record.event,
      let device = state.device(of: record), let stream = device.stream(id), stream.isUp, !octets.isEmpty,
      stream.received.problem == nil
    else { return }
    if let problem = device.isHost ? problem(ofGuest: octets, device) : problem(octets, stream) {
      due.add(
        Duty(
          receiver: device, stream: stream, problem: problem, record: record.sequence,
          others: device.streamsUp.filter { $0 !== stream && !$0.wasEndedByOwner }), at: record.instant)
    } else {
      ledger.judged += 1
    }
  }

  /// In the old transport a guest asks before it is taken.
  private func problem(ofGuest octets: [UInt8], _ host: BeamDevice) -> String? {
    host.dialect == .beamNetwork ? "\(octets.count) octets of a guest" : nil
  }

  /// What is wrong with the frames that these octets complete.
  private func problem(_ octets: [UInt8], _ stream: BeamStream) -> String? {
    for body in stream.received.take(octets, state.pieces) {
      if !state.bodies.isPacket(body) {
        stream.received.stop("a body that is no packet")
        break
      }
    }
    return stream.received.problem
  }

  package func expire(at now: SimInstant) {
    let overdue = due.overdue(at: now)
    for (instant, duty) in overdue {
      let device = duty.receiver
      if device.isKilled { continue }
      if duty.stream.isUp {
        ledger.fail(
          at: instant, device: device.index, record: duty.record,
          expected: "the stream is cancelled in the instant in which \(duty.problem) arrived",
          actual: "connection \(duty.stream.id.rawValue) goes on")
      } else if device.isHost, device.isWanted,
        let other = duty.others.first(where: { other in
          other.wasEndedByOwner && !overdue.contains { $0.duty.stream === other }
        })
      {
        ledger.fail(
          at: instant, device: device.index, record: duty.record, clause: "BEAM 7.4",
          expected: "\(duty.problem) ends connection \(duty.stream.id.rawValue) only",
          actual: "connection \(other.id.rawValue) is ended too")
      } else {
        ledger.judged += 1
      }
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}
