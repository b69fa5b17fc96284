import CaptureFormats
import Testing

@Suite("pcapng files")
struct PCAPNGTests {
  /// Shared capture 07, octets 0 … 171: section, interface and first packet of an Ubertooth.
  static let ubertooth = SharedFile.hex(
    """
    0a0d0d0a2c0000004d3c2b1a0100000028a80100000000000400070\
    06c6962627462620000000000 2c000000 010000003000000000010000400000000300090055626572746f6f74680000000900010009\
    00000000000000 30000000 060000005400000000000000 4c370300bb15d11b 34000000 34000000 0000c900d6be898e3700\
    d6be898e402116234282437d02011a030311181309416c657274204e6f74696669636174696f6ee5b902 54000000
    """)

  private func read(_ octets: [UInt8], chunk: Int = .max) throws -> (packets: [PCAPNG.Packet], reader: PCAPNG.Reader) {
    var reader = PCAPNG.Reader()
    var packets: [PCAPNG.Packet] = []
    var position = 0
    repeat {
      let count = min(chunk, octets.count - position)
      reader.append(Array(octets[position..<position + count]))
      position += count
      while let packet = try reader.next() { packets.append(packet) }
    } while position < octets.count
    return (packets, reader)
  }

  private static let written: [UInt8] = {
    var file: [UInt8] = []
    PCAPNG.appendSectionHeader(application: "babbench", comments: ["seed 7", "Zoë"], to: &file)
    PCAPNG.appendInterface(linkType: PCAPNG.leLinkType, name: "air", to: &file)
    PCAPNG.appendPacket([1, 2, 3], nanoseconds: 1, comments: [], to: &file)
    PCAPNG.appendPacket([4, 5, 6, 7], nanoseconds: 2_000_000_003, comments: ["one", "two lines\nhere"], to: &file)
    PCAPNG.appendRemarks(["verdict pass"], nanoseconds: 3_000_000_000, to: &file)
    return file
  }()

  @Test("The first packet of an Ubertooth capture reads as Wireshark reads it")
  func ubertoothPacket() throws {
    let (packets, reader) = try read(Self.ubertooth)
    #expect(reader.ending == .whole)
    #expect(packets.count == 1)
    #expect(packets[0].linkType == 256)
    // Wireshark: 905224.953861563 s since 1970.
    #expect(packets[0].nanoseconds == 905_224_953_861_563)
    #expect(packets[0].octets.count == 52 && packets[0].octets.starts(with: [0, 0, 0xC9, 0, 0xD6, 0xBE]))
  }

  @Test("What was written is read back, with its comments")
  func roundTrip() throws {
    let (packets, reader) = try read(Self.written, chunk: 7)
    let start = CaptureEpoch.unixSeconds * 1_000_000_000
    #expect(
      packets == [
        .init(linkType: 256, nanoseconds: start + 1, originalLength: 3, octets: [1, 2, 3], comments: []),
        .init(
          linkType: 256, nanoseconds: start + 2_000_000_003, originalLength: 4, octets: [4, 5, 6, 7],
          comments: ["one", "two lines\nhere"]),
      ])
    #expect(reader.sectionComments == ["seed 7", "Zoë"])
    #expect(reader.remarks == ["verdict pass"])
    #expect(reader.ending == .whole)
  }

  @Test("Whole foreign captures read to their last packet in pieces of any size", .enabled(if: SharedFile.areAvailable))
  func foreign() throws {
    let entries = try SharedFile.entries("pcapng")
    #expect(entries.count >= 5)
    for entry in entries {
      let octets = try SharedFile.octets(entry)
      let (packets, reader) = try read(octets)
      #expect(packets.count == entry.packets, "\(entry)")
      #expect(reader.ending == .whole, "\(entry)")
      #expect(packets.allSatisfy { entry.datalink.hasPrefix("\($0.linkType) ") }, "\(entry)")
      #expect(try read(octets, chunk: 1000).packets == packets)
    }
  }

  @Test("A big-endian section reads the same")
  func bigEndian() throws {
    let file = SharedFile.hex(
      """
      0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c
      00000001 00000014 0100 0000 00000000 00000014
      00000006 00000024 00000000 00000001 00000002 00000002 00000009 aabb0000 00000024
      """.filter { $0 != "\n" })
    let (packets, _) = try read(file)
    #expect(
      packets == [
        .init(
          linkType: 256, nanoseconds: 4_294_967_298_000, originalLength: 9, octets: [0xAA, 0xBB], comments: [])
      ])
  }

  @Test("A file that ends inside a block gives the packets before it and says where")
  func truncated() throws {
    let whole = try read(Self.written).packets
    for count in 0..<Self.written.count {
      let (packets, reader) = try read(Array(Self.written.prefix(count)))
      #expect(packets == Array(whole.prefix(packets.count)))
      if case .truncated(let block) = reader.ending { #expect(block <= count) }
    }
    #expect(try read(Array(Self.written.dropLast(1))).reader.ending != .whole)
  }

  @Test("Every bit flip and awkward octet is read or refused", arguments: [ubertooth, written])
  func damaged(_ file: [UInt8]) {
    for index in file.indices {
      for value in (UInt8(0)..<8).map({ file[index] ^ 1 << $0 }) + [0x00, 0x7F, 0x80, 0xFF] {
        var octets = file
        octets[index] = value
        _ = try? read(octets)
      }
    }
  }

  @Test("Impossible files are refused where they are")
  func refusals() {
    #expect(throws: CaptureError(.missingSectionHeader, at: 0)) { try read([0xD4, 0xC3]) }
    #expect(throws: CaptureError(.missingSectionHeader, at: 0)) { try read([UInt8](repeating: 1, count: 12)) }
    #expect(throws: CaptureError(.notThisFormat, at: 8)) {
      try read([0x0A, 0x0D, 0x0D, 0x0A] + [UInt8](repeating: 0, count: 8))
    }
    var file = Self.ubertooth
    file[44 + 4] = 0x2D
    #expect(throws: CaptureError(.lengthOutOfRange, at: 48)) { try read(file) }
    file = Self.ubertooth
    file[44 + 44] = 0x34
    #expect(throws: CaptureError(.lengthMismatch, at: 88)) { try read(file) }
    file = Self.ubertooth
    file[92 + 8] = 1
    #expect(throws: CaptureError(.unknownInterface, at: 100)) { try read(file) }
    file = Self.ubertooth
    file[92 + 20] = 0x40
    #expect(throws: CaptureError(.lengthMismatch, at: 112)) { try read(file) }
  }

  @Test("Odd time resolutions never trap", arguments: UInt8.min...UInt8.max)
  func resolutions(_ resolution: UInt8) throws {
    var file = Self.ubertooth
    file[44 + 36] = resolution
    let time = try read(file).packets[0].nanoseconds
    switch resolution {
    case 9: #expect(time == 905_224_953_861_563)
    case 6: #expect(time == 905_224_953_861_563_000)
    case 10: #expect(time == 90_522_495_386_156)
    case 0x80 | 30: #expect(time == 843_056_434_636_528)
    case 0: #expect(time == .max)
    default: #expect(time >= 0)
    }
  }

  @Test("A comment that is too long is cut between two characters")
  func longComment() throws {
    var file: [UInt8] = []
    PCAPNG.appendSectionHeader(application: "babbench", comments: [], to: &file)
    PCAPNG.appendInterface(linkType: 1, name: "air", to: &file)
    PCAPNG.appendPacket([], nanoseconds: 0, comments: ["x" + String(repeating: "ë", count: 40_000)], to: &file)
    #expect(try read(file).packets[0].comments == ["x" + String(repeating: "ë", count: 32_767)])
    file = []
    PCAPNG.appendSectionHeader(application: "babbench", comments: [], to: &file)
    PCAPNG.appendInterface(linkType: 1, name: "air", to: &file)
    PCAPNG.appendPacket([], nanoseconds: 0, comments: [String(repeating: "ë", count: 40_000)], to: &file)
    #expect(try read(file).packets[0].comments == [String(repeating: "ë", count: 32_767)])
  }
}

@Suite("The pseudo header of a PDU on the air (link type 256)")
struct LEPseudoHeaderTests {
  private func octets(_ header: LEPseudoHeader) -> [UInt8] {
    var octets: [UInt8] = []
    header.append(to: &octets)
    return octets
  }

  /// Shared capture 02, frames 1, 251 and 254, as an nRF sniffer wrote them.
  @Test("Headers that a sniffer wrote come out the same")
  func foreign() {
    #expect(
      octets(
        LEPseudoHeader(
          rfChannel: 0, signalPower: -35, referenceAccessAddress: 0x8E89_BED6, pduType: .advertisingOrUnknown,
          isLE2M: false, isCRCValid: true)) == SharedFile.hex("00dd8000d6be898e130c"))
    #expect(
      octets(
        LEPseudoHeader(
          rfChannel: 23, signalPower: -34, referenceAccessAddress: 0xC658_936D, pduType: .peripheralToCentral,
          isLE2M: false, isCRCValid: true))
        == SharedFile.hex("17de80006d9358c6930d"))
    #expect(
      octets(
        LEPseudoHeader(
          rfChannel: 33, signalPower: -62, referenceAccessAddress: 0xC658_936D, pduType: .centralToPeripheral,
          isLE2M: false, isCRCValid: true))
        == SharedFile.hex("21c280006d9358c6130d"))
  }

  @Test("What is not known is not marked as valid")
  func unknown() {
    let header = LEPseudoHeader(
      rfChannel: 39, signalPower: nil, referenceAccessAddress: nil, pduType: .advertisingOrUnknown, isLE2M: true,
      isCRCValid: nil)
    #expect(octets(header) == SharedFile.hex("278080000000000001 40"))
    var bad = header
    bad.isCRCValid = false
    bad.noisePower = -95
    #expect(bad.flags == 0x4405)
  }
}
