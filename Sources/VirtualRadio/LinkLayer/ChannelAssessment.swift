import BluetoothWire
import SimKernel

/// What a central has learned about the 37 data channels of one link. The specification leaves the method to the
/// controller (Vol 6, Part B, 4.5.8.1); every value here is a decision, see Docs/Fidelity.md.
///
/// An event fails when the central could not read all that came in it, or when nothing came. Failures are counted for
/// each channel in windows of sixteen events a channel.
struct ChannelAssessment {
  private static let channels = 37
  /// Events of a window for each channel in use.
  static let eventsPerChannel = 16
  /// Failures of sixteen that make a channel bad, a quarter; more where the best channels fail as well.
  static let threshold = 4
  /// Channels that stay in use, however bad they are.
  static let fewestChannels = 8
  /// After this time a bad channel is tried again.
  static let exclusion = SimDuration.seconds(30)

  private var failures = [Int](repeating: 0, count: Self.channels)
  private var eventsLeft = 0
  private var badUntil = [SimInstant](repeating: .zero, count: Self.channels)

  /// Takes one event into account.
  /// - Parameters:
  ///   - channel: the data channel index of the event.
  ///   - used: channels in use, one bit each.
  /// - Returns: at the end of a window the channels that should be in use from now on, else nil.
  mutating func note(channel: Int, failed: Bool, used: UInt64, now: SimInstant) -> UInt64? {
    if eventsLeft == 0 { begin(used: used) }
    if failed { failures[channel] += 1 }
    eventsLeft -= 1
    assert(eventsLeft >= 0, "a window ends with its last event")
    return eventsLeft == 0 ? judge(used: used, now: now) : nil
  }

  /// Events that can pass before one of them ends a window.
  func eventsBeforeJudgement(used: UInt64) -> Int {
    (eventsLeft == 0 ? Self.eventsPerChannel * used.nonzeroBitCount : eventsLeft) - 1
  }

  /// Takes so many events into account in which nothing failed.
  /// - Precondition: no more than `eventsBeforeJudgement`.
  mutating func pass(_ events: Int, used: UInt64) {
    if eventsLeft == 0 { begin(used: used) }
    eventsLeft -= events
    assert(eventsLeft > 0, "no window ends within skipped events")
  }

  private mutating func begin(used: UInt64) {
    eventsLeft = Self.eventsPerChannel * used.nonzeroBitCount
    for index in failures.indices { failures[index] = 0 }
  }

  /// The channels that are not bad, one bit each.
  func good(at now: SimInstant) -> UInt64 {
    badUntil.indices.reduce(0) { badUntil[$1] > now ? $0 : $0 | 1 << UInt64($1) }
  }

  /// Judges the channels that were in use, and lets those return whose time is over.
  private mutating func judge(used: UInt64, now: SimInstant) -> UInt64 {
    // The worst come first.
    let inUse = failures.indices.filter { used >> $0 & 1 == 1 }.sorted { (failures[$1], $0) < (failures[$0], $1) }
    let best = inUse.suffix(Self.fewestChannels)
    // Loss that hits all channels alike excludes none: a bad one fails three times as often as the best.
    let limit = max(Self.threshold, 2 + 3 * best.reduce(0) { $0 + failures[$1] } / max(1, best.count))
    for channel in inUse.dropLast(Self.fewestChannels) where failures[channel] >= limit {
      badUntil[channel] = now + Self.exclusion
    }
    return good(at: now)
  }
}
