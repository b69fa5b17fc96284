import BluetoothWire
import RadioLaws
import SimKernel
import VirtualRadio

/// How a device of a `RadioBench` advertises with extended PDUs.
struct ExtendedAdvertising {
  var properties: HCI.AdvertisingEventProperties = []
  var interval: UInt32 = 32
  var data: [UInt8] = []
  var scanResponse: [UInt8] = []
  var primaryPHY = HCI.AdvertisingPHY.le1M
  var secondaryPHY = HCI.AdvertisingPHY.le1M
  var skip: UInt8 = 0
  var sid: UInt8 = 5
  var peer: BluetoothAddress?
  var duration: UInt16 = 0
  var maximumEvents: UInt8 = 0
}

extension RadioBench {
  func extended(_ device: Int, _ command: HCI.ExtendedCommand) { self.command(device, .extended(command)) }

  /// A set of a device; its data come in fragments of 251 octets.
  func advertise(_ device: Int, set: UInt8 = 0, _ wanted: ExtendedAdvertising) {
    var parameters = HCI.ExtendedAdvertisingParameters(
      set: set, properties: wanted.properties, intervalMinimum: wanted.interval, intervalMaximum: wanted.interval)
    parameters.secondaryMaximumSkip = wanted.skip
    parameters.primaryPHY = wanted.primaryPHY
    parameters.secondaryPHY = wanted.secondaryPHY
    parameters.sid = wanted.sid
    parameters.peerAddress = wanted.peer
    parameters.notifiesScanRequests = true
    extended(device, .leSetExtendedAdvertisingParameters(parameters))
    extended(device, .leSetAdvertisingSetRandomAddress(set, Self.address(device)))
    for fragment in Self.fragments(wanted.data, set: set) { extended(device, .leSetExtendedAdvertisingData(fragment)) }
    for fragment in Self.fragments(wanted.scanResponse, set: set) {
      extended(device, .leSetExtendedScanResponseData(fragment))
    }
    enable(device, set: set, duration: wanted.duration, maximumEvents: wanted.maximumEvents)
  }

  func enable(_ device: Int, set: UInt8 = 0, duration: UInt16 = 0, maximumEvents: UInt8 = 0) {
    extended(
      device,
      .leSetExtendedAdvertisingEnable(true, [.init(set: set, duration: duration, maximumEvents: maximumEvents)]))
  }

  static func fragments(_ data: [UInt8], set: UInt8) -> [HCI.AdvertisingDataFragment] {
    if data.isEmpty { return [] }
    let starts = Array(stride(from: 0, to: data.count, by: 251))
    return starts.map { start in
      let operation: HCI.AdvertisingDataFragment.Operation =
        starts.count == 1 ? .complete : start == 0 ? .first : start == starts.last ? .last : .intermediate
      return .init(set: set, operation: operation, data: Array(data[start...].prefix(251)))
    }
  }

  func scan(
    _ device: Int, isActive: Bool = false, phys: HCI.PHYMask = .le1M, interval: UInt16 = 0x4000,
    window: UInt16 = 0x4000, filter: HCI.ExtendedScanEnable.DuplicateFilter = .off
  ) {
    let entry = HCI.ExtendedScanParameters.OnePHY(isActive: isActive, interval: interval, window: window)
    extended(
      device,
      .leSetExtendedScanParameters(.init(phys: phys, entries: Array(repeating: entry, count: phys.count))))
    extended(device, .leSetExtendedScanEnable(.init(isEnabled: true, duplicateFilter: filter)))
  }

  func initiate(_ device: Int, to peer: Int, phys: HCI.PHYMask = [.le1M, .le2M]) {
    let intervals: [UInt16] = [24, 36, 48]
    let entries = intervals.prefix(phys.count).map { interval in
      let parameters = HCI.ConnectionParameters(
        intervalMinimum: interval, intervalMaximum: interval, peripheralLatency: 0, supervisionTimeout: 400)
      return HCI.ExtendedCreateConnection.OnePHY(scanInterval: 16, scanWindow: 16, parameters: parameters)
    }
    extended(
      device, .leExtendedCreateConnection(.init(peer: Self.address(peer), phys: phys, entries: entries)))
  }

  func reports(of device: Int) -> [HCI.ExtendedAdvertisingReport] {
    events[device].compactMap {
      if case .extended(.leExtendedAdvertisingReport(let report)) = $0.event { report } else { nil }
    }
  }

  /// PDUs of the secondary channels, and ADV_EXT_IND, in the order of their starts.
  func sent(_ kind: LL.ExtendedPDU.Kind) -> [(air: AirPDU, pdu: LL.ExtendedPDU)] {
    air.sorted { $0.start < $1.start }.compactMap { air in
      guard air.auxiliary == kind || kind == .advExtInd && air.auxiliary == nil else { return nil }
      return (try? LL.ExtendedPDU(decoding: air.pdu, as: kind)).map { (air, $0) }
    }
  }
}

extension HCI.ExtendedAdvertisingReport {
  var isTruncated: Bool { type.rawValue >> 5 & 3 == 2 }
  var isIncomplete: Bool { type.rawValue >> 5 & 3 == 1 }
  var isComplete: Bool { type.rawValue >> 5 & 3 == 0 }

  /// Data of reports up to each that completes them, of one advertiser; those that were cut are left out.
  static func whole(_ reports: [Self]) -> [[UInt8]] {
    var whole: [[UInt8]] = []
    var data: [UInt8] = []
    for report in reports {
      data += report.data
      if report.isIncomplete { continue }
      if report.isComplete { whole.append(data) }
      data = []
    }
    return whole
  }
}
