import BluetoothWire
import SimKernel

/// Scanning by legacy and extended commands (Vol 4, Part E, 7.8.10, 7.8.11, 7.8.64, 7.8.65).
extension Controller {
  func executeScanning(_ command: HCI.Command) {
    switch command {
    case .leSetScanParameters(let parameters):
      guard (4...0x4000).contains(parameters.interval), (4...parameters.interval).contains(parameters.window),
        parameters.filterPolicy <= 3
      else { return complete(command, status: .invalidParameters) }
      guard !radio.scanner.isScanning else { return complete(command, status: .commandDisallowed) }
      radio.scanner.setup = ScanSetup(
        isActive: parameters.isActive, interval: parameters.interval, window: parameters.window,
        ownAddress: parameters.ownAddressType, filterPolicy: parameters.filterPolicy)
      complete(command)
    case .leSetScanEnable(let enable, let filter):
      complete(
        command,
        unless: set(HCI.ExtendedScanEnable(isEnabled: enable, duplicateFilter: filter ? .on : .off)))
    default: refuse(command, .unknownCommand)
    }
  }

  /// 7.8.64: LE 1M alone is there.
  func set(_ parameters: HCI.ExtendedScanParameters) -> HCI.ErrorCode? {
    if !parameters.phys.isSubset(of: .le1M) { return .unsupportedFeature }
    guard let entry = parameters.entry(for: .le1M), entry.interval >= 4, (4...entry.interval).contains(entry.window),
      parameters.filterPolicy <= 3
    else { return .invalidParameters }
    if radio.scanner.isScanning { return .commandDisallowed }
    radio.scanner.setup = ScanSetup(
      isActive: entry.isActive, interval: entry.interval, window: entry.window,
      ownAddress: parameters.ownAddressType, filterPolicy: parameters.filterPolicy)
    return nil
  }

  /// 7.8.65, and 7.8.11 without duration.
  func set(_ enable: HCI.ExtendedScanEnable) -> HCI.ErrorCode? {
    guard enable.isEnabled else {
      world.stopScanning(radio)
      return nil
    }
    if enable.duplicateFilter == .perPeriod, enable.period == 0 || enable.duration == 0 { return .invalidParameters }
    if enable.duration > 0, enable.period > 0, Int(enable.duration) * 10 >= Int(enable.period) * 1_280 {
      return .invalidParameters
    }
    guard hasAddress(radio.scanner.setup.ownAddress, random: randomAddress, peer: nil) else {
      return .invalidParameters
    }
    if !radio.scanner.isScanning { scanningBegins() }
    radio.scanner.filtersDuplicates = enable.duplicateFilter != .off
    radio.scanner.forgetsEachPeriod = enable.duplicateFilter == .perPeriod
    radio.scanner.duration = enable.duration
    radio.scanner.period = enable.period
    world.startScanning(radio)
    return nil
  }
}
