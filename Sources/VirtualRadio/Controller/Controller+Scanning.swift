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
        on1M: ScanTime(interval: parameters.interval, window: parameters.window, isActive: parameters.isActive),
        ownAddress: parameters.ownAddressType, filterPolicy: parameters.filterPolicy)
      complete(command)
    case .leSetScanEnable(let enable, let filter):
      complete(
        command,
        unless: set(HCI.ExtendedScanEnable(isEnabled: enable, duplicateFilter: filter ? .on : .off)))
    default: refuse(command, .unknownCommand)
    }
  }

  /// 7.8.64: LE 1M, and LE Coded where the device has it.
  func set(_ parameters: HCI.ExtendedScanParameters) -> HCI.ErrorCode? {
    if !parameters.phys.isSubset(of: primaryPHYs) { return .unsupportedFeature }
    let entries = [parameters.entry(for: .le1M), parameters.entry(for: .leCoded)]
    let isInRange = entries.allSatisfy {
      $0.map { $0.interval >= 4 && (4...$0.interval).contains($0.window) } ?? true
    }
    guard !parameters.phys.isEmpty, isInRange, parameters.filterPolicy <= 3 else { return .invalidParameters }
    if radio.scanner.isScanning { return .commandDisallowed }
    let times = entries.map { entry in
      entry.map { ScanTime(interval: $0.interval, window: $0.window, isActive: $0.isActive) }
    }
    radio.scanner.setup = ScanSetup(
      on1M: times[0], onCoded: times[1], ownAddress: parameters.ownAddressType, filterPolicy: parameters.filterPolicy)
    return nil
  }

  /// The PHYs of the primary advertising channels.
  var primaryPHYs: HCI.PHYMask { supportedPHYs.subtracting(.le2M) }

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
