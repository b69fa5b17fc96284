public import BluetoothWire

/// How an advertising set with extended PDUs advertises (Core v5.4, Vol 4, Part E, 7.8.53).
public struct ExtendedAdvertisingManner: Hashable, Sendable {
  /// At most one of both; then data are in what is connectable, or in the scan response of what is scannable.
  public var isConnectable = false
  public var isScannable = false
  /// Without an address, and neither of both.
  public var isAnonymous = false
  public var includesTxPower = false
  /// LE 1M or LE Coded.
  public var primaryPHY = HCI.AdvertisingPHY.le1M
  public var secondaryPHY = HCI.AdvertisingPHY.le1M

  public init() {}

  var properties: HCI.AdvertisingEventProperties {
    var properties: HCI.AdvertisingEventProperties = []
    if isConnectable { properties.insert(.connectable) }
    if isScannable { properties.insert(.scannable) }
    if isAnonymous { properties.insert(.anonymous) }
    if includesTxPower { properties.insert(.includesTxPower) }
    return properties
  }
}

/// The extended commands in place of the legacy ones, which a host must not mix (Vol 4, Part E, 3.1.1). What the stack
/// advertises by itself is set 0, with legacy PDUs.
extension HostStack {
  /// The commands that do what a legacy command does.
  func inExtendedCommands(_ command: HCI.Command) -> [HCI.Command] {
    switch command {
    case .leSetAdvertisingParameters(let parameters):
      advertiser.kind = parameters.kind
      return parameterCommands(parameters, of: 0, from: address, properties: .legacy(parameters.kind)).map {
        .extended($0)
      }
    case .leSetAdvertisingData(let data):
      return [.extended(.leSetExtendedAdvertisingData(.init(set: 0, data: advertiser.kind.isDirected ? [] : data)))]
    case .leSetScanResponseData(let data):
      return [
        .extended(.leSetExtendedScanResponseData(.init(set: 0, data: Self.isScannable(advertiser.kind) ? data : [])))
      ]
    case .leSetAdvertisingEnable(let isOn):
      // A high duty cycle has a duration, 1.28 s.
      let duration: UInt16 = advertiser.kind == .connectableDirectedHighDuty ? 128 : 0
      return [.extended(.leSetExtendedAdvertisingEnable(isOn, [.init(set: 0, duration: isOn ? duration : 0)]))]
    case .leSetScanParameters(let parameters):
      let phys = scanner.phys.isEmpty ? HCI.PHYMask.le1M : scanner.phys
      let entry = HCI.ExtendedScanParameters.OnePHY(
        isActive: parameters.isActive, interval: parameters.interval, window: parameters.window)
      var extended = HCI.ExtendedScanParameters(phys: phys, entries: Array(repeating: entry, count: phys.count))
      (extended.ownAddressType, extended.filterPolicy) = (parameters.ownAddressType, parameters.filterPolicy)
      return [.extended(.leSetExtendedScanParameters(extended))]
    case .leSetScanEnable(let isOn, let filtersDuplicates):
      return [
        .extended(
          .leSetExtendedScanEnable(.init(isEnabled: isOn, duplicateFilter: filtersDuplicates ? .on : .off)))
      ]
    case .leCreateConnection(let creation):
      // An advertiser is found on the PHY on which it was heard; the connection begins on its secondary PHY.
      let primary = scanner.primaryPHYs.first { $0.address == creation.peer }?.phy ?? .le1M
      let phys: HCI.PHYMask = primary == .leCoded ? .leCoded : configuration.has2M ? [.le1M, .le2M] : .le1M
      let entry = HCI.ExtendedCreateConnection.OnePHY(
        scanInterval: creation.scanInterval, scanWindow: creation.scanWindow, parameters: creation.parameters)
      var extended = HCI.ExtendedCreateConnection(
        peer: creation.peer, phys: phys, entries: Array(repeating: entry, count: phys.count))
      extended.ownAddressType = creation.ownAddressType
      return [.extended(.leExtendedCreateConnection(extended))]
    default: return [command]
    }
  }

  private static func isScannable(_ kind: HCI.AdvertisingParameters.Kind) -> Bool {
    HCI.AdvertisingEventProperties.legacy(kind).contains(.scannable)
  }

  private func parameterCommands(
    _ legacy: HCI.AdvertisingParameters, of set: UInt8, from own: BluetoothAddress,
    properties: HCI.AdvertisingEventProperties, _ manner: ExtendedAdvertisingManner? = nil
  ) -> [HCI.ExtendedCommand] {
    var parameters = HCI.ExtendedAdvertisingParameters(
      set: set, properties: properties, intervalMinimum: UInt32(legacy.intervalMinimum),
      intervalMaximum: UInt32(legacy.intervalMaximum))
    parameters.channelMap = legacy.channelMap
    parameters.ownAddressType = legacy.ownAddressType
    parameters.peerAddress = legacy.peerAddress
    parameters.sid = set & 0x0F
    if let manner { (parameters.primaryPHY, parameters.secondaryPHY) = (manner.primaryPHY, manner.secondaryPHY) }
    return [.leSetExtendedAdvertisingParameters(parameters)]
      + (own.kind == .random ? [.leSetAdvertisingSetRandomAddress(set, own)] : [])
  }

  /// What sets up an advertising set beside that of the stack.
  /// - Parameter manner: nil: legacy PDUs of the kind of `legacy`.
  func setup(
    of set: UInt8, from own: BluetoothAddress, _ legacy: HCI.AdvertisingParameters, data: [UInt8],
    scanResponse: [UInt8], _ manner: ExtendedAdvertisingManner?
  ) -> [HCI.ExtendedCommand] {
    let properties = manner?.properties ?? .legacy(legacy.kind)
    let isScannable = properties.contains(.scannable)
    return parameterCommands(legacy, of: set, from: own, properties: properties, manner)
      + Self.fragments(of: data, set).map { .leSetExtendedAdvertisingData($0) }
      + Self.fragments(of: isScannable ? scanResponse : [], set).map { .leSetExtendedScanResponseData($0) }
  }

  /// One command carries 251 octets.
  private static func fragments(of data: [UInt8], _ set: UInt8) -> [HCI.AdvertisingDataFragment] {
    let most = HCI.AdvertisingDataFragment.maximumLength
    if data.count <= most { return [.init(set: set, data: data)] }
    return stride(from: 0, to: data.count, by: most).map { start in
      let isLast = start + most >= data.count
      return .init(
        set: set, operation: start == 0 ? .first : isLast ? .last : .intermediate,
        data: Array(data[start..<min(start + most, data.count)]))
    }
  }

  /// A connection that begins on a secondary PHY is told by no event (Vol 4, Part E, 7.7.65.12).
  func phyRead(_ handle: HCI.ConnectionHandle, _ status: HCI.ErrorCode, _ parameters: [UInt8]) {
    guard link(handle) != nil, status == .success, parameters.count >= 4 else { return }
    let (tx, rx) = (HCI.PHY(rawValue: parameters[2]), HCI.PHY(rawValue: parameters[3]))
    if let tx, let rx, tx != .le1M || rx != .le1M { emit(.phy(handle, tx: tx, rx: rx)) }
  }

  // MARK: Events

  /// A connection or its time has ended a set; a connection is told before.
  func receive(_ ended: HCI.AdvertisingSetTerminated) {
    guard ended.status == .success else {
      if ended.set == 0 { advertisingTimedOut() }
      return
    }
    setEnded(ended.set, by: ended.connection)
    guard let complete = awaitedEnd, complete.handle == ended.connection else { return }
    awaitedEnd = nil
    connectionMade(complete)
  }

  /// Legacy advertisements, and others where the owner wants them; those without an address are ignored, since nobody
  /// could be told apart by them, and so are those of which a part was not received.
  func receive(_ report: HCI.ExtendedAdvertisingReport) {
    guard scanner.isWanted, let address = report.address.device else { return }
    let isLegacy = report.type.contains(.legacy)
    if !isLegacy, scanner.phys.isEmpty { return }
    let key = HostScanner.PartialKey(
      address: address, sid: report.sid, isScanResponse: report.type.contains(.scanResponse))
    let begun = scanner.partial.firstIndex { $0.key == key }.map { scanner.partial.remove(at: $0).data } ?? []
    let data = begun + report.data
    if report.type.contains(.truncated) || data.count > HostScanner.mostData { return }
    if report.type.contains(.incomplete) {
      if scanner.partial.count == HostScanner.mostPartial { scanner.partial.removeFirst() }
      return scanner.partial.append((key, data))
    }
    scanner.note(report.primaryPHY, of: address)
    let kind: HCI.AdvertisingReport.Kind =
      report.type.contains(.scanResponse)
      ? .scanRsp
      : report.type.contains(.directed)
        ? .advDirectInd
        : report.type.contains(.connectable)
          ? .advInd : report.type.contains(.scannable) ? .advScanInd : .advNonconnInd
    receive(
      HCI.AdvertisingReport(kind: kind, address: address, data: data, rssi: report.rssi),
      isLegacy ? nil : HeardSet(primaryPHY: report.primaryPHY, secondaryPHY: report.secondaryPHY, sid: report.sid))
  }
}

/// What tells an extended advertisement from a legacy one.
public struct HeardSet: Hashable, Sendable {
  public var primaryPHY: HCI.AdvertisingPHY
  public var secondaryPHY: HCI.AdvertisingPHY
  /// Advertising set identifier, 0x00 … 0x0F.
  public var sid: UInt8
}

extension HCI.AdvertisingEventProperties {
  static func legacy(_ kind: HCI.AdvertisingParameters.Kind) -> Self {
    switch kind {
    case .connectableUndirected: [.legacy, .connectable, .scannable]
    case .connectableDirectedHighDuty: [.legacy, .connectable, .directed, .highDutyCycle]
    case .connectableDirectedLowDuty: [.legacy, .connectable, .directed]
    case .scannableUndirected: [.legacy, .scannable]
    case .nonConnectableUndirected: .legacy
    }
  }
}
