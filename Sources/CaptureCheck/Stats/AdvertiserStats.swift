public import BluetoothWire
public import SimKernel

/// What was heard of one advertiser: on the air, or by one controller.
public final class AdvertiserStats {
  /// The PDUs of one advertising event, on up to three channels, start within this (Core v5.4, Vol 6, Part B, 4.4.2.2).
  private static let eventLength = SimDuration.milliseconds(12)

  public let address: BluetoothAddress
  public let file: Int
  /// Nil on the air.
  public let heardBy: TrafficAdapter?
  /// Advertising PDUs or reports, scan responses not among them.
  public internal(set) var advertisements = 0
  public internal(set) var scanResponses = 0
  public internal(set) var isConnectable = false
  public internal(set) var level = LevelStats()
  /// dBm; the mean of a slot is its sum over its count. Empty for those beyond `TrafficStats.levelSeriesLimit`.
  public internal(set) var levelSeries = StatsSeries()
  private let keepsLevels: Bool
  /// The newest local name that it advertised.
  public internal(set) var name: String?
  /// From the start of an advertising event to that of the next one that was heard, nanoseconds: the advertising
  /// interval, advDelay (0 … 10 ms), and whole events that nobody heard. On the air, an event starts with its PDU on
  /// the lowest channel that the advertiser was heard on: one that begins on a later channel, because the radio was
  /// busy or the sniffer deaf, says nothing of the interval.
  public internal(set) var gaps = Histogram()
  public internal(set) var supportsChannelSelection2 = false
  private var lastEvent: SimInstant?
  /// RF channel on which events start; `unknownChannel` as long as none was told.
  private var firstChannel = AdvertiserStats.unknownChannel
  private static let unknownChannel = UInt8.max

  init(address: BluetoothAddress, file: Int, heardBy: TrafficAdapter?, keepsLevels: Bool) {
    self.keepsLevels = keepsLevels
    self.address = address
    self.file = file
    self.heardBy = heardBy
  }

  /// - Parameter channel: the primary advertising channel (RF channel 0, 12 or 39); nil: not told, as in HCI reports.
  func read(_ advertisement: TrafficAdvertisement, channel: UInt8? = nil, at instant: SimInstant) {
    if let rssi = advertisement.rssi {
      level.record(rssi)
      if keepsLevels { levelSeries.add(Int64(rssi), at: instant) }
    }
    if let heard = ADFields.localName(advertisement.data) { name = heard }
    if advertisement.isScanResponse { return scanResponses += 1 }
    advertisements += 1
    isConnectable = isConnectable || advertisement.isConnectable
    let channel = channel ?? Self.unknownChannel
    if channel > firstChannel { return }
    if channel < firstChannel {
      // What was measured between later channels is no distance of event starts.
      firstChannel = channel
      gaps = Histogram()
      lastEvent = nil
    }
    guard let last = lastEvent else {
      lastEvent = instant
      return
    }
    let gap = instant - last
    if gap.nanoseconds < 0 || gap >= Self.eventLength {
      if gap.nanoseconds >= 0 { gaps.record(gap) }
      lastEvent = instant
    }
  }

  /// A connection ended the advertising: the time until it begins again is no distance of events.
  func breakOff() { lastEvent = nil }

  /// The advertising interval, units of 0.625 ms: the shortest distance of two events, rounded down. Too long by more
  /// than one unit when no advDelay of all of them was short; nil with fewer than eight distances.
  public var interval: UInt32? {
    guard gaps.count >= 8 else { return nil }
    // A tenth of a millisecond for clocks that run fast and sniffers that date roughly.
    return UInt32(clamping: (gaps.minimum + 100_000) / 625_000)
  }
}
