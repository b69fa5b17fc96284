extension HCI.Command {
  /// Decodes an H4 packet.
  ///
  /// Spec: Core v5.4, Vol 4, Part E, 5.4.1 and 7. Layout: `01 | Opcode: 2 | Length: 1 | Parameters`.
  /// An unknown opcode is `other`, whatever its parameters. Refuses: another indicator, truncated, trailing octets, and
  /// a parameter that the typed command cannot hold (value out of range at its octet: reserved address types, legacy
  /// advertising data over 31). A controller answers a known command that is refused with Invalid HCI Command
  /// Parameters (0x12). What another controller might support (PHYs, advertising sets, properties) is held and left to
  /// judge. Not modelled: a PHY mask beside the bit of `All_PHYs` that voids it, reserved bits of `All_PHYs`,
  /// `PHY_Options`.
  public init(decoding octets: [UInt8]) throws(WireError) {
    var reader = OctetReader(octets)
    try reader.indicator(HCI.PacketIndicator.command)
    let opcode = HCI.Opcode(rawValue: try reader.u16())
    try reader.lengthOfRest(octets: 1)
    if let command = Self.withoutParameters(opcode) {
      self = command
    } else if let command = try Self.withHandle(opcode, &reader) {
      self = command
    } else if let command = try Self.legacyLE(opcode, &reader) {
      self = command
    } else if let command = try Self.general(opcode, &reader) {
      self = command
    } else if let command = try Self.grouped(opcode, &reader) {
      // Not by `??`: its closure loses a typed error that is thrown inside (Swift 6.3.1).
      self = command
    } else {
      self = .other(opcode, parameters: reader.rest())
    }
    try reader.finish()
  }

  private static func withoutParameters(_ opcode: HCI.Opcode) -> HCI.Command? {
    switch opcode {
    case .reset: .reset
    case .readBDADDR: .readBDADDR
    case .readLocalVersionInformation: .readLocalVersionInformation
    case .readLocalSupportedCommands: .readLocalSupportedCommands
    case .readLocalSupportedFeatures: .readLocalSupportedFeatures
    case .leReadBufferSize: .leReadBufferSize
    case .leReadLocalSupportedFeatures: .leReadLocalSupportedFeatures
    case .leCreateConnectionCancel: .leCreateConnectionCancel
    case .leReadSuggestedDefaultDataLength: .leReadSuggestedDefaultDataLength
    case .leReadMaximumDataLength: .leReadMaximumDataLength
    case .leReadFilterAcceptListSize: .leReadFilterAcceptListSize
    case .leClearFilterAcceptList: .leClearFilterAcceptList
    default: nil
    }
  }

  private static func withHandle(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError) -> HCI.Command? {
    switch opcode {
    case .readRSSI: .readRSSI(try reader.u16())
    case .readRemoteVersionInformation: .readRemoteVersionInformation(try reader.u16())
    case .disconnect: .disconnect(try reader.u16(), reason: try reader.errorCode())
    case .leConnectionUpdate:
      .leConnectionUpdate(try reader.u16(), try HCI.ConnectionParameters(readingWithEventLength: &reader))
    case .leRemoteConnectionParameterRequestReply:
      .leRemoteConnectionParameterRequestReply(
        try reader.u16(), try HCI.ConnectionParameters(readingWithEventLength: &reader))
    case .leRemoteConnectionParameterRequestNegativeReply:
      .leRemoteConnectionParameterRequestNegativeReply(try reader.u16(), reason: try reader.errorCode())
    case .leSetDataLength:
      .leSetDataLength(try reader.u16(), txOctets: try reader.u16(), txTime: try reader.u16())
    case .leReadPHY: .leReadPHY(try reader.u16())
    case .leSetPHY: try setPHY(&reader)
    case .leReadChannelMap: .leReadChannelMap(try reader.u16())
    case .leReadRemoteFeatures: .leReadRemoteFeatures(try reader.u16())
    default: nil
    }
  }

  private static func legacyLE(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError) -> HCI.Command? {
    switch opcode {
    case .leSetAdvertisingParameters: .leSetAdvertisingParameters(try HCI.AdvertisingParameters(reading: &reader))
    case .leSetAdvertisingData: .leSetAdvertisingData(try advertisingData(&reader))
    case .leSetScanResponseData: .leSetScanResponseData(try advertisingData(&reader))
    case .leSetAdvertisingEnable: .leSetAdvertisingEnable(try reader.bool())
    case .leSetScanParameters: .leSetScanParameters(try HCI.ScanParameters(reading: &reader))
    case .leSetScanEnable: .leSetScanEnable(try reader.bool(), filterDuplicates: try reader.bool())
    case .leCreateConnection: .leCreateConnection(try HCI.CreateConnection(reading: &reader))
    case .leAddDeviceToFilterAcceptList: .leAddDeviceToFilterAcceptList(try reader.typedAddress())
    case .leRemoveDeviceFromFilterAcceptList: .leRemoveDeviceFromFilterAcceptList(try reader.typedAddress())
    default: nil
    }
  }

  private static func general(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError) -> HCI.Command? {
    switch opcode {
    case .setEventMask: .setEventMask(try reader.u64())
    case .leSetEventMask: .leSetEventMask(try reader.u64())
    case .leSetRandomAddress: .leSetRandomAddress(try reader.address(.random))
    case .leWriteSuggestedDefaultDataLength:
      .leWriteSuggestedDefaultDataLength(txOctets: try reader.u16(), txTime: try reader.u16())
    case .leSetDefaultPHY: try setDefaultPHY(&reader)
    case .leSetHostChannelClassification: .leSetHostChannelClassification(try reader.unsigned(5))
    default: nil
    }
  }

  private static func setDefaultPHY(_ reader: inout OctetReader) throws(WireError) -> HCI.Command {
    let (tx, rx) = try phys(&reader)
    return .leSetDefaultPHY(tx: tx, rx: rx)
  }

  private static func setPHY(_ reader: inout OctetReader) throws(WireError) -> HCI.Command {
    let handle = try reader.u16()
    let (tx, rx) = try phys(&reader)
    _ = try reader.u16()
    return .leSetPHY(handle, tx: tx, rx: rx)
  }

  /// `All_PHYs`, `TX_PHYs`, `RX_PHYs`: a bit of the first voids a mask after it.
  private static func phys(
    _ reader: inout OctetReader
  ) throws(WireError) -> (tx: HCI.PHYMask?, rx: HCI.PHYMask?) {
    let all = try reader.u8()
    let tx = HCI.PHYMask(rawValue: try reader.u8())
    let rx = HCI.PHYMask(rawValue: try reader.u8())
    return (all & 0x01 == 0 ? tx : nil, all & 0x02 == 0 ? rx : nil)
  }

  private static func advertisingData(_ reader: inout OctetReader) throws(WireError) -> [UInt8] {
    let position = reader.offset
    let count = Int(try reader.u8())
    if count > LL.maximumAdvertisingData { throw WireError(.valueOutOfRange, at: position) }
    let data = try reader.take(LL.maximumAdvertisingData)
    return Array(data.prefix(count))
  }
}

extension HCI.ConnectionParameters {
  init(reading reader: inout OctetReader) throws(WireError) {
    self.init(
      intervalMinimum: try reader.u16(), intervalMaximum: try reader.u16(), peripheralLatency: try reader.u16(),
      supervisionTimeout: try reader.u16())
  }

  /// Followed by `Min_CE_Length` and `Max_CE_Length`.
  init(readingWithEventLength reader: inout OctetReader) throws(WireError) {
    try self.init(reading: &reader)
    eventLengthMinimum = try reader.u16()
    eventLengthMaximum = try reader.u16()
  }
}

extension HCI.AdvertisingParameters {
  init(reading reader: inout OctetReader) throws(WireError) {
    self.init(intervalMinimum: try reader.u16(), intervalMaximum: try reader.u16())
    kind = try reader.closed()
    ownAddressType = try reader.closed()
    peerAddress = try reader.typedAddressOrNone()
    channelMap = try reader.u8()
    filterPolicy = try reader.u8()
  }
}

extension HCI.ScanParameters {
  init(reading reader: inout OctetReader) throws(WireError) {
    self.init(isActive: try reader.bool(), interval: try reader.u16(), window: try reader.u16())
    ownAddressType = try reader.closed()
    filterPolicy = try reader.u8()
  }
}

extension HCI.CreateConnection {
  init(reading reader: inout OctetReader) throws(WireError) {
    let scanInterval = try reader.u16()
    let scanWindow = try reader.u16()
    let usesFilterAcceptList = try reader.bool()
    let peer = try reader.deviceAddress()
    let own: HCI.OwnAddressType = try reader.closed()
    self.init(
      scanInterval: scanInterval, scanWindow: scanWindow, peer: peer.address,
      parameters: try HCI.ConnectionParameters(readingWithEventLength: &reader))
    self.usesFilterAcceptList = usesFilterAcceptList
    peerIsIdentity = peer.isIdentity
    ownAddressType = own
  }
}
