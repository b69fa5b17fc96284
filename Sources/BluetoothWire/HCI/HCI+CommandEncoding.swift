extension HCI.Command {
  /// The H4 packet: `01 | Opcode: 2 | Length: 1 | Parameters`.
  ///
  /// PHY options, which are not modelled, are sent as zero. What a field cannot count is cut: advertising data beyond
  /// 31 octets (251 in the extended commands), advertising sets and handles beyond 63, parameters of `other` beyond
  /// 255.
  public var h4Octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(40)
    octets.append(HCI.PacketIndicator.command)
    octets.append(littleEndian: opcode.rawValue)
    octets.append(0)
    appendParameters(to: &octets)
    octets[3] = UInt8(octets.count - 4)
    return octets
  }

  private func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .reset, .readBDADDR, .readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures,
      .leReadBufferSize, .leReadLocalSupportedFeatures, .leCreateConnectionCancel, .leReadSuggestedDefaultDataLength,
      .leReadMaximumDataLength, .leReadFilterAcceptListSize, .leClearFilterAcceptList:
      break
    case .setEventMask(let mask), .leSetEventMask(let mask): octets.append(littleEndian: mask, count: 8)
    case .readRSSI(let handle), .readRemoteVersionInformation(let handle), .leReadPHY(let handle),
      .leReadChannelMap(let handle), .leReadRemoteFeatures(let handle):
      octets.append(littleEndian: handle)
    case .disconnect(let handle, let reason),
      .leRemoteConnectionParameterRequestNegativeReply(let handle, let reason):
      octets.append(littleEndian: handle)
      octets.append(reason.rawValue)
    case .leConnectionUpdate(let handle, let parameters),
      .leRemoteConnectionParameterRequestReply(let handle, let parameters):
      octets.append(littleEndian: handle)
      parameters.appendWithEventLength(to: &octets)
    case .leSetDataLength(let handle, let txOctets, let txTime):
      for field in [handle, txOctets, txTime] { octets.append(littleEndian: field) }
    case .leWriteSuggestedDefaultDataLength(let txOctets, let txTime):
      octets.append(littleEndian: txOctets)
      octets.append(littleEndian: txTime)
    case .leSetDefaultPHY(let tx, let rx): octets += Self.masks(tx, rx)
    case .leSetPHY(let handle, let tx, let rx):
      octets.append(littleEndian: handle)
      octets += Self.masks(tx, rx)
      octets.append(littleEndian: UInt16(0))
    case .leSetHostChannelClassification(let map): octets.append(littleEndian: map, count: 5)
    case .general, .security, .privacy, .extended: group?.appendParameters(to: &octets)
    case .other(_, let parameters): octets += parameters.prefix(255)
    default: appendLegacyLE(to: &octets)
    }
  }

  private func appendLegacyLE(to octets: inout [UInt8]) {
    switch self {
    case .leSetRandomAddress(let address): octets.append(littleEndian: address.bits, count: 6)
    case .leSetAdvertisingParameters(let parameters): parameters.append(to: &octets)
    case .leSetAdvertisingData(let data), .leSetScanResponseData(let data):
      octets.append(UInt8(min(data.count, LL.maximumAdvertisingData)))
      octets.append(data, paddedTo: LL.maximumAdvertisingData)
    case .leSetAdvertisingEnable(let isEnabled): octets.append(isEnabled ? 1 : 0)
    case .leSetScanParameters(let parameters): parameters.append(to: &octets)
    case .leSetScanEnable(let isEnabled, let filterDuplicates):
      octets += [isEnabled ? 1 : 0, filterDuplicates ? 1 : 0]
    case .leCreateConnection(let request): request.append(to: &octets)
    case .leAddDeviceToFilterAcceptList(let address), .leRemoveDeviceFromFilterAcceptList(let address):
      octets.append(typed: address)
    default: preconditionFailure("a command without an encoder: \(opcode)")
    }
  }

  /// `All_PHYs`, `TX_PHYs`, `RX_PHYs`.
  private static func masks(_ tx: HCI.PHYMask?, _ rx: HCI.PHYMask?) -> [UInt8] {
    [(tx == nil ? 0x01 : 0) | (rx == nil ? 0x02 : 0), tx?.rawValue ?? 0, rx?.rawValue ?? 0]
  }
}

extension HCI.ConnectionParameters {
  func append(to octets: inout [UInt8]) {
    for field in [intervalMinimum, intervalMaximum, peripheralLatency, supervisionTimeout] {
      octets.append(littleEndian: field)
    }
  }

  /// Followed by `Min_CE_Length` and `Max_CE_Length`.
  func appendWithEventLength(to octets: inout [UInt8]) {
    append(to: &octets)
    octets.append(littleEndian: eventLengthMinimum)
    octets.append(littleEndian: eventLengthMaximum)
  }
}

extension HCI.AdvertisingParameters {
  func append(to octets: inout [UInt8]) {
    octets.append(littleEndian: intervalMinimum)
    octets.append(littleEndian: intervalMaximum)
    octets += [kind.rawValue, ownAddressType.rawValue]
    octets.append(typedOrNone: peerAddress)
    octets += [channelMap, filterPolicy]
  }
}

extension HCI.ScanParameters {
  func append(to octets: inout [UInt8]) {
    octets.append(isActive ? 1 : 0)
    octets.append(littleEndian: interval)
    octets.append(littleEndian: window)
    octets += [ownAddressType.rawValue, filterPolicy]
  }
}

extension HCI.CreateConnection {
  func append(to octets: inout [UInt8]) {
    octets.append(littleEndian: scanInterval)
    octets.append(littleEndian: scanWindow)
    octets.append(usesFilterAcceptList ? 1 : 0)
    octets.append(HCI.PeerAddress(peer, isIdentity: peerIsIdentity))
    octets.append(ownAddressType.rawValue)
    parameters.appendWithEventLength(to: &octets)
  }
}
