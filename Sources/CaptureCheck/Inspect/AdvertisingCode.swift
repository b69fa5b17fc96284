import BluetoothWire
import CaptureFormats

/// A number for each PDU of advertising: the PDU types of the primary and the secondary channels overlap, and six
/// auxiliary PDUs have one type. Spec: Core v5.4, Vol 6, Part B, 2.3.
enum AdvertisingCode {
  private static let auxiliary: UInt8 = 0x10

  /// The PDU type in the low four bits; above them 0 on a primary channel, 1 on a secondary one, and of the common
  /// extended header one more than `AuxiliaryKind`.
  /// - Parameter first: the PDU's first octet.
  static func code(_ first: UInt8, _ header: AirHeader) -> UInt8 {
    let type = first & 0x0F
    if type == LL.AdvertisingType.extended, let kind = header.auxiliary { return type | (kind.rawValue + 1) << 4 }
    let isSecondary = header.rfChannel.map { !LL.isPrimary(rfChannel: $0) } ?? false
    let hasBoth = type == LL.AdvertisingType.scanReq || type == LL.AdvertisingType.connectInd
    return isSecondary && hasBoth ? type | auxiliary : type
  }

  /// The PDU type of a code.
  static func type(_ code: UInt16) -> UInt16 { code & 0x0F }

  /// Whether a PDU on the air is one of advertising: its own access address, or that of a periodic train.
  static func isAdvertising(_ header: AirHeader) -> Bool {
    header.accessAddress == LL.advertisingAccessAddress || header.auxiliary?.numbered == .syncInd
  }
}
