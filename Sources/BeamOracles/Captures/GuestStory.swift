import BeamScribe

/// What a guest that keeps every clause shows of what it is sent (BEAM 5.5 to 5.7). What its screen really shows no
/// capture has.
///
/// The texts that it was sent are kept, so that a history of another session is known as such (BEAM 5.6.8).
struct GuestStory {
  /// One of its streams.
  struct Stream {
    fileprivate(set) var isComplete = false
    fileprivate var upTo: Int?
    /// Its newest final; another stream may have been ahead of it.
    fileprivate var number = 0
    /// Octets of it are missing: the next packet says where it is.
    fileprivate var isLost = false
    /// It was sent what it must refuse; what comes after that is shown by nobody.
    fileprivate var isRefused = false

    mutating func lose() { isLost = true }
  }

  enum Event {
    case report(BeamReport)
    /// So many finals are shown, and nobody knows the newest of them.
    case shown(Int)
  }

  /// By number less one; nil: not known.
  private var texts: [String?] = []

  /// - Parameters:
  ///   - hasOther: another stream of this guest has its history.
  mutating func take(_ packet: BeamPacket, _ stream: inout Stream, hasOther: Bool) -> [Event] {
    if stream.isRefused { return [] }
    switch packet {
    case .fullHistory(let history): return take(history, &stream, hasOther: hasOther)
    case .liveChunk(let chunk): return take(chunk, &stream)
    case .alert(let alert): return [.report(.alertShown(alert.rawValue, isOwn: false))]
    }
  }

  private mutating func take(_ history: BeamPacket.History, _ stream: inout Stream, hasOther: Bool) -> [Event] {
    if stream.isComplete {
      if !stream.isLost { stream.isRefused = true }
      return []
    }
    var events: [Event] = []
    if stream.upTo == nil, history.upToSequence < texts.count, !hasOther { events += clear(keeping: 0) }
    stream.upTo = history.upToSequence
    for chunk in history.chunks {
      guard let shown = show(chunk.sequence, chunk.text, adopts: stream.isLost) else {
        stream.isRefused = true
        return events
      }
      stream.isLost = false
      events += shown
    }
    let end = history.chunks.last?.sequence ?? history.upToSequence
    stream.number = end
    if end >= history.upToSequence {
      stream.isComplete = true
      stream.isLost = false
      events.append(.report(.historyShown(upTo: history.upToSequence)))
    }
    return events
  }

  private mutating func take(_ chunk: BeamPacket.LiveChunk, _ stream: inout Stream) -> [Event] {
    var events: [Event] = []
    if stream.isLost {
      stream.isLost = false
      stream.isComplete = true
      if chunk.sequence > texts.count + 1 { events += adopt(chunk.sequence - 1) }
    }
    guard stream.isComplete, chunk.sequence <= texts.count + 1 else {
      stream.isRefused = true
      return events
    }
    if !chunk.isFinal {
      // One that is the next on its stream, and late because another stream was ahead, is not shown.
      if chunk.sequence == texts.count + 1 || chunk.sequence <= stream.number {
        events.append(.report(.partialShown(sequence: chunk.sequence, text: chunk.text)))
      }
      return events
    }
    stream.number = chunk.sequence
    if chunk.sequence == texts.count + 1 { events += append(chunk.text) }
    return events
  }

  private mutating func append(_ text: String) -> [Event] {
    texts.append(text)
    return [.report(.finalShown(sequence: texts.count, text: text))]
  }

  private mutating func adopt(_ count: Int) -> [Event] {
    // A number that is far away is that of a long session, whose finals before it are not known.
    guard count - texts.count <= HostStory.longestJump else { return [] }
    texts += Array(repeating: nil, count: max(0, count - texts.count))
    return [.shown(texts.count)]
  }

  /// - Returns: nil for a number that is not the next one.
  private mutating func show(_ number: Int, _ text: String, adopts: Bool) -> [Event]? {
    var events: [Event] = []
    if adopts, number > texts.count + 1 { events += adopt(number - 1) }
    if number == texts.count + 1 { return events + append(text) }
    guard number <= texts.count, number > 0 else { return nil }
    if texts[number - 1].map({ $0.isSame(as: text) }) ?? true { return events }
    return events + clear(keeping: number - 1) + append(text)
  }

  /// The history is of another session; what both have is shown again.
  private mutating func clear(keeping count: Int) -> [Event] {
    let kept = texts.prefix(count)
    texts = []
    var events: [Event] = [.report(.transcriptCleared)]
    var unknown = 0
    for text in kept {
      guard let text else {
        unknown += 1
        continue
      }
      if unknown > 0 { events += adopt(texts.count + unknown) }
      unknown = 0
      events += append(text)
    }
    if unknown > 0 { events += adopt(texts.count + unknown) }
    return events
  }
}
