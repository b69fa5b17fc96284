/// A header of Per-Packet Information, link type 192, in front of an LE PDU: as Ubertooth and the programs after it
/// wrote it before link types 251 and 256 were there.
///
/// Layout: `Version: 1 | Flags: 1 | Header Length: 2 | Data Link Type: 4`, little-endian, and fields of `Type: 2 |
/// Length: 2 | Data`. The data link type of LE is 147, the first of those for private use, or 251. The field 30006 is
/// Ubertooth's: `Version: 1 | Frequency in MHz: 2 | Clock, upper: 1 | Clock, 100 ns: 4 | RSSI: 4`. Access address, PDU
/// and CRC follow the header. Not modelled: RSSI, which has no unit; the sniffer's clock; other fields.
enum PPIHeader {
  /// Without fields.
  static let least = 8
  /// Longer ones are not kept, and so not read.
  private static let longest = 24
  private static let bluetoothLE: [UInt32] = [147, 251]
  private static let ubertooth: UInt16 = 30_006

  enum Reading {
    case pdu(AirHeader, length: Int)
    case opaque(CaptureOpacity)
  }

  static func read(_ octets: ArraySlice<UInt8>) -> Reading {
    guard octets.count >= least else { return .opaque(.tooShort) }
    let length = Int(octets.little(2) as UInt16)
    guard octets[octets.startIndex] == 0, length >= least, bluetoothLE.contains(octets.little(4)) else {
      return .opaque(.foreignLink)
    }
    guard octets.count >= length else { return .opaque(.tooShort) }
    guard length <= longest else { return .opaque(.unknownKind) }
    var header = AirHeader(accessAddress: 0)
    var place = least
    while place + 4 <= length {
      let size = Int(octets.little(place + 2) as UInt16)
      if octets.little(place) == ubertooth, size >= 3, place + 7 <= length {
        let frequency = Int(octets.little(place + 5) as UInt16)
        if (2_402...2_480).contains(frequency), frequency % 2 == 0 { header.rfChannel = UInt8((frequency - 2_402) / 2) }
      }
      place += 4 + size
    }
    return .pdu(header, length: length)
  }
}
