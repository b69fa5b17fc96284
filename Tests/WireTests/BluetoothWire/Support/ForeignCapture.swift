import Expectations
import Foundation

/// Packets of a capture file that somebody else made, read with as little code as possible.
struct ForeignCapture {
  struct Packet {
    var linkType: UInt32
    var microseconds: Int64
    var octets: [UInt8]
  }

  var packets: [Packet] = []

  static let folder = Repository.shared + "/captures"

  /// Whether the shared captures are here; says so when they are not.
  static let areAvailable: Bool = {
    if FileManager.default.fileExists(atPath: folder + "/INDEX.tsv") { return true }
    print("SKIPPED: no shared captures at \(folder) (set BABBENCH_SHARED); tests against whole captures do not run")
    return false
  }()

  /// Reads the one capture whose file name starts with `prefix`.
  init(_ prefix: String) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder).filter { $0.hasPrefix(prefix + "-") }
    guard let name = names.first, names.count == 1 else { throw CocoaError(.fileNoSuchFile) }
    let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: Self.folder + "/" + name)))
    switch octets.prefix(4) {
    case [0xD4, 0xC3, 0xB2, 0xA1]: readPCAP(octets)
    case [0x0A, 0x0D, 0x0D, 0x0A]: readPCAPNG(octets)
    case [0x62, 0x74, 0x73, 0x6E]: readBTSnoop(octets)
    default: throw CocoaError(.fileReadCorruptFile)
    }
  }

  private static func number(_ octets: [UInt8], _ offset: Int, _ count: Int, big: Bool = false) -> Int64 {
    let slice = octets[offset..<offset + count]
    return (big ? Array(slice) : slice.reversed()).reduce(0) { $0 << 8 | Int64($1) }
  }

  private mutating func readPCAP(_ octets: [UInt8]) {
    let linkType = UInt32(Self.number(octets, 20, 4))
    var offset = 24
    while offset + 16 <= octets.count {
      let seconds = Self.number(octets, offset, 4)
      let length = Int(Self.number(octets, offset + 8, 4))
      packets.append(
        Packet(
          linkType: linkType, microseconds: seconds * 1_000_000 + Self.number(octets, offset + 4, 4),
          octets: Array(octets[offset + 16..<offset + 16 + length])))
      offset += 16 + length
    }
  }

  /// Microseconds are taken as they come; every shared capture has the default resolution or does not need the time.
  private mutating func readPCAPNG(_ octets: [UInt8]) {
    var linkType: UInt32 = 0
    var offset = 0
    while offset + 12 <= octets.count {
      let type = Self.number(octets, offset, 4)
      if type == 1 { linkType = UInt32(Self.number(octets, offset + 8, 2)) }
      if type == 6 {
        let time = Self.number(octets, offset + 12, 4) << 32 | Self.number(octets, offset + 16, 4)
        let length = Int(Self.number(octets, offset + 20, 4))
        packets.append(
          Packet(
            linkType: linkType, microseconds: time, octets: Array(octets[offset + 28..<offset + 28 + length])))
      }
      offset += Int(Self.number(octets, offset + 4, 4))
    }
  }

  private mutating func readBTSnoop(_ octets: [UInt8]) {
    let linkType = UInt32(Self.number(octets, 12, 4, big: true))
    var offset = 16
    while offset + 24 <= octets.count {
      let length = Int(Self.number(octets, offset + 4, 4, big: true))
      if offset + 24 + length > octets.count { break }
      packets.append(
        Packet(
          linkType: linkType, microseconds: Self.number(octets, offset + 16, 8, big: true),
          octets: Array(octets[offset + 24..<offset + 24 + length])))
      offset += 24 + length
    }
  }
}

/// One PDU of a foreign air capture, without the sniffer's own header.
struct ForeignAirPDU {
  var microseconds: Int64
  var rfChannel: UInt8?
  var accessAddress: UInt32
  var pdu: [UInt8]
  var crc: [UInt8]
  /// Nordic sniffer only: its count of connection events.
  var eventCounter: UInt16? = nil

  /// Nil when the sniffer itself says that the CRC was wrong, or that it is no LE PDU.
  init?(_ packet: ForeignCapture.Packet) {
    var octets = packet.octets
    switch packet.linkType {
    case 251: rfChannel = nil
    case 256:
      guard octets.count > 10 else { return nil }
      rfChannel = octets[0]
      octets.removeFirst(10)
    case 272:
      guard octets.count > 17, octets[8] & 1 != 0 else { return nil }
      rfChannel = octets[9] < 37 ? (octets[9] < 11 ? octets[9] + 1 : octets[9] + 2) : nil
      eventCounter = UInt16(octets[11]) | UInt16(octets[12]) << 8
      octets.removeFirst(17)
    default: return nil
    }
    guard octets.count >= 9 else { return nil }
    microseconds = packet.microseconds
    accessAddress = octets[0..<4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
    pdu = Array(octets[4..<octets.count - 3])
    crc = Array(octets.suffix(3))
  }
}
