import SimKernel

/// From measured round trips to the time after which a segment is sent again (RFC 6298).
///
/// One segment is measured at a time, and none that was sent twice (Karn's algorithm, RFC 6298, 3).
struct RoundTripClock {
  private let settings: StreamSettings
  private(set) var smoothed: SimDuration?
  private var variation = SimDuration.zero
  private var base: SimDuration
  /// How often the timeout was doubled since the last new acknowledgement.
  private(set) var backoff = 0
  private var measured: (end: Int, since: SimInstant)?

  init(_ settings: StreamSettings) {
    self.settings = settings
    base = settings.initialTimeout
  }

  var timeout: SimDuration {
    min(SimDuration(nanoseconds: base.nanoseconds << Int64(min(backoff, 16))), settings.maximumTimeout)
  }

  mutating func sent(upTo end: Int, at now: SimInstant) {
    if measured == nil { measured = (end, now) }
  }

  /// What is measured will not be: its segment goes again.
  mutating func abandon() { measured = nil }
  mutating func backOff() {
    backoff += 1
    measured = nil
  }

  mutating func acknowledged(_ number: Int, at now: SimInstant) {
    backoff = 0
    guard let (end, since) = measured, number >= end else { return }
    measured = nil
    let sample = now - since
    assert(sample >= .zero, "an answer comes after its question")
    if let old = smoothed {
      let difference = SimDuration(nanoseconds: (old - sample).nanoseconds.magnitudeAsInt)
      variation = (variation * 3 + difference) / 4
      smoothed = (old * 7 + sample) / 8
    } else {
      smoothed = sample
      variation = sample / 2
    }
    base = max(smoothed! + variation * 4, settings.minimumTimeout)
  }
}

extension Int64 {
  fileprivate var magnitudeAsInt: Int64 { self < 0 ? -self : self }
}
