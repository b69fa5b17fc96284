extension CBPeripheralManagerConnectionLatency {
  /// The connection interval that is asked for, units of 1.25 ms.
  ///
  /// Apple says no numbers. These keep the rules for accessories (Accessory Design Guidelines for Apple Devices,
  /// “Connection Parameters”): multiples of 15 ms, either 15 ms alone or at least 15 ms wide, and three of the longest
  /// within a supervision timeout of 2 s.
  var intervals: ClosedRange<UInt16> {
    switch self {
    case .low: 12...12
    case .medium: 24...48
    case .high: 192...240
    }
  }
}
