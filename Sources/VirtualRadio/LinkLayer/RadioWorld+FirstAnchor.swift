import BluetoothWire
import SimKernel

/// Where the central puts the first anchor of a link within its transmit window (Vol 6, Part B, 4.5.3).
extension RadioWorld {
  /// The window begins 1.25 ms after the end of CONNECT_IND.
  static let transmitWindowDelay = SimDuration.microseconds(1_250)
  /// And 2.5 ms after the end of AUX_CONNECT_REQ on LE 1M and LE 2M, 3.75 ms on LE Coded (Vol 6, Part B, 4.5.3).
  static func auxiliaryWindowDelay(_ phy: LL.AirPHY) -> SimDuration { .microseconds(phy.isCoded ? 3_750 : 2_500) }

  /// A place for the first anchor.
  struct FirstAnchor {
    /// Units of 1.25 ms.
    var windowOffset: UInt16
    /// From the start of the transmit window.
    var within: SimDuration
  }

  /// What the configuration of a central says about the first anchor of a new link; nil: it is drawn.
  /// - Parameters:
  ///   - interval: units of 1.25 ms.
  ///   - end: of the CONNECT_IND.
  ///   - delay: from there to the transmit window.
  func firstAnchor(
    of central: Radio, interval: UInt16, after end: SimInstant, delay: SimDuration = transmitWindowDelay
  ) -> FirstAnchor? {
    let unit: Int64 = 1_250_000
    if let spacing = central.configuration.linkSpacing,
      let newest = central.links.last(where: {
        $0.central.radio === central
      })
    {
      let anchor = newest.isParked ? nextParkedAnchor(newest, after: end) : newest.anchor
      let period = Int64(interval) * unit
      let rest = (anchor + spacing - (end + delay)).nanoseconds % period
      let offset = rest < 0 ? rest + period : rest
      return FirstAnchor(windowOffset: UInt16(offset / unit), within: .nanoseconds(offset % unit))
    }
    return central.configuration.anchorOffset.map {
      FirstAnchor(windowOffset: UInt16(min($0.nanoseconds / unit, Int64(interval))), within: .zero)
    }
  }
}
