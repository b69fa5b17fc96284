import CaptureFormats
import Expectations
import Testing

@Suite("Per-Packet Information")
struct PPITests {
  /// Ubertooth's header of 24 octets, in front of an ADV_IND.
  private static let packet = [UInt8].hex(
    "00001800 93000000 36750c00 00620900 a0860100 9c050000 d6be898e 0009e8dd6ee5c578020106 aabbcc")

  private static func file(_ packet: [UInt8]) -> [UInt8] {
    [UInt8].hex("d4c3b2a1 02000400 00000000 00000000 ffff0000 c0000000 00000000 00000000")
      + [UInt8(packet.count), 0, 0, 0, UInt8(packet.count), 0, 0, 0] + packet
  }

  @Test("A record keeps its header and access address in every format that has its link type")
  func converted() throws {
    let records = try ReadFile(Self.file(Self.packet)).records
    guard case .air(let header)? = records.first?.body else { return expect(false, "no PDU: \(records)") }
    expect(header.accessAddress == 0x8E89_BED6 && header.rfChannel == 0 && header.prefix.count == 24)
    for format in [CaptureFormat.pcap, .pcapng] {
      let made = CaptureWriter.file(records, format)
      expect(made.mismatches.isEmpty)
      let again = try ReadFile(made.octets).records
      expect(again.map(\.body) == records.map(\.body) && again.map(\.link) == [.ppi])
      expect(made.octets.firstRange(of: Self.packet) != nil)
    }
  }

  @Test("Headers of every length are kept or refused, none is fatal")
  func lengths() throws {
    for length in 0...40 {
      var packet = [UInt8](repeating: 0, count: max(8, length)) + Self.packet.dropFirst(24)
      packet[2] = UInt8(length)
      packet[4] = 147
      let records = try ReadFile(Self.file(packet)).records
      for format in CaptureFormat.written { _ = CaptureWriter.file(records, format) }
    }
  }
}
