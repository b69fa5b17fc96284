/// The header of Nordic's sniffer, link type 272, as far as it has a meaning beyond the sniffer.
///
/// Layout: `Board: 1 | Payload Length: 2 | Version: 1 | Packet Counter: 2 | Packet ID: 1 | Length: 1 | Flags: 1 |
/// Channel Index: 1 | RSSI: 1 | Event Counter: 2 | Time: 4`, little-endian; access address, PDU and CRC follow.
/// Versions 1 to 3 (version 1 has two lengths of one octet instead of the payload length, and programs write any
/// `Length` there). The version of 2014, 0 to
/// Wireshark, starts with `BE EF | Packet ID: 1 | Packet Counter: 2 | unused: 2 | Payload Length: 1` and has the flags
/// in the same place. RSSI is the negative of dBm. Time is microseconds since the end of
/// the record before; in version 3 those of a clock, at the start of the PDU.
///
/// Tools that speak for themselves instead of listening, such as that of the SweynTooth attacks, write packet ID 0,
/// zeros for what they do not know, the flag of a good CRC, and in the place of the CRC whatever their radio left
/// there. Wireshark does not look at the ID of versions below 3.
enum NordicHeader {
  static let length = 17

  private enum PacketID {
    static let tool: UInt8 = 0
    /// In version 3, whose flags have another meaning.
    static let advertising: UInt8 = 2
    /// In versions before 3 of any physical channel.
    static let data: UInt8 = 6
  }

  enum Reading {
    /// - Parameters:
    ///   - hasCRC: the last three octets are those of the air.
    ///   - isCoded: a Coding Indicator comes after the access address.
    case pdu(AirHeader, hasCRC: Bool, isCoded: Bool)
    case opaque(CaptureOpacity)
  }

  /// There are `length` octets at least.
  static func read(_ octets: ArraySlice<UInt8>) -> Reading {
    let start = octets.startIndex
    let isOld = octets[start] == 0xBE && octets[start + 1] == 0xEF
    let version = isOld ? 0 : octets[start + 3]
    let id = octets[start + (isOld ? 2 : 6)]
    let flags = octets[start + 8]
    let index = octets[start + 9]
    guard version <= 3, isOld || version > 0 else { return .opaque(.unknownVersion(version)) }
    let isFromTool = id == PacketID.tool
    let isAdvertising = version == 3 && id == PacketID.advertising
    guard isAdvertising || isFromTool || id == PacketID.data else { return .opaque(.unknownPacketID(id)) }
    guard version < 2 || octets[start + 7] == 10, index < 40 else { return .opaque(.unknownKind) }
    var header = AirHeader(accessAddress: 0)
    var isCoded = false
    if version > 1 {
      switch flags >> 4 & 7 {
      case 0: break
      case 1: header.isLE2M = true
      case 2: isCoded = true
      default: return .opaque(.unknownKind)
      }
    }
    header.isCRCValid = flags & 1 != 0
    header.isFromTool = isFromTool
    if isAdvertising, index < 37 { header.auxiliary = AuxiliaryKind(rawValue: flags >> 1 & 3) }
    let rssi = octets[start + 10]
    if !isFromTool || index != 0 { header.rfChannel = rfChannel(index) }
    if !isFromTool || rssi != 0 { header.signalPower = Int8(truncatingIfNeeded: -Int(min(rssi, 128))) }
    if !isAdvertising, octets.count < length + 4 || octets.little(length) as UInt32 != 0x8E89_BED6 {
      header.isFromCentral = flags & 2 != 0
      header.isEncrypted = flags & 4 != 0
      header.isDecrypted = flags & 12 == 12
      if !isFromTool { header.eventCounter = octets.little(11) }
    }
    if !isFromTool, !isOld {
      header.snifferTime = SnifferTime(
        recordCounter: octets.little(4), reading: version < 3 ? .sinceEnd(octets.little(13)) : .at(octets.little(13)))
    }
    return .pdu(header, hasCRC: !isFromTool, isCoded: isCoded)
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
