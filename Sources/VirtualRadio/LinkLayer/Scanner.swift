import BluetoothWire
import SimKernel

/// How a device listens on one of the primary advertising PHYs; units of 0.625 ms.
struct ScanTime: Equatable {
  var interval: UInt16 = 0x0010
  var window: UInt16 = 0x0010
  /// A scanner asks for scan responses.
  var isActive = false
}

/// How a device scans, whichever command said it (Vol 4, Part E, 7.8.10 and 7.8.64).
struct ScanSetup {
  /// Nil: not there.
  var on1M: ScanTime? = ScanTime()
  var onCoded: ScanTime?
  var ownAddress = HCI.OwnAddressType.publicDevice
  /// Bit 0: only advertisers of the filter accept list; bit 1: also directed advertising to a resolvable private
  /// address that cannot be resolved here.
  var filterPolicy: UInt8 = 0

  /// - Parameter phy: that of the primary advertising channel.
  func isActive(on phy: LL.AirPHY) -> Bool { (phy.isCoded ? onCoded : on1M)?.isActive ?? false }
}

/// A connection that a host asked for (Vol 4, Part E, 7.8.12 and 7.8.66).
struct Initiation {
  var on1M: ScanTime?
  var onCoded: ScanTime?
  /// nil: any device in the filter accept list.
  var peer: BluetoothAddress?
  var ownAddress = HCI.OwnAddressType.publicDevice
  var parameters: HCI.ConnectionParameters
  /// Those of a connection that begins on LE 2M or LE Coded; nil: the same.
  var parametersOn2M: HCI.ConnectionParameters?
  var parametersOnCoded: HCI.ConnectionParameters?
  /// By the extended command: also what an AuxPtr leads to.
  var isExtended = false

  /// The same for a connection that begins on a PHY.
  func on(_ phy: LL.AirPHY) -> Initiation {
    var initiation = self
    let others = phy == .le2M ? parametersOn2M : phy.isCoded ? parametersOnCoded : nil
    if let others { initiation.parameters = others }
    return initiation
  }
}

/// The scanning and initiating state of one radio (Vol 6, Part B, 4.4.3 and 4.4.4).
struct Scanner {
  /// Scanning is enabled.
  var isScanning = false
  /// Enabled, but between two scan durations (Vol 4, Part E, 7.8.65, `Period`).
  var pauses = false
  var filtersDuplicates = true
  var setup = ScanSetup()
  var initiation: Initiation?
  /// Units of 10 ms and 1.28 s, 0 for none.
  var duration: UInt16 = 0
  var period: UInt16 = 0
  /// Duplicates are forgotten at each period.
  var forgetsEachPeriod = false
  /// End of the present duration, or of the present period.
  var timeout: EventHandle?
  /// When the current scanning or initiating began, and on which of the three channels.
  var origin = SimInstant.zero
  var firstChannel: UInt8 = 0
  var stream: RandomStream
  /// Back-off of active scanning (Vol 6, Part B, 4.4.3.2).
  var upperLimit = 1
  var backoffCount = 1
  var successes = 0
  var failures = 0
  /// Advertisers already reported, by kind of report and data; cleared when scanning is enabled.
  var reported: [HCI.AdvertisingReport] = []
  /// The same of what came with extended PDUs.
  var reportedSets: [AuxiliaryReport.Key] = []

  init(stream: RandomStream) { self.stream = stream }

  /// What the host has set up is gone; the clockwork stays.
  mutating func forget() {
    setup = ScanSetup()
    initiation = nil
    filtersDuplicates = true
    duration = 0
    period = 0
    forgetsEachPeriod = false
    reported.removeAll()
    reportedSets.removeAll()
  }

  /// The receiver is on for scanning.
  var isReceiving: Bool { isScanning && !pauses }

  /// When and where the receiver is on. Initiating goes before scanning.
  var tunings: ScanTunings {
    if let initiation { return ScanTunings(initiation.on1M, initiation.onCoded, from: origin, firstChannel) }
    return isReceiving ? ScanTunings(setup.on1M, setup.onCoded, from: origin, firstChannel) : ScanTunings()
  }

  mutating func restart(at now: SimInstant) {
    origin = now
    firstChannel = UInt8(stream.below(3))
  }

  mutating func noteScanResponse(received: Bool) {
    if received {
      failures = 0
      successes += 1
      if successes == 2 {
        successes = 0
        upperLimit = max(1, upperLimit / 2)
      }
    } else {
      successes = 0
      failures += 1
      if failures == 2 {
        failures = 0
        upperLimit = min(256, upperLimit * 2)
      }
    }
    backoffCount = Int(stream.within(1...Int64(upperLimit)))
  }
}
