import BluetoothWire
import SimKernel

/// When and where a scanner or initiator listens on each of the primary advertising PHYs.
///
/// One radio has both. Decision: windows of LE Coded follow those of LE 1M in the same interval where both have room
/// in it; otherwise the two take turns, an interval of LE 1M and then one of LE Coded.
struct ScanTunings: Equatable {
  private(set) var le1M: Tuning?
  private(set) var coded: Tuning?

  /// Off.
  init() {}

  init(_ on1M: ScanTime?, _ onCoded: ScanTime?, from origin: SimInstant, _ firstChannel: UInt8) {
    var period: UInt32?
    var offset: UInt16 = 0
    if let on1M, let onCoded {
      let fits = on1M.interval == onCoded.interval && UInt32(on1M.window) + UInt32(onCoded.window) <= on1M.interval
      period = UInt32(on1M.interval) + (fits ? 0 : UInt32(onCoded.interval))
      offset = fits ? on1M.window : on1M.interval
    }
    le1M = on1M.map {
      Tuning(
        origin: origin, interval: period ?? UInt32($0.interval), window: $0.window, firstChannel: firstChannel)
    }
    coded = onCoded.map {
      Tuning(
        origin: origin + .microseconds(625) * Int64(offset), interval: period ?? UInt32($0.interval),
        window: $0.window, firstChannel: firstChannel)
    }
  }

  var isOn: Bool { le1M != nil || coded != nil }

  /// How long the receiver is tuned within `start ..< end`.
  func windows(from start: SimInstant, to end: SimInstant) -> SimDuration {
    var windows = le1M?.windows(from: start, to: end) ?? .zero
    if let coded { windows += coded.windows(from: start, to: end) }
    return windows
  }
}

extension Medium {
  /// What a radio listens to from now on.
  func tune(_ radio: Int, to tunings: ScanTunings) {
    listeners.set(radio, tunings.le1M)
    if codedListeners !== listeners { codedListeners.set(radio, tunings.coded) }
  }

  /// Who listens for advertising on a PHY.
  func listeners(on phy: LL.AirPHY) -> ListenerMap { phy.isCoded ? codedListeners : listeners }
}
