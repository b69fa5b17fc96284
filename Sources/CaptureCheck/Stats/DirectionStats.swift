public import SimKernel

/// What one end of a connection sent. Durations are in nanoseconds.
public struct DirectionStats: Hashable, Sendable {
  public var attPDUs = 0
  public var attOctets = 0
  /// Notifications and indications.
  public var values = 0
  /// L2CAP frames of every channel, and the octets after their headers.
  public var frames = 0
  public var frameOctets: Int64 = 0
  /// Octets of frames over time.
  public var throughput = StatsSeries()
  /// ACL packets (HCI) or new LL PDUs with data (air).
  public var packets = 0
  public var packetOctets: Int64 = 0
  /// New packets with data in connection events that had any (air), or that one Number Of Completed Packets event
  /// acknowledged (HCI, sent), or that came in one burst (HCI, received).
  public var packetsPerEvent = Histogram()

  /// From an ATT request that this end sent to its response, on the air or at its own HCI.
  public var requestTimes = Histogram()
  /// From an indication that this end sent to its confirmation, likewise.
  public var confirmationTimes = Histogram()
  /// At the HCI of this end: from a request or an indication that came in to its answer that went out.
  public var answerTimes = Histogram()
  /// From one notification or indication to the next.
  public var valueGaps = Histogram()
  /// HCI, from an ACL packet to the event that says it is done.
  public var completionTimes = Histogram()
  /// On the air, from the first time a PDU with data was sent to its acknowledgement: no queue is in it.
  public var acknowledgementTimes = Histogram()

  // On the air only.
  public var pdus = 0
  public var emptyPDUs = 0
  /// PDUs with the sequence number of the one before them, empty ones among them.
  public var repeats = 0
  /// Those of the central after an event that the peripheral latency let the peripheral leave out: no loss.
  public var repeatsInLatency = 0
  /// Wrong CRC at the sniffer.
  public var corrupted = 0
  /// PDUs of which the next PDU of the other end said whether they had come.
  public var judged = 0
  public var unacknowledged = 0
  /// PDUs of the central that nothing followed within the event.
  public var unanswered = 0
  /// Those that the peripheral latency lets the peripheral leave out.
  public var unansweredInLatency = 0
  /// Without those in latency.
  public var repeatSeries = StatsSeries()
  /// The longest time without a PDU of this end.
  public var longestSilence = SimDuration.zero
  public var level = LevelStats()
  /// The levels over time; the mean of a slot is its sum over its count.
  public var levelSeries = StatsSeries()

  public init() {}

  /// - Parameter level: dBm.
  mutating func record(_ level: Int8, at instant: SimInstant) {
    self.level.record(level)
    levelSeries.add(Int64(level), at: instant)
  }

  /// Octets of frames for each second, over `time`.
  public func meanThroughput(over time: SimDuration) -> Int64? {
    guard time.nanoseconds > 0, frames > 0 else { return nil }
    return frameOctets * 1_000 / max(1, time.nanoseconds / 1_000_000)
  }
}

/// Levels in dBm.
public struct LevelStats: Hashable, Sendable {
  public private(set) var count: Int64 = 0
  private var sum: Int64 = 0
  public private(set) var minimum: Int8 = 0
  public private(set) var maximum: Int8 = 0

  public init() {}

  public mutating func record(_ level: Int8) {
    minimum = count == 0 ? level : min(minimum, level)
    maximum = count == 0 ? level : max(maximum, level)
    count += 1
    sum += Int64(level)
  }

  /// Rounded to the nearest dBm; nil when nothing was measured.
  public var mean: Int64? {
    guard count > 0 else { return nil }
    let twice = 2 * sum + (sum < 0 ? -count : count)
    return twice / (2 * count)
  }
}
