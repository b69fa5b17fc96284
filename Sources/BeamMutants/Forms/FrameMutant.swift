import AppSeam
import BeamScribe
import SimKernel

/// A reference host whose frames are changed on their way out. It does the sending itself: the inner engine sees a
/// platform that takes everything.
final class FrameMutant: AppEngine {
  /// What goes out in place of a body, each with what comes before it on the stream.
  typealias Rewriting = @Sendable (_ body: [UInt8], ConnectionID, inout SeamNotes) -> [[UInt8]]
  typealias Framing = @Sendable (_ body: [UInt8], Frame.Format) -> [UInt8]

  private struct Queue {
    var reader: FrameReader
    /// What waits, in pieces of at most `SeamNotes.configuration.sendOctets`; the first is part of a frame that has
    /// begun if `isWithinFrame`.
    var pieces: [[UInt8]] = []
    var isWaiting = false
    var isWithinFrame = false
    /// The inner engine has asked for the end.
    var isFinished = false
  }

  private let inner: any AppEngine
  private let rewriting: Rewriting
  private let framing: Framing
  private let mixes: Bool
  private let format: Frame.Format
  private var notes: SeamNotes
  private var queues: [ConnectionID: Queue] = [:]

  /// - Parameter mixes: a new frame goes out before the rest of one that is half taken.
  init(
    _ configuration: BeamConfiguration, _ inner: any AppEngine, mixes: Bool, framing: @escaping Framing,
    rewriting: @escaping Rewriting
  ) {
    self.inner = inner
    self.rewriting = rewriting
    self.framing = framing
    self.mixes = mixes
    format = configuration.isMPC ? .kindAndLength : .length
    notes = SeamNotes(configuration)
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    notes.now = now
    notes.follow(input)
    var effects: [AppEffect] = []
    var inputs = [input]
    switch input {
    case .network(.submitted(let id, let isTaken)):
      answered(id, isTaken, &effects)
      return effects
    case .network(.room(let id)):
      queues[id]?.isWaiting = false
      send(id, &effects)
      return effects
    case .user(let action):
      switch action.beam {
      case .speakPartial: notes[-1] = 1
      case .speakFinal: notes[-1] = 0
      case .batteryLow: notes[-2] = 1
      case .batteryOK: notes[-2] = 0
      default: break
      }
    default: break
    }
    while let next = inputs.first {
      inputs.removeFirst()
      for effect in inner.handle(next, at: now) {
        notes.follow(effect)
        switch effect {
        case .network(.send(let id, let octets)):
          take(id, octets)
          send(id, &effects)
          inputs.append(.network(.submitted(id, accepted: true)))
        case .network(.finish(let id)) where !(queues[id]?.pieces.isEmpty ?? true): queues[id]?.isFinished = true
        case .network(.cancel(let id)):
          queues[id] = nil
          effects.append(effect)
        default: effects.append(effect)
        }
      }
    }
    return effects
  }

  private func take(_ id: ConnectionID, _ octets: [UInt8]) {
    var queue = queues[id] ?? Queue(reader: FrameReader(format, limit: .max))
    var rest = octets[...]
    while let frame = try? queue.reader.next(&rest) {
      let bodies = frame.kind == .message ? rewriting(frame.body, id, &notes) : []
      var written = bodies.map { framing($0, format) }
      if frame.kind != .message { written = [frame.encoded(format)] }
      for octets in written { append(octets, to: &queue) }
    }
    queues[id] = queue
  }

  private func append(_ frame: [UInt8], to queue: inout Queue) {
    var pieces: [[UInt8]] = []
    var start = 0
    while start < frame.count {
      let end = min(start + notes.configuration.sendOctets, frame.count)
      pieces.append(Array(frame[start..<end]))
      start = end
    }
    if mixes, queue.isWithinFrame {
      queue.pieces.insert(contentsOf: pieces, at: 0)
    } else {
      queue.pieces += pieces
    }
  }

  private func send(_ id: ConnectionID, _ effects: inout [AppEffect]) {
    guard let queue = queues[id], !queue.isWaiting else { return }
    guard let piece = queue.pieces.first else {
      if queue.isFinished {
        queues[id]?.isFinished = false
        effects.append(.network(.finish(id)))
      }
      return
    }
    queues[id]?.isWaiting = true
    effects.append(.network(.send(id, octets: piece)))
  }

  private func answered(_ id: ConnectionID, _ isTaken: Bool, _ effects: inout [AppEffect]) {
    // Not taken: `room` says when to try again.
    guard isTaken, queues[id] != nil else { return }
    if let piece = queues[id]?.pieces.first {
      queues[id]?.pieces.removeFirst()
      queues[id]?.isWithinFrame = piece.count == notes.configuration.sendOctets
    }
    queues[id]?.isWaiting = false
    send(id, &effects)
  }
}
