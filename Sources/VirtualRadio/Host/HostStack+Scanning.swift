public import BluetoothWire

/// What the stack knows of its own scanning, and the advertisers it has heard.
struct HostScanner {
  var isWanted = false
  /// The state after all commands that are on their way.
  var isEnabled = false
  var heard: [Heard] = []
  /// The owner wants every packet, and so the controller reports it.
  var everyPacket = false
  /// What the owner has asked for; nil: what is configured.
  var parameters: HCI.ScanParameters?
  /// The PHYs on which the owner looks for extended advertising, too; empty: legacy advertising only.
  var phys: HCI.PHYMask = []
  /// Extended advertisements whose data have not all been reported.
  var partial: [(key: PartialKey, data: [UInt8])] = []
  /// The primary PHY of extended advertisers; others are on LE 1M.
  private(set) var primaryPHYs: [(address: BluetoothAddress, phy: HCI.AdvertisingPHY)] = []

  /// Octets of one advertisement (Vol 4, Part E, 7.8.57).
  static let mostData = 1650
  static let mostPartial = 16

  struct PartialKey: Equatable {
    var address: BluetoothAddress
    var sid: UInt8
    var isScanResponse: Bool
  }

  mutating func note(_ phy: HCI.AdvertisingPHY, of address: BluetoothAddress) {
    primaryPHYs.removeAll { $0.address == address }
    if phy == .le1M { return }
    if primaryPHYs.count == Self.limit { primaryPHYs.removeFirst() }
    primaryPHYs.append((address, phy))
  }

  struct Heard {
    var address: BluetoothAddress
    var data: [UInt8]
    var scanResponse: [UInt8]
    /// Whether its newest advertisement may be answered by CONNECT_IND; true as long as none was heard.
    var isConnectable = true
  }

  /// At most this many advertisers are remembered; the one first heard is forgotten first, and reported
  /// again when it is heard again.
  static let limit = 256

  /// Merges a report; answers the advertiser when something about it is new, or every packet is wanted.
  mutating func merge(_ report: HCI.AdvertisingReport) -> Heard? {
    let isScanResponse = report.kind == .scanRsp
    for index in heard.indices where heard[index].address == report.address {
      if isScanResponse {
        if heard[index].scanResponse == report.data, !everyPacket { return nil }
        heard[index].scanResponse = report.data
      } else {
        let isSame = heard[index].data == report.data && heard[index].isConnectable == report.kind.isConnectable
        if isSame, !everyPacket { return nil }
        heard[index].data = report.data
        heard[index].isConnectable = report.kind.isConnectable
      }
      return heard[index]
    }
    if heard.count == Self.limit { heard.removeFirst() }
    let data = isScanResponse ? [] : report.data
    heard.append(
      Heard(
        address: report.address, data: data, scanResponse: isScanResponse ? report.data : [],
        isConnectable: isScanResponse || report.kind.isConnectable))
    return heard[heard.count - 1]
  }
}

extension HostStack {
  /// Reports every advertiser that is not known since this call. Scanning pauses while a connection is being made.
  /// - Parameters:
  ///   - everyPacket: reports each advertisement and scan response that is received.
  ///   - parameters: interval, window and whether it asks for scan responses; nil: as configured.
  ///   - phys: where extended advertising is looked for, too, LE 1M and LE Coded; empty: legacy advertising only.
  ///     Without extended commands it is ignored.
  public func startScanning(
    everyPacket: Bool = false, as parameters: HCI.ScanParameters? = nil, extendedOn phys: HCI.PHYMask = []
  ) {
    scanner.heard.removeAll()
    scanner.isWanted = true
    let isOther = everyPacket != scanner.everyPacket || parameters != scanner.parameters || phys != scanner.phys
    if isOther, scanner.isEnabled {
      // The controller takes both from its next start on.
      scanner.isWanted = false
      updateScanning()
      scanner.isWanted = true
    }
    scanner.everyPacket = everyPacket
    scanner.parameters = parameters
    scanner.phys = phys
    updateScanning()
  }

  public func stopScanning() {
    scanner.isWanted = false
    updateScanning()
  }

  /// Brings the controller's scanning to what is wanted and possible.
  func updateScanning() {
    guard power == .on else { return }
    let shouldScan = scanner.isWanted && connector.current == nil
    guard shouldScan != scanner.isEnabled else { return }
    scanner.isEnabled = shouldScan
    // What has begun to come does not go on with another scan.
    scanner.partial.removeAll()
    if shouldScan {
      var parameters =
        scanner.parameters
        ?? HCI.ScanParameters(
          isActive: configuration.activeScan, interval: configuration.scanInterval, window: configuration.scanWindow)
      parameters.ownAddressType = .init(address.kind)
      enqueue(.leSetScanParameters(parameters), .scanning)
      // The filter spares HCI the repetitions; what a pause lets through again is filtered here.
      enqueue(.leSetScanEnable(true, filterDuplicates: !scanner.everyPacket), .scanning)
    } else {
      enqueue(.leSetScanEnable(false, filterDuplicates: false), .scanning)
    }
  }

  func scanningRefused(_ status: HCI.ErrorCode) {
    scanner.isEnabled = false
    emit(.controllerFault("scanning refused with status \(status.rawValue)"))
  }

  /// - Parameter extended: what an extended advertisement says beside; nil: it is a legacy one.
  func receive(_ report: HCI.AdvertisingReport, _ extended: HeardSet? = nil) {
    guard scanner.isWanted, let heard = scanner.merge(report) else { return }
    if report.kind == .advDirectInd { return emit(.directedReport(heard.address, rssi: report.rssi)) }
    if let extended {
      return emit(
        .extendedScanReport(
          heard.address, data: heard.data, scanResponse: heard.scanResponse, rssi: report.rssi,
          isConnectable: heard.isConnectable, extended))
    }
    emit(
      .scanReport(
        heard.address, data: heard.data, scanResponse: heard.scanResponse, rssi: report.rssi,
        isConnectable: heard.isConnectable))
  }
}
