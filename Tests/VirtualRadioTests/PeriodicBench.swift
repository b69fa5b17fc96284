import BluetoothWire
import RadioLaws
import SimKernel

extension RadioBench {
  func periodic(_ device: Int, _ command: HCI.PeriodicCommand) { self.command(device, .periodic(command)) }

  /// Status of the newest answer to a command.
  func status(_ device: Int) -> HCI.ErrorCode? {
    for entry in events[device].reversed() {
      switch entry.event {
      case .commandComplete(_, let status, _), .commandStatus(_, let status): return status
      default: continue
      }
    }
    return nil
  }

  func answer(_ device: Int, _ command: HCI.PeriodicCommand) -> HCI.ErrorCode? {
    periodic(device, command)
    return status(device)
  }

  /// A train of a set that advertises; its data come in fragments of 251 octets.
  func train(
    _ device: Int, interval: UInt16 = 80, data: [UInt8] = [], power: Bool = false,
    _ wanted: ExtendedAdvertising = .init(data: [2, 1, 6])
  ) {
    advertise(device, wanted)
    var parameters = HCI.PeriodicAdvertisingParameters(set: 0, intervalMinimum: interval, intervalMaximum: interval)
    parameters.properties = power ? 0x40 : 0
    periodic(device, .leSetPeriodicAdvertisingParameters(parameters))
    for fragment in Self.fragments(data, set: 0) {
      periodic(device, .leSetPeriodicAdvertisingData(0, fragment.operation, fragment.data))
    }
    periodic(device, .leSetPeriodicAdvertisingEnable(.on, 0))
  }

  static func syncCreation(
    _ peer: Int = 0, skip: UInt16 = 0, timeout: UInt16 = 100, _ options: HCI.PeriodicSyncCreation.Options = []
  ) -> HCI.PeriodicSyncCreation {
    var creation = HCI.PeriodicSyncCreation(advertiser: .init(address: address(peer), sid: 5), timeout: timeout)
    (creation.skip, creation.options) = (skip, options)
    return creation
  }

  /// Scans, and follows a train.
  func follow(_ device: Int, _ creation: HCI.PeriodicSyncCreation = syncCreation()) {
    scan(device)
    periodic(device, .lePeriodicAdvertisingCreateSync(creation))
  }

  func established(_ device: Int) -> [HCI.PeriodicSyncEstablished] {
    events[device].compactMap {
      if case .periodic(.lePeriodicAdvertisingSyncEstablished(let sync)) = $0.event { sync } else { nil }
    }
  }

  func periodicReports(_ device: Int) -> [HCI.PeriodicAdvertisingReport] {
    events[device].compactMap {
      if case .periodic(.lePeriodicAdvertisingReport(let report)) = $0.event { report } else { nil }
    }
  }

  func lost(_ device: Int) -> [(at: SimInstant, handle: HCI.SyncHandle)] {
    events[device].compactMap {
      if case .periodic(.lePeriodicAdvertisingSyncLost(let handle)) = $0.event { ($0.at, handle) } else { nil }
    }
  }

  /// Data of the events of a train that came in whole.
  func wholePeriodic(_ device: Int) -> [[UInt8]] {
    var (whole, data): ([[UInt8]], [UInt8]) = ([], [])
    for report in periodicReports(device) {
      data += report.data
      if report.status == .incomplete { continue }
      if report.status == .complete { whole.append(data) }
      data = []
    }
    return whole
  }
}
