import AppSeam
import BeamScribe
import SimKernel

/// A reference guest that hears other frames than those that came. A piece becomes the frames that it completes, and
/// what is left of it.
final class ReadingMutant: AppEngine {
  /// What the inner engine hears in place of the frames of a piece.
  typealias Reading = @Sendable (_ bodies: [[UInt8]], ConnectionID, inout SeamNotes) -> [[UInt8]]

  private let inner: any AppEngine
  private let reading: Reading
  /// Also called with the octets of a frame that had begun when the other end went.
  private let ending: Reading
  private let format: Frame.Format
  private var notes: SeamNotes
  private var readers: [ConnectionID: FrameReader] = [:]
  private var begun: [ConnectionID: [UInt8]] = [:]

  init(
    _ configuration: BeamConfiguration, _ inner: any AppEngine, reading: @escaping Reading,
    ending: @escaping Reading = { _, _, _ in [] }
  ) {
    self.inner = inner
    self.reading = reading
    self.ending = ending
    format = configuration.isMPC ? .kindAndLength : .length
    notes = SeamNotes(configuration)
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    notes.now = now
    notes.follow(input)
    var effects: [AppEffect] = []
    for passed in rewrite(input) + notes.fed {
      notes.fed = []
      for effect in inner.handle(passed, at: now) {
        notes.follow(effect)
        effects.append(effect)
      }
      effects += notes.added
      notes.added = []
    }
    effects += notes.added
    notes.added = []
    return effects
  }

  private func rewrite(_ input: AppInput) -> [AppInput] {
    switch input {
    case .network(.received(let id, let octets)): return heard(id, octets)
    case .network(.ended(let id)):
      let rest = begun[id] ?? []
      if rest.count > 4 {
        let bodies = ending([Array(rest.dropFirst(format == .length ? 4 : 5))], id, &notes)
        return bodies.map { piece(id, Frame(body: $0).encoded(format)) } + [input]
      }
      return [input]
    default: return [input]
    }
  }

  private func piece(_ id: ConnectionID, _ octets: [UInt8]) -> AppInput {
    .network(.received(id, octets: octets))
  }

  /// Whole frames go through `reading`; other kinds, lengths that are wrong and the beginning of a frame go unchanged.
  private func heard(_ id: ConnectionID, _ octets: [UInt8]) -> [AppInput] {
    var reader = readers[id] ?? FrameReader(format)
    var held = (begun[id] ?? []) + octets
    var rest = octets[...]
    var bodies: [[UInt8]] = []
    var result: [AppInput] = []
    do {
      while let frame = try reader.next(&rest) {
        held.removeFirst(min(held.count, frame.encoded(format).count))
        if frame.kind == .message { bodies.append(frame.body) } else { result.append(piece(id, frame.encoded(format))) }
      }
    } catch {
      readers[id] = reader
      let good = reading(bodies, id, &notes).map { piece(id, Frame(body: $0).encoded(format)) }
      begun[id] = []
      return result + good + (held.isEmpty ? [] : [piece(id, held)])
    }
    readers[id] = reader
    begun[id] = held
    return result + reading(bodies, id, &notes).map { piece(id, Frame(body: $0).encoded(format)) }
  }
}
