import SimKernel

/// Interferers that sense the carrier and hear each other: at most one of them transmits at a time.
///
/// Each station is idle for an exponential time, then waits for DIFS and a back-off of 0 … 15 slots and sends a frame
/// of exponential length. A station that finds the channel busy waits until it is free, and then for DIFS and a new
/// back-off (IEEE 802.11-2020, 10.3.4; aCWmin and the times of 17.4.4). Two stations whose waits end at the same
/// instant do not collide: the one listed first sends. Retries and growing contention windows are not modelled.
struct SharedChannel {
  /// One of them.
  struct Station {
    var stream: RandomStream
    let meanFrame: SimDuration
    /// Mean of the time that it has nothing to send.
    let meanIdle: SimDuration
    /// When it would send next if the channel is free then.
    var ready = SimInstant.zero
    var log = SpanLog()

    /// - Parameter airtimePermille: the share of time on air that it has alone; saturated when frames and waits leave
    ///   no idle time.
    init(airtimePermille: Int, meanFrame: SimDuration, stream: RandomStream, from start: SimInstant = .zero) {
      self.stream = stream
      self.meanFrame = max(meanFrame, .microseconds(1))
      let share = Int64(min(max(airtimePermille, 1), 999))
      let off = SimDuration(nanoseconds: self.meanFrame.nanoseconds * (1_000 - share) / share)
      meanIdle = max(off - SharedChannel.meanWait, .zero)
      ready = start + idle() + wait()
    }

    mutating func idle() -> SimDuration {
      meanIdle == .zero ? .zero : Exponential.draw(meanIdle, from: &stream)
    }

    mutating func wait() -> SimDuration {
      SharedChannel.interFrameSpace + SharedChannel.slot * Int64(stream.below(SharedChannel.slots))
    }
  }

  /// DIFS: SIFS and two slots, of the OFDM PHY with short slots.
  static let interFrameSpace = SimDuration.microseconds(28)
  static let slot = SimDuration.microseconds(9)
  /// The back-off is 0 … 15 slots: aCWmin.
  static let slots: UInt64 = 16
  static let meanWait = SimDuration.nanoseconds(28_000 + 67_500)

  private(set) var stations: [Station] = []
  private var busyUntil = SimInstant.zero

  mutating func join(_ station: Station) { stations.append(station) }

  /// Continues all stations, so that their logs are complete up to `end`. They take turns in the order of time,
  /// whoever of them is asked for.
  mutating func extend(to end: SimInstant) {
    while true {
      var next = 0
      for index in stations.indices where stations[index].ready < stations[next].ready { next = index }
      let start = stations[next].ready
      if start >= end { return }
      // Its wait must have been quiet: it counts from the end of the last frame of any station.
      if start < busyUntil + Self.interFrameSpace {
        stations[next].ready = busyUntil + stations[next].wait()
        continue
      }
      let frame = Exponential.draw(stations[next].meanFrame, from: &stations[next].stream)
      busyUntil = start + frame
      stations[next].log.append(SpanLog.Span(start: start, end: busyUntil))
      stations[next].ready = busyUntil + stations[next].idle() + stations[next].wait()
    }
  }
}
