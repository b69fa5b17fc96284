public import SimKernel

/// How long a radio was on, and what for.
///
/// Not modelled: the time in which it starts up and turns round; T_IFS counts for neither direction.
public struct RadioTimes: Hashable, Sendable {
  /// PDUs on the air, all kinds.
  public var transmit = SimDuration.zero
  /// On links and after its own advertising PDUs: the PDUs of the others, the peripheral's receive windows up to them,
  /// and 40 µs where nothing came, 336 µs on LE Coded (preamble and access address; on LE 2M as on LE 1M).
  public var receive = SimDuration.zero
  /// Scan windows of scanning and initiating, without what the radio did otherwise in them.
  public var scan = SimDuration.zero

  public init() {}
}

/// The times of one radio as they grow; integers only.
struct RadioMeter {
  private(set) var times = RadioTimes()
  /// When and where the radio scans, as long as it is on.
  private var tunings = ScanTunings()
  private var since = SimInstant.zero

  /// The radio was busy with something other than scanning.
  /// - Parameter start: when it turned away from scanning, if it was; until `end`.
  @inline(__always)
  mutating func add(transmit: SimDuration, receive: SimDuration, from start: SimInstant, to end: SimInstant) {
    times.transmit += transmit
    times.receive += receive
    if tunings.isOn { times.scan.nanoseconds -= tunings.windows(from: max(start, since), to: end).nanoseconds }
  }

  /// As above, `count` times, each a `step` after the one before.
  mutating func add(
    transmit: SimDuration, receive: SimDuration, from start: SimInstant, to end: SimInstant, step: SimDuration,
    count: Int64
  ) {
    times.transmit += transmit * count
    times.receive += receive * count
    guard tunings.isOn else { return }
    for index in 0..<count {
      add(transmit: .zero, receive: .zero, from: start + step * index, to: end + step * index)
    }
  }

  mutating func tune(_ new: ScanTunings, at now: SimInstant) {
    times = times(at: now)
    tunings = new
    since = now
  }

  func times(at now: SimInstant) -> RadioTimes {
    var times = times
    if tunings.isOn { times.scan += tunings.windows(from: since, to: now) }
    return times
  }

  func scansAs(_ other: ScanTunings) -> Bool { tunings == other }
}

extension Tuning {
  /// How long the receiver is tuned within `start ..< end`; nothing before its origin.
  func windows(from start: SimInstant, to end: SimInstant) -> SimDuration {
    end <= start ? .zero : SimDuration(nanoseconds: windows(to: end) - windows(to: start))
  }

  private func windows(to instant: SimInstant) -> Int64 {
    let elapsed = max(0, (instant - origin).nanoseconds)
    let (whole, rest) = elapsed.quotientAndRemainder(dividingBy: Int64(interval) * 625_000)
    return whole * Int64(window) * 625_000 + min(rest, Int64(window) * 625_000)
  }
}
