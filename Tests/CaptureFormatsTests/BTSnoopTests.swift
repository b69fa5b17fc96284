import CaptureFormats
import Expectations
import Testing

@Suite("btsnoop files, version 1")
struct BTSnoopTests {
  /// Shared capture 14, octets 0 … 68: header and first packet (LE Set Scan Parameters) of an Android phone.
  static let android = [UInt8].hex(
    "6274736e6f6f7000 00000001 000003ea 0000000b 0000000b 00000002 00000000 00e1ffbf003f6ac6 010b200701401f401f0000")

  @Test("The first packet of an Android capture reads as Wireshark reads it")
  func androidRecord() throws {
    let file = try ReadFile(Self.android)
    equal(file.reader.format, .btsnoop)
    equal(file.reader.ending, .whole)
    // Wireshark: 1444809567.890118 s since 1970.
    equal(
      file.plain,
      [
        CaptureRecord(
          number: 1, link: .h4, nanoseconds: 1_444_809_567_890_118_000, originalLength: 11, drops: 0, mark: 2,
          body: .hci(adapter: 0, indicator: 1, isToHost: false), octets: [UInt8].hex("0b200701401f401f0000")[...])
      ])
    equal(file.records[0].h4Octets, [UInt8].hex("010b200701401f401f0000"))
  }

  @Test("A packet at the same time writes the same octets")
  func writes() {
    var file: [UInt8] = []
    BTSnoop.appendHeader(to: &file)
    BTSnoop.appendRecord(
      [UInt8].hex("010b200701401f401f0000"), nanoseconds: 498_124_767_890_118_999, isReceived: false,
      isCommandOrEvent: true, to: &file)
    equal(file, Self.android)
  }

  @Test("The start of a run is the start of the year 2000 in both formats")
  func epoch() {
    // Wireshark's offset from btsnoop's time to 1970.
    equal(
      CaptureEpoch.btsnoopMicroseconds - CaptureEpoch.unixSeconds * 1_000_000, 0x00DC_DDB3_0F2F_8000)
    equal(CaptureEpoch.unixSeconds, 10_957 * 86_400)
  }

  /// Octets 16 … of a file with this datalink.
  private func record(datalink: UInt8, high: UInt8 = 3, flags: String, _ octets: String) throws -> CaptureRecord {
    let packet = [UInt8].hex(octets)
    var file = [UInt8].hex("6274736e6f6f7000 00000001 0000") + [high, datalink]
    for _ in 0..<2 { file += [0, 0, 0, UInt8(packet.count)] }
    file += [UInt8].hex(flags + "00000005 00dcddb30f2f8001") + packet
    let records = try ReadFile(file).plain
    equal(records.count, 1)
    expect(records[0].nanoseconds == 1_000 && records[0].drops == 5)
    return records[0]
  }

  @Test("Packets without indicator are what the flags say (1001)")
  func unencapsulated() throws {
    let expected: [(String, UInt8, Bool)] = [
      ("00000002", 1, false), ("00000003", 4, true), ("00000000", 2, false), ("00000001", 2, true),
    ]
    for (flags, indicator, isToHost) in expected {
      let record = try record(datalink: 0xE9, flags: flags, "0c2000")
      equal(record.link, .hciUnencapsulated)
      equal(record.body, .hci(adapter: 0, indicator: indicator, isToHost: isToHost))
      equal(record.octets, [0x0C, 0x20, 0])
    }
  }

  /// BlueZ, doc/btsnoop-protocol: opcodes of the monitor.
  @Test("Linux's monitor names packets by opcode, and says other things (2001)")
  func monitor() throws {
    let expected: [(String, CaptureBody)] = [
      ("00010002", .hci(adapter: 1, indicator: 1, isToHost: false)),
      ("00010003", .hci(adapter: 1, indicator: 4, isToHost: true)),
      ("00000004", .hci(adapter: 0, indicator: 2, isToHost: false)),
      ("00000005", .hci(adapter: 0, indicator: 2, isToHost: true)),
      ("00000006", .hci(adapter: 0, indicator: 3, isToHost: false)),
      ("00000007", .hci(adapter: 0, indicator: 3, isToHost: true)),
      ("00000012", .hci(adapter: 0, indicator: 5, isToHost: false)),
      ("00000013", .hci(adapter: 0, indicator: 5, isToHost: true)),
      ("00020000", .monitor(adapter: 2, opcode: 0)), ("ffff000c", .monitor(adapter: 0xFFFF, opcode: 12)),
    ]
    for (flags, body) in expected {
      let record = try record(datalink: 0xD1, high: 7, flags: flags, "0c2000")
      equal(record.link, .linuxMonitor)
      equal(record.body, body)
      equal(record.octets, [0x0C, 0x20, 0])
    }
  }

  @Test("Vendor packets and other datalinks are kept as they are")
  func others() throws {
    try equal(
      record(datalink: 0xEA, flags: "00000001", "10aabb").body, .hci(adapter: 0, indicator: 0x10, isToHost: true))
    try equal(record(datalink: 0xEA, flags: "00000001", "").body, .opaque(.tooShort))
    let h5 = try record(datalink: 0xEC, flags: "00000001", "c0aabb")
    expect(h5.link == .other(1004) && h5.body == .opaque(.foreignLink) && h5.octets == [0xC0, 0xAA, 0xBB])
  }

  @Test("A snapped packet says so")
  func snapped() throws {
    var file = Self.android
    file[19] = 0x20
    let records = try ReadFile(file).records
    expect(records.map(\.body) == [.opaque(.snapped)] && records[0].octets.count == 11)
    equal(records[0].originalLength, 0x20)
  }

  @Test("A file that ends inside a record gives the records before it and says where")
  func truncated() throws {
    let file = Self.android + Self.android.dropFirst(16)
    for count in 13...file.count {
      let read = try ReadFile(Array(file.prefix(count)), chunk: 3)
      equal(read.records.count, (count < 51 ? 0 : count < 86 ? 1 : 2))
      let expected: CaptureEnding =
        switch count {
        case 16, 51, 86: .whole
        case ..<16: .truncated(recordAt: 0)
        case ..<51: .truncated(recordAt: 16)
        default: .truncated(recordAt: 51)
        }
      equal(read.reader.ending, expected, "\(count)")
    }
  }

  @Test("Impossible headers are refused where they are")
  func damaged() throws {
    var other = Self.android
    other[11] = 2
    #expect(throws: CaptureError(.unsupportedVersion, at: 8)) { try ReadFile(other) }
    other = Self.android
    other[17] = 0x11
    other[21] = 0x11
    #expect(throws: CaptureError(.lengthOutOfRange, at: 20)) { try ReadFile(other) }
    other = Self.android
    other[19] = 10
    #expect(throws: CaptureError(.lengthMismatch, at: 16)) { try ReadFile(other) }
  }

  @Test("Times at both ends of the range are clamped")
  func times() throws {
    for (time, expected) in [("7fffffffffffffff", Int64.max), ("8000000000000000", .min), ("0000000000000000", .min)] {
      var file = Self.android
      file.replaceSubrange(32..<40, with: [UInt8].hex(time))
      try equal(ReadFile(file).records[0].nanoseconds, expected)
    }
  }
}
