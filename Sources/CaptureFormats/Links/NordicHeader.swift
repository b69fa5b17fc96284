/// The header of Nordic's sniffer, link type 272, as far as it has a meaning beyond the sniffer.
///
/// Layout: `Board: 1 | Payload Length: 2 | Version: 1 | Packet Counter: 2 | Packet: 1 | Length: 1 | Flags: 1 |
/// Channel Index: 1 | RSSI: 1 | Event Counter: 2 | Time: 4`, little-endian; access address, PDU and CRC follow.
/// Versions 1 to 3 (version 1 has two lengths of one octet instead of the payload length). RSSI is the negative of
/// dBm. Not modelled: the version of 2014 that starts with BE EF, and the sniffer's own clock.
enum NordicHeader {
  static let length = 17

  private enum Packet {
    /// In version 3, whose flags have another meaning.
    static let advertising: UInt8 = 2
    static let data: UInt8 = 6
  }

  /// Nil when it is of another version or kind, or on LE Coded. There are `length` octets at least.
  static func read(_ octets: ArraySlice<UInt8>) -> AirHeader? {
    let start = octets.startIndex
    let version = octets[start + 3]
    let packet = octets[start + 6]
    let flags = octets[start + 8]
    let index = octets[start + 9]
    guard (1...3).contains(version), octets[start + 7] == 10, index < 40 else { return nil }
    let isAdvertising = version == 3 && packet == Packet.advertising
    guard isAdvertising || packet == Packet.data else { return nil }
    var header = AirHeader(accessAddress: 0)
    if version > 1 {
      switch flags >> 4 & 7 {
      case 0: break
      case 1: header.isLE2M = true
      default: return nil
      }
    }
    header.isCRCValid = flags & 1 != 0
    header.rfChannel = rfChannel(index)
    header.signalPower = Int8(truncatingIfNeeded: -Int(min(octets[start + 10], 128)))
    if !isAdvertising, octets.count < length + 4 || octets.little(length) as UInt32 != 0x8E89_BED6 {
      header.isFromCentral = flags & 2 != 0
      header.isEncrypted = flags & 4 != 0
      header.isDecrypted = flags & 12 == 12
      header.eventCounter = octets.little(11)
    }
    return header
  }

  /// Spec: Core v5.4, Vol 6, Part B, 1.4.1.
  static func rfChannel(_ index: UInt8) -> UInt8 {
    switch index {
    case 37: 0
    case 38: 12
    case 39: 39
    case ...10: index + 1
    default: index + 2
    }
  }
}
