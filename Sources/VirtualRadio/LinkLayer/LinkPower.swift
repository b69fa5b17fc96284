import BluetoothWire
import SimKernel

/// What one end of a link knows of power and path loss (Vol 6, Part B, 4.5.16, 5.1.17, 5.1.18).
struct LinkPower {
  /// By how much less than the most that this end may send with it sends, hundredths of a decibel. Decision: a change
  /// counts for all PHYs.
  var cut = 0
  /// dBm, as the peer has told; nil: not known.
  var remote: Int8?
  var remoteLimits: UInt8 = 0
  /// Directions in which the peer has changed nothing when it was asked, as bits of the limits.
  var refusedLimits: UInt8 = 0
  /// The peer has been asked once, so it tells of changes.
  var hasAsked = false
  /// Its host wants to know when the power of this end, or of the peer, has changed.
  var reportsLocal = false
  var reportsRemote = false
  var zones: HCI.PathLossZones?
  var monitorsPathLoss = false
  /// The last zone that the host was told of.
  private var zone: UInt8?
  /// One that the path loss has been in since an event, and that does not count yet.
  private var candidate: (zone: UInt8, since: UInt64)?
  /// Mean of the received levels, hundredths of dBm; nil: none since the power changed.
  private(set) var mean: Int?
  private(set) var samples = 0

  /// A mean follows its samples with an eighth of the difference. Decision.
  private static let smoothing = 8
  /// Samples after which a mean is good enough to act on. Decision.
  static let samplesNeeded = 16

  mutating func note(level: Int) {
    mean = mean.map { $0 + (level - $0) / Self.smoothing } ?? level
    samples += 1
  }

  /// Levels from now on are others, because the peer sends with another power.
  mutating func forgetLevels() { (mean, samples) = (nil, 0) }

  mutating func beginMonitoring() {
    monitorsPathLoss = true
    (zone, candidate) = (nil, nil)
  }

  /// dB, at most 254; nil: the power of the peer or the level is not known.
  var pathLoss: UInt8? {
    guard let remote, let mean, samples >= Self.samplesNeeded else { return nil }
    return UInt8(max(0, min(254, Int(remote) - (mean - 50) / 100)))
  }

  /// The zone that the path loss has entered by an event, if its host is to be told. The first one counts at once.
  mutating func enteredZone(event: UInt64) -> UInt8? {
    guard monitorsPathLoss, let zones, let loss = pathLoss.map(Int.init) else { return nil }
    guard let present = zone else {
      zone = loss > zones.highest ? 2 : loss < zones.lowThreshold ? 0 : 1
      return zone
    }
    let entered = zones.zone(of: loss, from: present)
    guard entered != present else {
      candidate = nil
      return nil
    }
    let since = candidate?.zone == entered ? candidate?.since ?? event : event
    guard event - since >= UInt64(zones.minimumEvents) else {
      candidate = (entered, since)
      return nil
    }
    (zone, candidate) = (entered, nil)
    return entered
  }
}

extension HCI.PathLossZones {
  /// Ranges of Vol 4, Part E, 7.8.119.
  var areValid: Bool {
    let (high, low) = (Int(highThreshold), Int(lowThreshold))
    return low >= Int(lowHysteresis) && low <= high
      && (highThreshold == 0xFF
        || high + Int(highHysteresis) <= 0xFF && low + Int(lowHysteresis) <= high - Int(highHysteresis))
  }

  /// The most that is not high; there may be no high zone.
  fileprivate var highest: Int { highThreshold == 0xFF ? .max : Int(highThreshold) }

  /// The zone of a path loss that comes from another: a boundary is passed with its hysteresis.
  fileprivate func zone(of loss: Int, from present: UInt8) -> UInt8 {
    let up = highThreshold == 0xFF ? Int.max : Int(highThreshold) + Int(highHysteresis)
    let (down, into) = (Int(highThreshold) - Int(highHysteresis), Int(lowThreshold) - Int(lowHysteresis))
    let out = Int(lowThreshold) + Int(lowHysteresis)
    if loss >= up || present == 2 && highThreshold != 0xFF && loss > down { return 2 }
    return loss <= into || present == 0 && loss < out ? 0 : 1
  }
}
