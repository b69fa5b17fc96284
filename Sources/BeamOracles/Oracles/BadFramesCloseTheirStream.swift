import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
package import SimKernel

/// A guest ends a stream on which a bad frame arrived, at once, and no other.
package final class BadFramesCloseTheirStream: BeamOracle {
  package static let id = "BadFramesCloseTheirStream"
  package static let claim = "A stream on which a bad frame arrived is ended by its receiver, and no other."
  package static let clause = "BEAM 3.6"
  package static let interests: [TraceKind] = [.networkInput, .networkEffect]

  private struct Received {
    var key: StreamKey
    var frames: SentFrames
  }

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var received: [Received] = []
  private var due = Obligations<(key: StreamKey, problem: String, record: Int)>()

  package init(state: BeamRunState) { self.state = state }

  package var deadline: SimInstant { due.deadline }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), !device.isHost else { return }
    switch record.event {
    case .input(.network(.received(let id, let octets))):
      guard let stream = device.stream(id), stream.isUp else { return }
      let key = StreamKey(device: device.index, generation: device.generation, id: id)
      if let problem = problem(octets, key, device) {
        due.add((key, problem, record.sequence), at: record.instant)
      } else {
        ledger.judged += 1
      }
    case .effect(.network(.cancel(let id))):
      let key = StreamKey(device: device.index, generation: device.generation, id: id)
      due.remove { $0.key == key }
      received.removeAll { $0.key == key }
    case .input(.network(.failed(let id, _))):
      let key = StreamKey(device: device.index, generation: device.generation, id: id)
      due.remove { $0.key == key }
      received.removeAll { $0.key == key }
    default: break
    }
  }

  /// What is wrong with the frames that these octets complete.
  private func problem(_ octets: [UInt8], _ key: StreamKey, _ device: BeamDevice) -> String? {
    let place = received.firstIndex { $0.key == key } ?? received.count
    if place == received.count { received.append(Received(key: key, frames: SentFrames(device.format))) }
    if received[place].frames.problem != nil { return nil }
    for frame in received[place].frames.take(octets) where frame.kind == .message {
      if frame.body.count > BeamLimits.body { return "a frame of \(frame.body.count) octets" }
      if (try? BeamPacket(decoding: frame.body)) == nil { return "a body that is no packet" }
    }
    return received[place].frames.problem
  }

  package func expire(at now: SimInstant) {
    for (instant, duty) in due.overdue(at: now) {
      ledger.fail(
        at: instant, device: duty.key.device, record: duty.record,
        expected: "the stream is cancelled in the instant in which \(duty.problem) arrived",
        actual: "connection \(duty.key.id.rawValue) goes on")
    }
  }

  package func finish(_ outcome: RunOutcome) { ledger.open += due.count }
}
