import CaptureFormats
import Expectations
import Testing

@Suite("pcapng files")
struct PCAPNGTests {
  /// Shared capture 07, octets 0 … 171: section, interface and first packet of an Ubertooth.
  static let ubertooth = [UInt8].hex(
    """
    0a0d0d0a2c0000004d3c2b1a0100000028a80100000000000400070\
    06c6962627462620000000000 2c000000 010000003000000000010000400000000300090055626572746f6f74680000000900010009\
    00000000000000 30000000 060000005400000000000000 4c370300bb15d11b 34000000 34000000 0000c900d6be898e3700\
    d6be898e402116234282437d02011a030311181309416c657274204e6f74696669636174696f6ee5b902 54000000
    """)

  static let written: [UInt8] = {
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
    let file = try ReadFile(Self.ubertooth)
    expect(file.reader.format == .pcapng && file.reader.ending == .whole)
    equal(file.records.count, 1)
    let record = file.records[0]
    expect(record.link == .leLinkLayerWithHeader && record.originalLength == 52)
    // Wireshark: 905224.953861563 s since 1970.
    equal(record.nanoseconds, 905_224_953_861_563)
    // Wireshark: channel 37, signal 0 dBm, noise −55 dBm, no CRC check.
    var header = AirHeader(accessAddress: 0x8E89_BED6)
    header.rfChannel = 0
    header.signalPower = 0
    header.noisePower = -55
    header.crc = 0x02B9E5
    guard case .air(let read) = record.body else { throw CaptureError(.notThisFormat, at: 0) }
    header.prefix = read.prefix
    equal(read, header)
    expect(record.octets.starts(with: [0x40, 0x21, 0x16, 0x23]) && record.octets.count == 35)
  }

  @Test("What was written is read back, with its comments")
  func roundTrip() throws {
    let file = try ReadFile(Self.written, chunk: 7)
    let start = CaptureEpoch.unixSeconds * 1_000_000_000
    equal(
      file.plain,
      [
        CaptureRecord(
          number: 1, link: .leLinkLayerWithHeader, nanoseconds: start + 1, originalLength: 3,
          body: .opaque(.tooShort), octets: [1, 2, 3]),
        CaptureRecord(
          number: 2, link: .leLinkLayerWithHeader, nanoseconds: start + 2_000_000_003, originalLength: 4,
          body: .opaque(.tooShort), octets: [4, 5, 6, 7], comments: ["one", "two lines\nhere"]),
      ])
    equal(file.reader.sectionComments, ["seed 7", "Zoë"])
    equal(file.reader.remarks, ["verdict pass"])
    equal(file.reader.ending, .whole)
  }

  @Test("A big-endian section reads the same")
  func bigEndian() throws {
    let file = [UInt8].hex(
      """
      0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c
      00000001 00000014 0100 0000 00000000 00000014
      00000006 00000024 00000000 00000001 00000002 00000002 00000009 aabb0000 00000024
      """)
    try equal(
      ReadFile(file).plain,
      [
        CaptureRecord(
          number: 1, link: .leLinkLayerWithHeader, nanoseconds: 4_294_967_298_000, originalLength: 9,
          body: .opaque(.snapped), octets: [0xAA, 0xBB])
      ])
  }

  /// Two sections of different byte orders; two interfaces with offset and resolution; direction flags, drop counts;
  /// a simple, an obsolete, a custom and an unknown block.
  @Test("Sections, interfaces, packet kinds and options are told apart")
  func kinds() throws {
    let file = [UInt8].hex(
      """
      0a0d0d0a 1c000000 4d3c2b1a 0100 0000 ffffffffffffffff 1c000000
      01000000 14000000 bb00 0000 02000000 14000000
      01000000 2c000000 c900 0000 00000000 0900 0100 8a 000000 0e00 0800 0a00000000000000 0000 0000 2c000000
      ad0b0000 14000000 01020304 05060708 14000000
      78563412 0c000000 0c000000
      03000000 14000000 02000000 0211 0000 14000000
      03000000 14000000 03000000 0211 0000 14000000
      06000000 48000000 01000000 00000000 00060000 06000000 06000000 000000010411 0000
        0200 0400 02000000 0400 0800 0300000000000000 0100 0200 6869 0000 0000 0000 48000000
      06000000 3c000000 00000000 00000000 0a000000 02000000 02000000 0211 0000
        0200 0400 01000000 0400 0800 0400000000000000 0000 0000 3c000000
      02000000 24000000 0000 0200 00000000 0b000000 02000000 02000000 0211 0000 24000000
      0a0d0d0a 0000001c 1a2b3c4d 0001 0000 ffffffffffffffff 0000001c
      00000001 00000014 00bb 0000 00000000 00000014
      00000006 0000002c 00000000 00000000 00000002 00000002 00000002 02110000
        0002 0004 00000002 0000002c
      """)
    for chunk in [1, 16, 1000] {
      let records = try ReadFile(file, chunk: chunk).plain
      equal(records.map(\.number), [1, 2, 3, 4, 5, 6])
      equal(records.map(\.interface), [0, 0, 1, 0, 0, 2])
      equal(records.map(\.nanoseconds), [0, 0, 11_500_000_000, 10_000, 11_000, 2_000])
      equal(records.map(\.drops), [nil, nil, 3, 7, 9, nil])
      equal(
        records.map(\.body),
        [
          .hci(adapter: 0, indicator: 2, isToHost: nil), .opaque(.snapped),
          .hci(adapter: 0, indicator: 4, isToHost: true), .hci(adapter: 0, indicator: 2, isToHost: true),
          .hci(adapter: 0, indicator: 2, isToHost: nil), .hci(adapter: 0, indicator: 2, isToHost: false),
        ])
      expect(records[2].comments == ["hi"] && records[2].octets == [0x11])
    }
  }

  @Test("A file that ends inside a block gives the packets before it and says where")
  func truncated() throws {
    let whole = try ReadFile(Self.written).plain
    for count in 13..<Self.written.count {
      let file = try ReadFile(Array(Self.written.prefix(count)))
      equal(file.plain, Array(whole.prefix(file.records.count)))
      if case .truncated(let block) = file.reader.ending { expect(block <= count) }
    }
    try expect(ReadFile(Array(Self.written.dropLast(1))).reader.ending != .whole)
  }

  @Test("Impossible files are refused where they are")
  func refusals() {
    #expect(throws: CaptureError(.notThisFormat, at: 8)) {
      try ReadFile([0x0A, 0x0D, 0x0D, 0x0A] + [UInt8](repeating: 0, count: 9))
    }
    var file = Self.ubertooth
    file[44 + 4] = 0x2D
    #expect(throws: CaptureError(.lengthOutOfRange, at: 48)) { try ReadFile(file) }
    file = Self.ubertooth
    file[44 + 44] = 0x34
    #expect(throws: CaptureError(.lengthMismatch, at: 88)) { try ReadFile(file) }
    file = Self.ubertooth
    file[92 + 8] = 1
    #expect(throws: CaptureError(.unknownInterface, at: 100)) { try ReadFile(file) }
    file = Self.ubertooth
    file[92 + 20] = 0x40
    #expect(throws: CaptureError(.lengthMismatch, at: 112)) { try ReadFile(file) }
  }

  @Test("Odd time resolutions never trap", arguments: UInt8.min...UInt8.max)
  func resolutions(_ resolution: UInt8) throws {
    var file = Self.ubertooth
    file[44 + 36] = resolution
    let time = try ReadFile(file).records[0].nanoseconds
    switch resolution {
    case 9: equal(time, 905_224_953_861_563)
    case 6: equal(time, 905_224_953_861_563_000)
    case 10: equal(time, 90_522_495_386_156)
    case 0x80 | 30: equal(time, 843_056_434_636_528)
    case 0: equal(time, .max)
    default: expect(time >= 0)
    }
  }

  @Test("A comment that is too long is cut between two characters")
  func longComment() throws {
    var file: [UInt8] = []
    PCAPNG.appendSectionHeader(application: "babbench", comments: [], to: &file)
    PCAPNG.appendInterface(linkType: 1, name: "air", to: &file)
    PCAPNG.appendPacket([], nanoseconds: 0, comments: ["x" + String(repeating: "ë", count: 40_000)], to: &file)
    try equal(ReadFile(file).records[0].comments, ["x" + String(repeating: "ë", count: 32_767)])
    file = []
    PCAPNG.appendSectionHeader(application: "babbench", comments: [], to: &file)
    PCAPNG.appendInterface(linkType: 1, name: "air", to: &file)
    PCAPNG.appendPacket([], nanoseconds: 0, comments: [String(repeating: "ë", count: 40_000)], to: &file)
    try equal(ReadFile(file).records[0].comments, [String(repeating: "ë", count: 32_767)])
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
    equal(
      octets(
        LEPseudoHeader(
          rfChannel: 0, signalPower: -35, referenceAccessAddress: 0x8E89_BED6, pduType: .advertisingOrUnknown,
          isLE2M: false, isCRCValid: true)), [UInt8].hex("00dd8000d6be898e130c"))
    equal(
      octets(
        LEPseudoHeader(
          rfChannel: 23, signalPower: -34, referenceAccessAddress: 0xC658_936D, pduType: .peripheralToCentral,
          isLE2M: false, isCRCValid: true)), [UInt8].hex("17de80006d9358c6930d"))
    equal(
      octets(
        LEPseudoHeader(
          rfChannel: 33, signalPower: -62, referenceAccessAddress: 0xC658_936D, pduType: .centralToPeripheral,
          isLE2M: false, isCRCValid: true)), [UInt8].hex("21c280006d9358c6130d"))
  }

  @Test("What is not known is not marked as valid")
  func unknown() {
    let header = LEPseudoHeader(
      rfChannel: 39, signalPower: nil, referenceAccessAddress: nil, pduType: .advertisingOrUnknown, isLE2M: true,
      isCRCValid: nil)
    equal(octets(header), [UInt8].hex("278080000000000001 40"))
    var bad = header
    bad.isCRCValid = false
    bad.noisePower = -95
    equal(bad.flags, 0x4405)
  }
}
