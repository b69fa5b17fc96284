extension HCI.Command {
  /// Decodes an H4 packet.
  ///
  /// Spec: Core v5.4, Vol 4, Part E, 5.4.1 and 7. Layout: `01 | Opcode: 2 | Length: 1 | Parameters`.
  /// An unknown opcode is `other`, whatever its parameters. Refuses: another indicator, truncated, trailing octets, and
  /// a parameter that the typed command cannot hold (value out of range at its octet: reserved address types, legacy
  /// advertising data over 31). A controller answers a known command that is refused with Invalid HCI Command
  /// Parameters (0x12). What another controller might support (PHYs, advertising sets, properties) is held and left to
  /// judge. Not modelled: a PHY mask beside the bit of `All_PHYs` that voids it, reserved bits of `All_PHYs`.
  public init(decoding octets: [UInt8]) throws(WireError) {
    var reader = OctetReader(octets)
    try reader.indicator(HCI.PacketIndicator.command)
    let opcode: HCI.Opcode = try reader.next()
    try reader.lengthOfRest(octets: 1)
    self = try Self.read(Self.forms[opcode] ?? .other(opcode, parameters: []), &reader)
  }

  /// The H4 packet: `01 | Opcode: 2 | Length: 1 | Parameters`.
  ///
  /// What a field cannot count is cut: advertising data beyond 31 octets (251 in the extended commands), advertising
  /// sets and handles beyond 63, parameters of `other` beyond 255.
  public var h4Octets: [UInt8] {
    var octets: [UInt8] = []
    octets.reserveCapacity(40)
    octets.append(HCI.PacketIndicator.command)
    appendForm(to: &octets)
    octets[3] = UInt8(octets.count - 4)
    return octets
  }

  /// The opcode with which the command goes out and with which its answers name it.
  public var opcode: HCI.Opcode { declaredCode }

  private static let forms = blanksByCode()
}

extension HCI.Opcode: FormCode {
  /// Opcode, and the place of the length.
  func appendHead(to octets: inout [UInt8]) {
    append(to: &octets)
    octets.append(0)
  }
}

extension HCI.Command: FormedPDU {
  typealias Code = HCI.Opcode

  static let blanks =
    alone + HCI.GeneralCommand.blanks.map(Self.general) + HCI.SecurityCommand.blanks.map(Self.security)
    + HCI.PrivacyCommand.blanks.map(Self.privacy) + HCI.ExtendedCommand.blanks.map(Self.extended)
    + HCI.PeriodicCommand.blanks.map(Self.periodic) + HCI.PowerCommand.blanks.map(Self.power)
    + HCI.StreamCommand.blanks.map(Self.stream)

  private static let alone: [HCI.Command] = [
    .reset, .setEventMask(0), .leSetEventMask(0), .readBDADDR, .readLocalVersionInformation,
    .readLocalSupportedCommands, .readLocalSupportedFeatures, .readRSSI(0), .readRemoteVersionInformation(0),
    .disconnect(0, reason: .success), .leReadBufferSize, .leReadLocalSupportedFeatures,
    .leSetRandomAddress(.blank), .leSetAdvertisingParameters(.blank), .leSetAdvertisingData([]),
    .leSetScanResponseData([]), .leSetAdvertisingEnable(false), .leSetScanParameters(.blank),
    .leSetScanEnable(false, filterDuplicates: false), .leCreateConnection(.blank), .leCreateConnectionCancel,
    .leConnectionUpdate(0, .blank), .leRemoteConnectionParameterRequestReply(0, .blank),
    .leRemoteConnectionParameterRequestNegativeReply(0, reason: .success),
    .leSetDataLength(0, txOctets: 0, txTime: 0), .leReadSuggestedDefaultDataLength,
    .leWriteSuggestedDefaultDataLength(txOctets: 0, txTime: 0), .leReadMaximumDataLength, .leReadPHY(0),
    .leSetDefaultPHY(tx: nil, rx: nil), .leSetPHY(0, tx: nil, rx: nil), .leSetHostChannelClassification(0),
    .leReadChannelMap(0), .leReadRemoteFeatures(0), .leReadFilterAcceptListSize, .leClearFilterAcceptList,
    .leAddDeviceToFilterAcceptList(.blank), .leRemoveDeviceFromFilterAcceptList(.blank),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .reset: form(.reset)
    case .setEventMask(let mask): form(.setEventMask, Self.setEventMask, mask)
    case .leSetEventMask(let mask): form(.leSetEventMask, Self.leSetEventMask, mask)
    case .readBDADDR: form(.readBDADDR)
    case .readLocalVersionInformation: form(.readLocalVersionInformation)
    case .readLocalSupportedCommands: form(.readLocalSupportedCommands)
    case .readLocalSupportedFeatures: form(.readLocalSupportedFeatures)
    case .readRSSI(let handle): form(.readRSSI, Self.readRSSI, handle)
    case .readRemoteVersionInformation(let handle):
      form(.readRemoteVersionInformation, Self.readRemoteVersionInformation, handle)
    case .disconnect(let handle, let reason): form(.disconnect, Self.disconnect, handle, reason)
    case .leReadBufferSize: form(.leReadBufferSize)
    case .leReadLocalSupportedFeatures: form(.leReadLocalSupportedFeatures)
    case .leSetDataLength(let handle, let octets, let time):
      form(.leSetDataLength, Self.leSetDataLength, handle, octets, time)
    case .leReadSuggestedDefaultDataLength: form(.leReadSuggestedDefaultDataLength)
    case .leWriteSuggestedDefaultDataLength(let octets, let time):
      form(.leWriteSuggestedDefaultDataLength, Self.leWriteSuggestedDefaultDataLength, octets, time)
    case .leReadMaximumDataLength: form(.leReadMaximumDataLength)
    case .leReadPHY(let handle): form(.leReadPHY, Self.leReadPHY, handle)
    case .leSetDefaultPHY(let tx, let rx):
      form(.leSetDefaultPHY, { .leSetDefaultPHY(tx: $0.tx, rx: $0.rx) }, PHYWishes(tx, rx))
    case .leSetPHY(let handle, let tx, let rx, let options):
      form(
        .leSetPHY, { .leSetPHY($0, tx: $1.tx, rx: $1.rx, options: $2) }, handle, PHYWishes(tx, rx), options)
    case .leSetHostChannelClassification(let map):
      form(.leSetHostChannelClassification, { .leSetHostChannelClassification($0.value) }, Wide<5>(map))
    case .leReadChannelMap(let handle): form(.leReadChannelMap, Self.leReadChannelMap, handle)
    case .leReadRemoteFeatures(let handle): form(.leReadRemoteFeatures, Self.leReadRemoteFeatures, handle)
    case .general(let command): form.group(command, Self.general)
    case .security(let command): form.group(command, Self.security)
    case .privacy(let command): form.group(command, Self.privacy)
    case .extended(let command): form.group(command, Self.extended)
    case .periodic(let command): form.group(command, Self.periodic)
    case .power(let command): form.group(command, Self.power)
    case .stream(let command): form.group(command, Self.stream)
    case .other(let opcode, let parameters):
      form(opcode, { .other(opcode, parameters: $0.value) }, AtMost<255>(parameters))
    default: declareLegacyLE(&form)
    }
  }

  /// Advertising, scanning, initiating, connection parameters, and the filter accept list.
  private func declareLegacyLE(_ form: inout PDUForm<Self>) {
    switch self {
    case .leSetRandomAddress(let address):
      form(.leSetRandomAddress, { .leSetRandomAddress($0.value) }, RandomAddress(address))
    case .leSetAdvertisingParameters(let parameters):
      form(.leSetAdvertisingParameters, Self.leSetAdvertisingParameters, parameters)
    case .leSetAdvertisingData(let data):
      form(.leSetAdvertisingData, { .leSetAdvertisingData($0.value) }, LegacyAdvertisingData(data))
    case .leSetScanResponseData(let data):
      form(.leSetScanResponseData, { .leSetScanResponseData($0.value) }, LegacyAdvertisingData(data))
    case .leSetAdvertisingEnable(let isEnabled): form(.leSetAdvertisingEnable, Self.leSetAdvertisingEnable, isEnabled)
    case .leSetScanParameters(let parameters): form(.leSetScanParameters, Self.leSetScanParameters, parameters)
    case .leSetScanEnable(let isEnabled, let filters):
      form(.leSetScanEnable, Self.leSetScanEnable, isEnabled, filters)
    case .leCreateConnection(let creation): form(.leCreateConnection, Self.leCreateConnection, creation)
    case .leCreateConnectionCancel: form(.leCreateConnectionCancel)
    case .leConnectionUpdate(let handle, let wish):
      form(.leConnectionUpdate, { .leConnectionUpdate($0, $1.value) }, handle, WithEventLength(wish))
    case .leRemoteConnectionParameterRequestReply(let handle, let wish):
      form(
        .leRemoteConnectionParameterRequestReply, { .leRemoteConnectionParameterRequestReply($0, $1.value) }, handle,
        WithEventLength(wish))
    case .leRemoteConnectionParameterRequestNegativeReply(let handle, let reason):
      form(
        .leRemoteConnectionParameterRequestNegativeReply, Self.leRemoteConnectionParameterRequestNegativeReply, handle,
        reason)
    case .leReadFilterAcceptListSize: form(.leReadFilterAcceptListSize)
    case .leClearFilterAcceptList: form(.leClearFilterAcceptList)
    case .leAddDeviceToFilterAcceptList(let peer):
      form(.leAddDeviceToFilterAcceptList, Self.leAddDeviceToFilterAcceptList, peer)
    case .leRemoveDeviceFromFilterAcceptList(let peer):
      form(.leRemoveDeviceFromFilterAcceptList, Self.leRemoveDeviceFromFilterAcceptList, peer)
    default: preconditionFailure("a command without a form: \(self)")
    }
  }
}

extension HCI.Command {
  /// The connection a grouped command is about.
  public var groupConnectionHandle: HCI.ConnectionHandle? {
    switch self {
    case .general(let command): command.connectionHandle
    case .security(let command): command.connectionHandle
    case .periodic(let command): command.connectionHandle
    case .power(let command): command.connectionHandle
    default: nil
    }
  }
}

// MARK: Records

extension BluetoothAddress {
  static let blank = BluetoothAddress(kind: .publicDevice, bits: 0)
}

extension HCI.ConnectionParameters: WireRecord {
  static let blank = Self(intervalMinimum: 0, intervalMaximum: 0, supervisionTimeout: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&intervalMinimum, &intervalMaximum, &peripheralLatency, &supervisionTimeout)
  }

  /// Followed by `Min_CE_Length` and `Max_CE_Length`.
  mutating func fieldsWithEventLength<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try fields(&pass)
    try pass.fields(&eventLengthMinimum, &eventLengthMaximum)
  }
}

/// Connection parameters as commands have them.
struct WithEventLength: WireRecord {
  static let blank = Self(.blank)
  var value: HCI.ConnectionParameters
  init(_ value: HCI.ConnectionParameters) { self.value = value }

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try value.fieldsWithEventLength(&pass)
  }
}

extension HCI.AdvertisingParameters: WireRecord {
  static let blank = Self(intervalMinimum: 0, intervalMaximum: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&intervalMinimum, &intervalMaximum, &kind, &ownAddressType)
    try pass.field(&peerAddress, as: AddressOrNone.init, \.value)
    try pass.fields(&channelMap, &filterPolicy)
  }
}

extension HCI.ScanParameters: WireRecord {
  static let blank = Self(isActive: false, interval: 0, window: 0)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&isActive, &interval, &window)
    try pass.fields(&ownAddressType, &filterPolicy)
  }
}

extension HCI.CreateConnection: WireRecord {
  static let blank = Self(scanInterval: 0, scanWindow: 0, peer: .blank, parameters: .blank)

  mutating func fields<Pass: FieldPass>(_ pass: inout Pass) throws(Pass.Failure) {
    try pass.fields(&scanInterval, &scanWindow, &usesFilterAcceptList)
    try pass.device(&peer, &peerIsIdentity)
    try pass.field(&ownAddressType)
    try parameters.fieldsWithEventLength(&pass)
  }
}
