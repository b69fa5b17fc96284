extension HCI {
  /// Extended advertising, scanning and initiating (Core v5.4, Vol 4, Part E, 7.8.52 … 7.8.66).
  ///
  /// Periodic advertising is `PeriodicCommand`. Not modelled: version 2 of the parameter and connection commands.
  public enum ExtendedCommand: Hashable, Sendable {
    case leSetAdvertisingSetRandomAddress(AdvertisingHandle, BluetoothAddress)
    case leSetExtendedAdvertisingParameters(ExtendedAdvertisingParameters)
    case leSetExtendedAdvertisingData(AdvertisingDataFragment)
    case leSetExtendedScanResponseData(AdvertisingDataFragment)
    /// No sets with `false`: all of them.
    case leSetExtendedAdvertisingEnable(Bool, [AdvertisingSetEnable])
    case leReadMaximumAdvertisingDataLength
    case leReadNumberOfSupportedAdvertisingSets
    case leRemoveAdvertisingSet(AdvertisingHandle)
    case leClearAdvertisingSets
    case leSetExtendedScanParameters(ExtendedScanParameters)
    case leSetExtendedScanEnable(ExtendedScanEnable)
    case leExtendedCreateConnection(ExtendedCreateConnection)
  }

  /// The host's number of an advertising set, 0x00 … 0xEF.
  public typealias AdvertisingHandle = UInt8
}

extension HCI.Opcode {
  public static let leSetAdvertisingSetRandomAddress = HCI.Opcode(ogf: 0x08, ocf: 0x35)
  public static let leSetExtendedAdvertisingParameters = HCI.Opcode(ogf: 0x08, ocf: 0x36)
  public static let leSetExtendedAdvertisingData = HCI.Opcode(ogf: 0x08, ocf: 0x37)
  public static let leSetExtendedScanResponseData = HCI.Opcode(ogf: 0x08, ocf: 0x38)
  public static let leSetExtendedAdvertisingEnable = HCI.Opcode(ogf: 0x08, ocf: 0x39)
  public static let leReadMaximumAdvertisingDataLength = HCI.Opcode(ogf: 0x08, ocf: 0x3A)
  public static let leReadNumberOfSupportedAdvertisingSets = HCI.Opcode(ogf: 0x08, ocf: 0x3B)
  public static let leRemoveAdvertisingSet = HCI.Opcode(ogf: 0x08, ocf: 0x3C)
  public static let leClearAdvertisingSets = HCI.Opcode(ogf: 0x08, ocf: 0x3D)
  public static let leSetExtendedScanParameters = HCI.Opcode(ogf: 0x08, ocf: 0x41)
  public static let leSetExtendedScanEnable = HCI.Opcode(ogf: 0x08, ocf: 0x42)
  public static let leExtendedCreateConnection = HCI.Opcode(ogf: 0x08, ocf: 0x43)
}

extension HCI.ExtendedCommand: FormedPDU {
  typealias Code = HCI.Opcode

  static let blanks: [Self] = [
    .leSetAdvertisingSetRandomAddress(0, .blank), .leSetExtendedAdvertisingParameters(.blank),
    .leSetExtendedAdvertisingData(.blank), .leSetExtendedScanResponseData(.blank),
    .leSetExtendedAdvertisingEnable(false, []), .leReadMaximumAdvertisingDataLength,
    .leReadNumberOfSupportedAdvertisingSets, .leRemoveAdvertisingSet(0), .leClearAdvertisingSets,
    .leSetExtendedScanParameters(.blank), .leSetExtendedScanEnable(.blank), .leExtendedCreateConnection(.blank),
  ]

  func declare(_ form: inout PDUForm<Self>) {
    switch self {
    case .leSetAdvertisingSetRandomAddress(let set, let address):
      form(
        .leSetAdvertisingSetRandomAddress, { .leSetAdvertisingSetRandomAddress($0, $1.value) }, set,
        RandomAddress(address))
    case .leSetExtendedAdvertisingParameters(let parameters):
      form(.leSetExtendedAdvertisingParameters, Self.leSetExtendedAdvertisingParameters, parameters)
    case .leSetExtendedAdvertisingData(let fragment):
      form(.leSetExtendedAdvertisingData, Self.leSetExtendedAdvertisingData, fragment)
    case .leSetExtendedScanResponseData(let fragment):
      form(.leSetExtendedScanResponseData, Self.leSetExtendedScanResponseData, fragment)
    case .leSetExtendedAdvertisingEnable(let isEnabled, let sets):
      form(
        .leSetExtendedAdvertisingEnable, { .leSetExtendedAdvertisingEnable($0, $1.value) }, isEnabled,
        CountedList(sets))
    case .leReadMaximumAdvertisingDataLength: form(.leReadMaximumAdvertisingDataLength)
    case .leReadNumberOfSupportedAdvertisingSets: form(.leReadNumberOfSupportedAdvertisingSets)
    case .leRemoveAdvertisingSet(let set): form(.leRemoveAdvertisingSet, Self.leRemoveAdvertisingSet, set)
    case .leClearAdvertisingSets: form(.leClearAdvertisingSets)
    case .leSetExtendedScanParameters(let parameters):
      form(.leSetExtendedScanParameters, Self.leSetExtendedScanParameters, parameters)
    case .leSetExtendedScanEnable(let enable): form(.leSetExtendedScanEnable, Self.leSetExtendedScanEnable, enable)
    case .leExtendedCreateConnection(let creation):
      form(.leExtendedCreateConnection, Self.leExtendedCreateConnection, creation)
    }
  }
}
