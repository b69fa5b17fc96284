import BeamScribe
import CaptureCheck
import SimKernel

/// What a host has spoken and raised, as far as its packets tell: who sends a final has spoken it, and what goes to one
/// guest is for all (BEAM 5.5.3, 5.7.2).
///
/// Every stream of a host sends what is broadcast in the order in which it was broadcast, so that a final on a stream
/// shows what was to come before it there, however slow the stream is.
struct HostStory {
  /// Numbers that are skipped at once, where octets are missing; more are not filled up.
  static let longestJump = 1_000_000

  enum Event {
    case report(BeamReport)
    /// The event is over, and another one has begun.
    case newSession
    /// There are so many finals at least, and the newest of them are not known.
    case spoken(count: Int)
    /// The text of a final that was spoken before.
    case text(number: Int, String)
  }

  /// What one stream has sent.
  struct Stream {
    var session: Int?
    /// The newest final; nil: not known.
    var number: Int?
    fileprivate var upTo: Int?
    fileprivate(set) var isOpen = false
    /// Nothing but alerts has followed the history: they may be owed to this guest alone (BEAM 5.7.1, 5.7.3).
    fileprivate var isSeam = false
    fileprivate var isLost = false
    /// Those that came at the seam, each with the newest final before it: any may be a later raise that is for all.
    fileprivate var seamAlerts: [(alert: BeamAlert, number: Int?)] = []
    /// Its first octet.
    var openedAt: SimInstant?
    /// Equal for streams that leave the host by one address.
    var path = 0
    var isOver = false
    /// It did without an alert, or a final, that others were sent before what it was sent later.
    fileprivate(set) var missesAlert = false
    fileprivate(set) var missesFinal = false
    /// Its history lacks a final that another guest was sent long before (BEAM 5.4.7).
    fileprivate(set) var hasOldHistory = false

    /// Its first live final is not the one after its history.
    fileprivate(set) var leavesFinalsOut = false
    /// It began with an empty history while others were sent finals. Whether that is a new session or an error of its
    /// host, no final of its own has shown.
    fileprivate(set) var isUndecided = false

    /// Octets of it are missing: an alert on it may be one that others had before.
    fileprivate var hasLost = false

    mutating func lose() {
      isLost = true
      hasLost = true
      number = nil
    }
  }

  private struct Raise {
    var alert: BeamAlert
    /// The newest final before it.
    var number: Int
    /// Streams that are to be sent it.
    var waiting: [Int]
    /// Streams that had it at their seam, or had one there that was theirs alone and are still to be sent this one.
    var perhaps: [Int]
    /// Streams that were sent it.
    var told: [Int]

    /// Whether a stream that has come to so many finals may be sent it now: it may have been too late with its history
    /// to be waited for.
    func isDue(on place: Int, after number: Int?) -> Bool {
      waiting.contains(place) || perhaps.contains(place) || number == self.number && !told.contains(place)
    }
  }

  private(set) var session = 0
  /// Which session something belongs to is not known for certain.
  private(set) var isConfused = false
  private var texts: [String?] = []
  /// When each final was first sent to anybody, and by which path.
  private var firstSent: [(at: SimInstant, path: Int)] = []
  private var raises: [Raise] = []
  /// The end of the event was announced.
  private var hasEnded = false
  private var isNew = true

  /// A packet that a stream sends.
  /// - Parameters:
  ///   - streams: all of this host.
  ///   - place: of the stream among them.
  ///   - isCertain: no octet of this host is missing.
  mutating func take(
    _ packet: BeamPacket, _ place: Int, _ streams: inout [Stream], isCertain: Bool, isSlow: (Int) -> Bool,
    at now: SimInstant
  ) -> [Event] {
    var events: [Event] = []
    if streams[place].session == nil {
      let isShort = !isNew && self.isShort(packet)
      let isOther = !isNew && (isShort || says(packet, asOthers: false))
      if isOther, !isCertain || hasEnded || !goesOn(streams, without: place, isSlow) {
        (texts, firstSent, raises, hasEnded) = ([], [], [], false)
        session += 1
        events.append(.newSession)
      } else {
        streams[place].isUndecided = isShort && !says(packet, asOthers: true)
      }
      isNew = false
      streams[place].session = session
    }
    guard streams[place].session == session else {
      // A session that was taken for over goes on.
      if case .liveChunk = packet { isConfused = true }
      return events
    }
    switch packet {
    case .fullHistory(let history): events += take(history, &streams[place], at: now)
    case .liveChunk(let chunk): events += take(chunk, place, &streams, at: now)
    case .alert(let alert): events += take(alert, place, &streams)
    }
    return events
  }

  // A stream's first packet is of another session than the newest where it differs, or has less, and no stream of that
  // session is left that could say otherwise: what differs while one goes on is an error of the host.

  /// Whether it ends before what others were sent.
  private func isShort(_ packet: BeamPacket) -> Bool {
    switch packet {
    case .fullHistory(let history): history.upToSequence < texts.count
    case .liveChunk(let chunk): chunk.sequence < texts.count
    case .alert: false
    }
  }

  /// Whether one of its finals is known, with the text that others were sent or with another.
  private func says(_ packet: BeamPacket, asOthers isSame: Bool) -> Bool {
    switch packet {
    case .fullHistory(let history): history.chunks.contains { isKnown($0.sequence, as: $0.text) == isSame }
    case .liveChunk(let chunk): chunk.isFinal && isKnown(chunk.sequence, as: chunk.text) == isSame
    case .alert: false
    }
  }

  /// Nil: the text of this final is not known.
  private func isKnown(_ number: Int, as text: String) -> Bool? {
    guard texts.indices.contains(number - 1), let known = texts[number - 1] else { return nil }
    return known.isSame(as: text)
  }

  private func goesOn(_ streams: [Stream], without place: Int, _ isSlow: (Int) -> Bool) -> Bool {
    streams.indices.contains { other in
      other != place && streams[other].session == session && !streams[other].isOver && !isSlow(other)
    }
  }

  // MARK: Finals

  private mutating func take(_ history: BeamPacket.History, _ stream: inout Stream, at now: SimInstant) -> [Event] {
    if !stream.isOpen, stream.upTo == nil, let opened = stream.openedAt, firstSent.count > history.upToSequence {
      let missing = firstSent[history.upToSequence]
      let margin = missing.path == stream.path ? Bounds.capturedOnOnePath : Bounds.capturedInOrder
      stream.hasOldHistory = missing.at < opened && opened - missing.at >= margin
    }
    stream.upTo = history.upToSequence
    var events: [Event] = []
    for chunk in history.chunks { events += speak(chunk.sequence, chunk.text, stream.path, at: now) }
    let end = history.chunks.last?.sequence ?? history.upToSequence
    stream.number = end
    stream.isLost = false
    if end >= history.upToSequence {
      stream.isOpen = true
      stream.isSeam = true
    }
    return events
  }

  private mutating func take(
    _ chunk: BeamPacket.LiveChunk, _ place: Int, _ streams: inout [Stream], at now: SimInstant
  ) -> [Event] {
    if chunk.sequence > streams[place].upTo ?? 0 { streams[place].isSeam = false }
    if streams[place].isLost {
      streams[place].isLost = false
      streams[place].isOpen = true
      streams[place].number = chunk.isFinal ? chunk.sequence : chunk.sequence - 1
      for index in raises.indices {
        raises[index].waiting.removeAll { $0 == place }
        raises[index].perhaps.removeAll { $0 == place }
      }
    }
    guard chunk.isFinal else { return [] }
    let isNext = chunk.sequence == (streams[place].upTo ?? 0) + 1
    if streams[place].isUndecided, isKnown(chunk.sequence, as: chunk.text) ?? !isNext {
      streams[place].isUndecided = false
    }
    if streams[place].isOpen, !streams[place].hasLost, let upTo = streams[place].upTo, streams[place].number == upTo,
      chunk.sequence > upTo + 1
    {
      streams[place].leavesFinalsOut = true
    }
    streams[place].number = chunk.sequence
    for index in raises.indices where raises[index].number < chunk.sequence {
      raises[index].perhaps.removeAll { $0 == place }
      guard raises[index].waiting.contains(place) else { continue }
      raises[index].waiting.removeAll { $0 == place }
      streams[place].missesAlert = true
    }
    return speak(chunk.sequence, chunk.text, streams[place].path, at: now)
  }

  private mutating func speak(_ number: Int, _ text: String, _ path: Int, at now: SimInstant) -> [Event] {
    var events: [Event] = []
    if number > texts.count + 1 {
      guard number - texts.count <= Self.longestJump else { return [] }
      let unknown = number - 1 - texts.count
      texts += Array(repeating: nil, count: unknown)
      firstSent += Array(repeating: (.distantFuture, path), count: unknown)
      events.append(.spoken(count: number - 1))
    }
    if number == texts.count + 1 {
      texts.append(text)
      firstSent.append((now, path))
      events.append(.report(.finalShown(sequence: number, text: text)))
    } else if number > 0, texts[number - 1] == nil {
      texts[number - 1] = text
      events.append(.text(number: number, text))
    }
    return events
  }

  // MARK: Alerts

  private mutating func take(_ alert: BeamAlert, _ place: Int, _ streams: inout [Stream]) -> [Event] {
    if alert == .hostDisconnected { hasEnded = true }
    if alert == .sessionResumed { return [] }
    let newest = streams[place].number
    if let known = raises.firstIndex(where: { $0.alert == alert && $0.isDue(on: place, after: newest) }) {
      raises[known].told.append(place)
      if raises[known].perhaps.contains(place) { streams[place].seamAlerts.append((alert, streams[place].number)) }
      raises[known].perhaps.removeAll { $0 == place }
      raises[known].waiting.removeAll { $0 == place }
      for index in 0..<known where raises[index].waiting.contains(place) {
        raises[index].waiting.removeAll { $0 == place }
        streams[place].missesAlert = true
      }
      if let number = streams[place].number, number < raises[known].number { streams[place].missesFinal = true }
      return []
    }
    if streams[place].isSeam, alert != .hostDisconnected {
      streams[place].seamAlerts.append((alert, streams[place].number))
      return []
    }
    guard !streams[place].hasLost, let number = streams[place].number else { return [] }
    var waiting = streams.indices.filter { other in
      other != place && streams[other].session == session && streams[other].isOpen && !streams[other].isOver
        && !streams[other].isLost
    }
    var perhaps: [Int] = []
    waiting.removeAll { other in
      let seam = streams[other].seamAlerts.firstIndex { $0.alert == alert && $0.number ?? 0 >= number }
      guard let seam else { return false }
      // Where the history has a later final, the alert came with it, and it was opened after this raise.
      if streams[other].seamAlerts[seam].number == number {
        streams[other].seamAlerts.remove(at: seam)
        if streams[other].number == number { perhaps.append(other) }
      }
      return true
    }
    raises.append(Raise(alert: alert, number: number, waiting: waiting, perhaps: perhaps, told: [place]))
    return [.report(.alertRaised(alert.rawValue))]
  }
}
