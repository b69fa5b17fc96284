/// Connection events of one connection, from the times of its PDUs.
///
/// Spec: Core v5.4, Vol 6, Part B, 4.5.1 to 4.5.3 and 5.1.1. Times are nanoseconds. Simplified: clocks are taken to
/// be within 100 ppm of the sniffer's; without an event counter an update takes effect at once instead of at its
/// instant.
struct AirClock {
  /// Farthest that a PDU may be from its place on the time grid, before drift.
  static let tolerance: Int64 = 100_000
  /// Silence in a connection event after which nothing of it can follow: an answer of the longest PDU was missed.
  var longestSilence: Int64 {
    guard isCoded else { return 2_600_000 }
    return interval == 0 ? 17_600_000 : max(2_600_000, min(17_600_000, interval - 3_000_000))
  }
  /// A PDU of the link was on LE Coded: all may be longer from then on.
  var isCoded = false
  private static let unit: Int64 = 1_250_000

  struct Update {
    var windowOffset: UInt16
    var windowSize: UInt8
    var interval: UInt16
    var latency: UInt16
    var timeout: UInt16
    var instant: UInt16
  }

  /// Nanoseconds; 0: unknown.
  private(set) var interval: Int64 = 0
  /// Events since the first one, without wrapping, if `countsFromStart`; else some number whose low 16 bits count.
  private(set) var counter: Int?
  private(set) var countsFromStart = false
  /// The anchor of event `counter`.
  private(set) var anchor: Int64?
  /// The anchor is a guess, because the first PDU of its event was not heard.
  private var isLoose = false
  /// It is the only one so far that was heard.
  private var isUnconfirmed = false
  /// Events since an anchor was heard.
  private var unseenAnchors = 0
  /// Where the next anchor is looked for, and the counter it has then.
  private var window: (start: Int64, counter: Int)?
  private(set) var pending: Update?
  /// Events from that of the PDU before to that of the newest; nil: not counted.
  private(set) var step: Int?

  /// Start and length of the newest PDU.
  private(set) var lastStart: Int64?
  private var lastDuration: Int64 = 0
  /// That of the PDU that is looked at, and of the one before; nil: not told.
  var channel: UInt8?
  private var lastChannel: UInt8?
  private var lastFromCentral: Bool?
  /// Votes for times that are those of a PDU's end; the format says start, and not every sniffer keeps to it.
  private var endVotes = 0

  /// - Parameter transmitWindow: where the transmit window of the first event starts.
  mutating func begin(interval units: UInt16, transmitWindow: Int64) {
    interval = Int64(units) * Self.unit
    counter = nil
    countsFromStart = true
    window = interval > 0 ? (transmitWindow, 0) : nil
  }

  /// Takes over an interval that is known from before a silence; events are not counted.
  mutating func resume(interval units: UInt16) { interval = Int64(units) * Self.unit }

  mutating func schedule(_ update: Update) { pending = update }

  static func transmitWindow(connectEnd: Int64, delayUnits: Int64, offset: UInt16) -> Int64 {
    connectEnd + (delayUnits + Int64(offset)) * unit
  }

  /// When a PDU began, by what this sniffer calls its time.
  func start(of time: Int64, duration: Int64) -> Int64 { endVotes > 0 ? time - duration : time }

  /// Whether an anchor is known from which the next ones can be counted.
  var isAnchored: Bool { anchor != nil && window == nil && !isLoose }

  /// Two empty PDUs and T_IFS after them on LE 1M, or on LE Coded with S = 2, less what clocks drift: what comes later
  /// in an event is neither its first PDU nor the answer to that, unless that one had a payload.
  var twoPDUs: Int64 { isCoded ? 1_140_000 : 380_000 }

  /// Whether an event had room for two PDUs before this time.
  func isAfterAnswer(_ start: Int64) -> Bool {
    guard isAnchored, let place = place(start) else { return false }
    return place.offset > max(twoPDUs, place.slack)
  }

  /// How a PDU stands to the one before it.
  enum Spacing {
    /// T_IFS after it: the other side's answer.
    case answer
    /// Later in what may be the same event: something between is missing.
    case later
    /// In another event, or the first of all.
    case apart
  }

  func spacing(of start: Int64) -> Spacing {
    guard let lastStart else { return .apart }
    let idle = start - lastStart - lastDuration
    if isOutOfOrder(start) { return .apart }
    if idle <= 250_000 { return .answer }
    return idle <= longestSilence && !hasHopped ? .later : .apart
  }

  /// A record after one of a later time, or the clock was set back.
  func isOutOfOrder(_ start: Int64) -> Bool { lastStart.map { start < $0 } ?? false }

  /// The PDUs of one event are all on one channel (4.5.1).
  private var hasHopped: Bool {
    guard let channel, let lastChannel else { return false }
    return channel != lastChannel
  }

  /// Whether a PDU has the place of an answer, on another channel than what it answers: records are not in their order.
  func isAnswerElsewhere(_ start: Int64) -> Bool { hasHopped && spacing(of: start) == .answer }

  /// Silence between the end of the newest PDU and a time; 0 before the first one.
  func idle(before start: Int64) -> Int64 { lastStart.map { start - $0 - lastDuration } ?? 0 }

  /// Which event a time falls into: events after the reference, and the distance from the anchor there.
  func place(_ start: Int64) -> (events: Int, offset: Int64, slack: Int64)? {
    guard interval > 0, let reference = window?.start ?? anchor else { return nil }
    let distance = start - reference
    let slack = min(Self.tolerance + abs(distance) / 10_000, interval / 4)
    if distance < -slack { return nil }
    let events = (distance + slack) / interval
    return (Int(events), distance - events * interval, slack)
  }

  /// Takes a PDU, and moves on to its event.
  ///
  /// - Parameters:
  ///   - stated: the event counter, when the file has it.
  ///   - fromCentral: nil: not known.
  /// - Returns: whether it is the first of its event.
  mutating func hear(time: Int64, duration: Int64, fromCentral: Bool?, stated: UInt16?) -> Bool {
    if fromCentral == nil || fromCentral != lastFromCentral { vote(time: time, duration: duration) }
    let start = start(of: time, duration: duration)
    let spacing = spacing(of: start)
    defer {
      lastStart = start
      lastDuration = duration
      lastChannel = channel
      lastFromCentral = fromCentral
    }
    step = nil
    if let stated { return hear(start, counter: stated, fromCentral) }
    if let lastStart, start < lastStart - longestSilence { loseCount() }
    guard let place = place(start) else {
      if interval > 0, anchor == nil, window == nil, fromCentral == true { anchor = start }
      return spacing == .apart
    }
    if let window {
      step = window.counter + place.events - (counter ?? -1)
      counter = window.counter + place.events
      anchor = fromCentral == true ? start : start - 230_000
      isLoose = fromCentral != true || spacing != .apart
      // Sniffers that missed the central's PDU call its answer the central's, too.
      isUnconfirmed = true
      self.window = nil
      return true
    }
    var (events, offset, slack) = place
    if isLoose || isUnconfirmed, spacing == .apart, fromCentral == true, offset > interval / 2 {
      events += 1
      offset -= interval
    }
    step = events
    if events == 0 { return false }
    if let counter { self.counter = counter + events }
    moveAnchor(to: start, offset: offset, slack: slack, fromCentral)
    return true
  }

  /// Time ran backwards: events are no longer counted.
  private mutating func loseCount() {
    counter = nil
    window = nil
    anchor = nil
  }

  private mutating func moveAnchor(to start: Int64, offset: Int64, slack: Int64, _ fromCentral: Bool?) {
    if fromCentral == true, offset <= slack {
      anchor = start
      isLoose = false
      isUnconfirmed = false
      unseenAnchors = 0
      return
    }
    unseenAnchors += 1
    // The central's PDU in front of an answer took 44 … 2120 µs, 17 040 µs on LE Coded, and T_IFS after it. For a
    // central that is never heard this alone keeps drift from adding up.
    let earliest = unseenAnchors > 50 && fromCentral == false ? start - longestSilence + 180_000 : start - offset
    anchor = min(max(start - offset, earliest), start - 190_000)
  }

  private mutating func hear(_ start: Int64, counter stated: UInt16, _ fromCentral: Bool?) -> Bool {
    let reference = counter ?? window.map { $0.counter }
    let isNew = counter == nil || UInt16(truncatingIfNeeded: counter ?? 0) != stated
    let before = counter ?? (countsFromStart ? -1 : nil)
    step = before.map { Int(stated &- UInt16(truncatingIfNeeded: $0)) }
    if let reference {
      counter = reference + Int(stated &- UInt16(truncatingIfNeeded: reference))
    } else {
      counter = Int(stated)
    }
    window = nil
    if isNew { anchor = fromCentral == true ? start : start - 230_000 }
    return isNew
  }

  /// Whether an instant has come (5.5.1); true when events are not counted.
  func hasReached(_ instant: UInt16) -> Bool {
    guard let counter else { return window == nil }
    return Int16(bitPattern: UInt16(truncatingIfNeeded: counter) &- instant) >= 0
  }

  /// Begins the new interval if a PDU at this time can no longer belong to the old one.
  ///
  /// - Returns: the update that is now in force.
  mutating func applyUpdate(at time: Int64, stated: UInt16?) -> Update? {
    guard let update = pending else { return nil }
    if let stated {
      if Int16(bitPattern: stated &- update.instant) < 0 { return nil }
    } else if let counter, let anchor {
      let steps = Int64(Int16(bitPattern: update.instant &- UInt16(truncatingIfNeeded: counter)))
      let start = anchor + max(0, steps) * interval + Int64(update.windowOffset) * Self.unit
      let slack = min(Self.tolerance + abs(start - anchor) / 10_000, interval / 4)
      if time + slack < start { return nil }
      if steps >= 0 { window = (start, counter + Int(steps)) }
    } else {
      anchor = nil
    }
    pending = nil
    interval = Int64(update.interval) * Self.unit
    return update
  }

  /// Two PDUs T_IFS apart whose lengths differ tell whether times are those of the start or the end.
  private mutating func vote(time: Int64, duration: Int64) {
    guard let lastStart, lastDuration != duration, abs(endVotes) < 64 else { return }
    let lastTime = endVotes > 0 ? lastStart + lastDuration : lastStart
    let asStarts = abs(time - lastTime - lastDuration - 150_000)
    let asEnds = abs(time - lastTime - duration - 150_000)
    if min(asStarts, asEnds) > 50_000 { return }
    endVotes += asEnds < asStarts ? 1 : -1
  }
}
