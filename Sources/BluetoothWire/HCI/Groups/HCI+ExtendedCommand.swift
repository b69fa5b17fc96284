extension HCI {
  /// Extended advertising, scanning and initiating (Core v5.4, Vol 4, Part E, 7.8.52 … 7.8.66).
  ///
  /// Not modelled: periodic advertising, version 2 of the parameter and connection commands.
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

extension HCI.ExtendedCommand: HCICommandGroup {
  var opcode: HCI.Opcode {
    switch self {
    case .leSetAdvertisingSetRandomAddress: .leSetAdvertisingSetRandomAddress
    case .leSetExtendedAdvertisingParameters: .leSetExtendedAdvertisingParameters
    case .leSetExtendedAdvertisingData: .leSetExtendedAdvertisingData
    case .leSetExtendedScanResponseData: .leSetExtendedScanResponseData
    case .leSetExtendedAdvertisingEnable: .leSetExtendedAdvertisingEnable
    case .leReadMaximumAdvertisingDataLength: .leReadMaximumAdvertisingDataLength
    case .leReadNumberOfSupportedAdvertisingSets: .leReadNumberOfSupportedAdvertisingSets
    case .leRemoveAdvertisingSet: .leRemoveAdvertisingSet
    case .leClearAdvertisingSets: .leClearAdvertisingSets
    case .leSetExtendedScanParameters: .leSetExtendedScanParameters
    case .leSetExtendedScanEnable: .leSetExtendedScanEnable
    case .leExtendedCreateConnection: .leExtendedCreateConnection
    }
  }

  var connectionHandle: HCI.ConnectionHandle? { nil }

  func appendParameters(to octets: inout [UInt8]) {
    switch self {
    case .leReadMaximumAdvertisingDataLength, .leReadNumberOfSupportedAdvertisingSets, .leClearAdvertisingSets: break
    case .leSetAdvertisingSetRandomAddress(let set, let address):
      octets.append(set)
      octets.append(littleEndian: address.bits, count: 6)
    case .leSetExtendedAdvertisingParameters(let parameters): parameters.append(to: &octets)
    case .leSetExtendedAdvertisingData(let fragment), .leSetExtendedScanResponseData(let fragment):
      fragment.append(to: &octets)
    case .leSetExtendedAdvertisingEnable(let isEnabled, let sets):
      let sets = sets.prefix(HCI.AdvertisingSetEnable.maximumCount)
      octets += [isEnabled ? 1 : 0, UInt8(sets.count)]
      for set in sets { set.append(to: &octets) }
    case .leRemoveAdvertisingSet(let set): octets.append(set)
    case .leSetExtendedScanParameters(let parameters): parameters.append(to: &octets)
    case .leSetExtendedScanEnable(let enable): enable.append(to: &octets)
    case .leExtendedCreateConnection(let creation): creation.append(to: &octets)
    }
  }

  init?(_ opcode: HCI.Opcode, _ reader: inout OctetReader) throws(WireError) {
    switch opcode {
    case .leSetAdvertisingSetRandomAddress:
      self = .leSetAdvertisingSetRandomAddress(try reader.u8(), try reader.address(.random))
    case .leSetExtendedAdvertisingParameters:
      self = .leSetExtendedAdvertisingParameters(try HCI.ExtendedAdvertisingParameters(reading: &reader))
    case .leSetExtendedAdvertisingData:
      self = .leSetExtendedAdvertisingData(try HCI.AdvertisingDataFragment(reading: &reader))
    case .leSetExtendedScanResponseData:
      self = .leSetExtendedScanResponseData(try HCI.AdvertisingDataFragment(reading: &reader))
    case .leSetExtendedAdvertisingEnable:
      let isEnabled = try reader.bool()
      var sets: [HCI.AdvertisingSetEnable] = []
      for _ in 0..<(try reader.u8()) { sets.append(try HCI.AdvertisingSetEnable(reading: &reader)) }
      self = .leSetExtendedAdvertisingEnable(isEnabled, sets)
    case .leReadMaximumAdvertisingDataLength: self = .leReadMaximumAdvertisingDataLength
    case .leReadNumberOfSupportedAdvertisingSets: self = .leReadNumberOfSupportedAdvertisingSets
    case .leRemoveAdvertisingSet: self = .leRemoveAdvertisingSet(try reader.u8())
    case .leClearAdvertisingSets: self = .leClearAdvertisingSets
    case .leSetExtendedScanParameters:
      self = .leSetExtendedScanParameters(try HCI.ExtendedScanParameters(reading: &reader))
    case .leSetExtendedScanEnable: self = .leSetExtendedScanEnable(try HCI.ExtendedScanEnable(reading: &reader))
    case .leExtendedCreateConnection:
      self = .leExtendedCreateConnection(try HCI.ExtendedCreateConnection(reading: &reader))
    default: return nil
    }
  }
}
