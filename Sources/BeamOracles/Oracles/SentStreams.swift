import AppSeam
import BeamScribe
package import Bench
package import Conformance
package import Judging
import SimKernel

/// On every stream the history comes first, and finals follow it.
package final class HistoryThenLive: BeamOracle {
  package static let id = "HistoryThenLive"
  package static let claim =
    "On every stream the history comes first, and the finals after it follow it without gap or repeat."
  package static let clause = "BEAM 5.6.3"
  package static let interests: [TraceKind] = [.networkInput]

  private struct Progress {
    /// The number of the newest final that was sent.
    var sent = 0
    var upTo: Int?
    var isComplete: Bool { upTo == sent }
  }

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var progress: [(stream: StreamKey, progress: Progress)] = []

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let (device, stream) = state.answered(record), device.isHost else { return }
    for frame in stream.newest where frame.kind == .message {
      guard let packet = try? BeamPacket(decoding: frame.body) else { continue }
      judge(packet, stream, record)
    }
  }

  private func judge(_ packet: BeamPacket, _ stream: BeamStream, _ record: TraceRecord) {
    let key = StreamKey(device: stream.owner.index, generation: stream.owner.generation, id: stream.id)
    let place = progress.firstIndex { $0.stream == key } ?? progress.count
    if place == progress.count { progress.append((key, Progress())) }
    var now = progress[place].progress
    defer { progress[place].progress = now }
    switch packet {
    case .fullHistory(let history):
      if now.isComplete, now.upTo != nil {
        return ledger.fail(record, expected: "one history on a stream", actual: "another history")
      }
      for chunk in history.chunks {
        if chunk.sequence != now.sent + 1 {
          ledger.fail(record, expected: "chunk \(now.sent + 1) of the history", actual: "chunk \(chunk.sequence)")
        }
        now.sent = chunk.sequence
      }
      now.upTo = history.upToSequence
      if now.isComplete { stream.openSince = record.instant }
      ledger.judged += 1
    case .liveChunk(let chunk):
      guard now.isComplete else {
        return ledger.fail(
          record, expected: "the history first", actual: "a live chunk with the number \(chunk.sequence)")
      }
      if chunk.sequence != now.sent + 1 {
        ledger.fail(record, expected: "a chunk with the number \(now.sent + 1)", actual: "number \(chunk.sequence)")
      } else {
        ledger.judged += 1
      }
      if chunk.isFinal { now.sent = chunk.sequence }
    case .alert:
      if now.isComplete {
        ledger.judged += 1
      } else {
        ledger.fail(record, expected: "the history first", actual: "an alert")
      }
    }
  }
}

/// Names a stream in a run, whatever became of it.
struct StreamKey: Hashable {
  var device: Int
  var generation: Int
  var id: ConnectionID
}

extension BeamRunState {
  /// The device and stream of an answer of the platform to something that was sent.
  func answered(_ record: TraceRecord) -> (BeamDevice, BeamStream)? {
    guard case .input(.network(.submitted(let id, true))) = record.event, let device = device(of: record),
      let stream = device.stream(id)
    else { return nil }
    return (device, stream)
  }
}

/// Nothing is sent within 4 s after a stream became ready.
package final class NothingBeforeTheGate: BeamOracle {
  package static let id = "NothingBeforeTheGate"
  package static let claim = "No octet is sent on a stream within 4 s after it became ready."
  package static let clause = "BEAM 5.4.2"
  package static let interests: [TraceKind] = [.networkEffect]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard case .effect(.network(.send(let id, _))) = record.event, let device = state.device(of: record),
      device.isHost, device.dialect == .beamNetwork, let stream = device.stream(id)
    else { return }
    let age = record.instant - stream.readyAt
    if age >= Bounds.gate {
      ledger.judged += 1
    } else {
      ledger.fail(
        record, expected: "nothing before \(stream.readyAt + Bounds.gate) s, 4 s after ready",
        actual: "something was sent \(age) s after ready")
    }
  }
}

/// What a host sends is frames and nothing else.
package final class FramesAreWhole: BeamOracle {
  package static let id = "FramesAreWhole"
  package static let claim =
    "What a host sends on a stream is frames and nothing else, each with the length of its body."
  package static let clause = "BEAM 3.1"
  package static let interests: [TraceKind] = [.networkInput]

  package let ledger = makeLedger()
  private let state: BeamRunState
  private var accused: [StreamKey] = []

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let (device, stream) = state.answered(record), device.isHost else { return }
    let key = StreamKey(device: device.index, generation: device.generation, id: stream.id)
    if accused.contains(key) { return }
    if let problem = stream.sent.problem {
      accused.append(key)
      return ledger.fail(record, expected: "the length of a body", actual: problem)
    }
    for frame in stream.newest where frame.kind == .message {
      guard frame.body.first == UInt8(ascii: "{"), frame.body.last == UInt8(ascii: "}") else {
        accused.append(key)
        return ledger.fail(
          record, expected: "a body that is one JSON object",
          actual: "\(frame.body.count) octets that are none, where the lengths before them lead")
      }
      ledger.judged += 1
    }
  }
}

/// No body is empty or longer than 1 MiB.
package final class FramesWithinLimit: BeamOracle {
  package static let id = "FramesWithinLimit"
  package static let claim = "No body is empty or longer than 1 MiB."
  package static let clause = "BEAM 3.3"
  package static let interests: [TraceKind] = [.networkInput]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let (device, stream) = state.answered(record), device.isHost else { return }
    for frame in stream.newest where frame.kind == .message {
      if frame.body.count > BeamLimits.body {
        ledger.fail(record, expected: "at most \(BeamLimits.body) octets", actual: "\(frame.body.count) octets")
      } else {
        ledger.judged += 1
      }
    }
  }
}

/// Every body is the canonical text of a packet.
package final class PacketsAreCanonical: BeamOracle {
  package static let id = "PacketsAreCanonical"
  package static let claim = "Every body is the canonical text of a packet."
  package static let clause = "BEAM 4.1"
  package static let interests: [TraceKind] = [.networkInput]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let (device, stream) = state.answered(record), device.isHost, stream.sent.problem == nil else { return }
    for frame in stream.newest where frame.kind == .message {
      // What is no object is a matter of frames.
      guard frame.body.first == UInt8(ascii: "{"), frame.body.last == UInt8(ascii: "}") else { continue }
      do {
        _ = try BeamPacket(decoding: frame.body)
      } catch {
        ledger.fail(record, expected: "a packet", actual: "\(error)")
        continue
      }
      if let problem = CanonicalForm.problem(frame.body) {
        ledger.fail(record, expected: "the canonical text of a packet", actual: problem)
      } else {
        ledger.judged += 1
      }
    }
  }
}

/// No guest sends on a stream.
package final class GuestsSendNothing: BeamOracle {
  package static let id = "GuestsSendNothing"
  package static let claim = "No guest sends on a stream."
  package static let clause = "BEAM 1.2"
  package static let interests: [TraceKind] = [.networkEffect, .networkInput]

  package let ledger = makeLedger()
  private let state: BeamRunState

  package init(state: BeamRunState) { self.state = state }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), !device.isHost, device.dialect == .beamNetwork else { return }
    switch record.event {
    case .effect(.network(.send(_, let octets))):
      ledger.fail(record, expected: "nothing from a guest", actual: "\(octets.count) octets")
    case .input(.network(.received)): ledger.judged += 1
    default: break
    }
  }
}
