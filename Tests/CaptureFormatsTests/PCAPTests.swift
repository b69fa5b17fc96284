import CaptureFormats
import Expectations
import Testing

@Suite("pcap files")
struct PCAPTests {
  /// The header of draft-ietf-opsawg-pcap in all four forms, with one H4 reset.
  private func file(_ magic: String, _ seconds: String, _ fraction: String, _ length: String, _ link: String) -> [UInt8]
  {
    let isBig = magic.hasPrefix("a1")
    let version = isBig ? "00020004" : "02000400"
    return [UInt8].hex(
      magic + version + "0000000000000000" + (isBig ? "0000ffff" : "ffff0000") + link + seconds + fraction + length
        + length + "01030c00")
  }

  @Test("Both byte orders and both units of time read the same")
  func forms() throws {
    for (octets, nanoseconds) in [
      (file("d4c3b2a1", "02000000", "03000000", "04000000", "bb000000"), Int64(2_000_003_000)),
      (file("a1b2c3d4", "00000002", "00000003", "00000004", "000000bb"), 2_000_003_000),
      (file("4d3cb2a1", "02000000", "03000000", "04000000", "bb000000"), 2_000_000_003),
      (file("a1b23c4d", "00000002", "00000003", "00000004", "000000bb"), 2_000_000_003),
      // Capture 21 has fractions below zero; tshark shows −0.000001.
      (file("d4c3b2a1", "02000000", "ffffffff", "04000000", "bb000000"), 1_999_999_000),
      // The upper bits of the link type tell of a frame check sequence.
      (file("d4c3b2a1", "ffffffff", "03000000", "04000000", "bb000024"), 4_294_967_295_000_003_000),
    ] {
      for chunk in [1, 7, 1000] {
        try equal(
          ReadFile(octets, chunk: chunk).plain,
          [
            CaptureRecord(
              number: 1, link: .h4, nanoseconds: nanoseconds, originalLength: 4,
              body: .hci(adapter: 0, indicator: 1, isToHost: false), octets: [0x03, 0x0C, 0x00])
          ])
      }
    }
  }

  @Test("Every link type is taken apart, and every other one is carried along")
  func links() throws {
    var record = try self.record(201, 0, "00000001 04 0e0401030c00")
    expect(record.link == .h4WithDirection && record.body == .hci(adapter: 0, indicator: 4, isToHost: true))
    equal(record.octets, [0x0E, 4, 1, 3, 0x0C, 0])
    record = try self.record(201, 0, "00000001")
    expect(record.body == .opaque(.tooShort) && record.octets.count == 4)
    record = try self.record(254, 0, "0002 0005 aabb")
    expect(record.link == .linuxMonitor && record.body == .hci(adapter: 2, indicator: 2, isToHost: true))
    record = try self.record(254, 0, "ffff 000d aabb")
    expect(record.body == .monitor(adapter: 0xFFFF, opcode: 13) && record.octets == [0xAA, 0xBB])
    record = try self.record(251, 0, "d6be898e 0500 010203")
    var header = AirHeader(accessAddress: 0x8E89_BED6)
    header.crc = 0x030201
    expect(record.link == .leLinkLayer && record.body == .air(header) && record.octets == [5, 0])
    try equal(self.record(251, 0, "d6be898e 05 010203").body, .opaque(.tooShort))
    record = try self.record(148, 0, "0102")
    expect(record.link == .other(148) && record.body == .opaque(.foreignLink) && record.octets == [1, 2])
  }

  private func record(_ link: UInt8, _ high: UInt8, _ packet: String) throws -> CaptureRecord {
    let octets = [UInt8].hex(packet)
    let file =
      [UInt8].hex("d4c3b2a1020004000000000000000000ffff0000") + [link, high, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 0]
      + [UInt8(octets.count), 0, 0, 0, UInt8(octets.count), 0, 0, 0] + octets
    return try ReadFile(file).plain[0]
  }

  /// Shared capture 02, frame 254: Wireshark says channel 33 (RF), −62 dBm, from the central, CRC good.
  @Test("The header of link type 256 says what Wireshark says")
  func pseudoHeader() throws {
    let record = try self.record(0, 1, "21c280006d9358c6130d 6d9358c6 0100 aabbcc")
    guard case .air(let header) = record.body else { throw CaptureError(.notThisFormat, at: 0) }
    expect(header.rfChannel == 33 && header.signalPower == -62 && header.noisePower == nil)
    expect(header.isFromCentral == true && header.isCRCValid == true && !header.isLE2M && !header.isDecrypted)
    expect(header.accessAddress == 0xC658_936D && header.crc == 0xCCBBAA && record.octets == [1, 0])
    expect(header.isEncrypted == nil && header.eventCounter == nil)
  }

  /// First record of tests/01_crack/pairing_and_ltk_exchange.pcap of mikeryan/crackle, which Ubertooth wrote: ADV_IND
  /// on 2402 MHz, with the CRC that advertising has.
  @Test("A PDU after a PPI header of Ubertooth is read")
  func perPacketInformation() throws {
    let header = "0000 1800 93000000 3675 0c00 00 6209 00 6b36e300 e8dcee3c"
    let record = try self.record(192, 0, header + "d6be898e 0009 e8dd6ee5c578 020105 c63c96")
    guard case .air(let air) = record.body else { throw CaptureError(.notThisFormat, at: 0) }
    expect(record.link == .ppi && record.octets == [UInt8].hex("0009 e8dd6ee5c578 020105")[...])
    expect(air.accessAddress == 0x8E89_BED6 && air.crc == 0x963CC6 && air.rfChannel == 0)
    expect(air.isCRCValid == nil && air.isFromCentral == nil && air.signalPower == nil && air.prefix.count == 24)
  }

  @Test(
    "Another PPI header is told apart, and never trusted",
    arguments: [
      ("0000 1800 69000000", CaptureOpacity.foreignLink), ("0000 0700 93000000", .foreignLink),
      ("0100 0800 93000000", .foreignLink), ("0000 1900 93000000" + String(repeating: "00", count: 40), .unknownKind),
      ("0000 1800 93000000 3675", .tooShort), ("0000 08", .tooShort), ("0000 0800 93000000 d6be898e 00", .tooShort),
    ])
  func otherPerPacketInformation(packet: String, why: CaptureOpacity) throws {
    try equal(record(192, 0, packet).body, .opaque(why))
  }

  /// Shared capture 08: its first frame, and one that tshark shows as encrypted with a good MIC, −30 dBm, event 735,
  /// from the peripheral (flags 0D; the direction bit is not set).
  @Test("The header of Nordic's sniffer says what Wireshark says")
  func nordic() throws {
    var record = try self.record(16, 1, "08 2800 03 7637 02 0a 01 27 25 0000 2ed1454e d6be898e 2000 8847cd")
    guard case .air(let advertising) = record.body else { throw CaptureError(.notThisFormat, at: 0) }
    expect(record.link == .nordicBLE && record.octets == [0x20, 0])
    expect(advertising.rfChannel == 39 && advertising.signalPower == -37 && advertising.isCRCValid == true)
    expect(advertising.isFromCentral == nil && advertising.isEncrypted == nil && advertising.eventCounter == nil)
    record = try self.record(16, 1, "08 2800 03 d243 06 0a 0d 03 1e df02 41ac1551 266973a4 1a00 5cd0a2")
    guard case .air(let data) = record.body else { throw CaptureError(.notThisFormat, at: 0) }
    expect(data.rfChannel == 4 && data.signalPower == -30 && data.eventCounter == 735)
    expect(data.isFromCentral == false && data.isEncrypted == true && data.isDecrypted)
    expect(data.accessAddress == 0xA473_6926 && data.crc == 0xA2D05C)
    // Of version 2 every packet has the flags of data; 2 in their upper half is LE Coded.
    record = try self.record(16, 1, "08 2800 02 d243 06 0a 13 00 1e df02 41ac1551 266973a4 1a00 5cd0a2")
    guard case .air(let old) = record.body else { throw CaptureError(.notThisFormat, at: 0) }
    expect(old.isFromCentral == true && old.isLE2M && old.rfChannel == 1 && old.isEncrypted == false)
    for (foreign, why) in [
      ("08 2800 02 d243 06 0a 23 00 1e df02 41ac1551 266973a4 1a00 5cd0a2", CaptureOpacity.leCoded),
      ("08 2800 02 d243 06 0a 33 00 1e df02 41ac1551 266973a4 1a00 5cd0a2", .unknownKind),
      ("08 2800 04 d243 06 0a 03 00 1e df02 41ac1551 266973a4 1a00 5cd0a2", .unknownVersion(4)),
      ("08 2800 00 d243 06 0a 03 00 1e df02 41ac1551 266973a4 1a00 5cd0a2", .unknownVersion(0)),
      ("08 2800 03 d243 07 0a 03 00 1e df02 41ac1551 266973a4 1a00 5cd0a2", .unknownPacketID(7)),
      ("08 2800 02 d243 02 0a 03 00 1e df02 41ac1551 266973a4 1a00 5cd0a2", .unknownPacketID(2)),
      ("08 2800 03 d243 06 0a 03 28 1e df02 41ac1551 266973a4 1a00 5cd0a2", .unknownKind),
      ("08 2800 03 d243 06 0b 03 00 1e df02 41ac1551 266973a4 1a00 5cd0a2", .unknownKind),
    ] { try equal(self.record(16, 1, foreign).body, .opaque(why), "\(foreign)") }
    expect("\(CaptureOpacity.unknownPacketID(7))".contains("packet ID 7"))
  }

  /// github.com/Matheus-Garbelini/sweyntooth_bluetooth_low_energy_attacks at 2e6fde9f, captures/
  /// capture_zephyr_invalid_sequence.pcap: frames 1 and 17, an advertising PDU and LL_VERSION_IND of the central as
  /// tshark reads them. The tool writes zeros for channel, level and counters, and the CRC of frame 17 is none.
  @Test("What a tool wrote with packet ID 0 is read, and its zeros are not believed")
  func nordicTool() throws {
    let text = "4b 1f00 02 0000 00 0a 03 00 00 0000 00000000 d6be898e 030c 220b90ac365d 946d48d49bf5 7d7402"
    var record = try self.record(16, 1, text)
    guard case .air(let advertising) = record.body else { throw CaptureError(.notThisFormat, at: 0) }
    expect(advertising.accessAddress == 0x8E89_BED6 && advertising.isCRCValid == true)
    expect(advertising.rfChannel == nil && advertising.signalPower == nil && advertising.crc == nil)
    expect(record.octets.count == 14 && record.octets.first == 0x03)
    record = try self.record(16, 1, "4b 1900 02 0000 00 0a 03 00 00 0000 00000000 7083329a 0306 0c0800000000 dc0000")
    guard case .air(let data) = record.body else { throw CaptureError(.notThisFormat, at: 0) }
    expect(data.accessAddress == 0x9A32_8370 && data.isFromCentral == true && data.isEncrypted == false)
    expect(data.eventCounter == nil && data.crc == nil && record.octets == [3, 6, 0x0C, 8, 0, 0, 0, 0])
    var writer = CaptureWriter(format: .pcap, application: "test")
    var file: [UInt8] = []
    try writer.append(record, to: &file)
    equal(file.suffix(3), [0xDC, 0, 0])
    // A channel and a level that such a tool does state are taken.
    let stated = text.replacing("03 00 00", with: "01 26 30")
    guard case .air(let known) = try self.record(16, 1, stated).body else { throw CaptureError(.notThisFormat, at: 0) }
    expect(known.rfChannel == 12 && known.signalPower == -48)
  }

  /// The layout of header version 0 as Wireshark's dissector has it: the data PDU of `nordic` in it, and tshark's
  /// reading of that record.
  @Test("The header of 2014, which starts with BE EF, is read")
  func nordicLegacy() throws {
    let record = try self.record(16, 1, "beef 06 d243 0000 12 03 03 1e df02 41ac1551 266973a4 1a00 5cd0a2")
    guard case .air(let data) = record.body else { throw CaptureError(.notThisFormat, at: 0) }
    expect(data.rfChannel == 4 && data.signalPower == -30 && data.eventCounter == 735)
    expect(data.isFromCentral == true && data.isCRCValid == true && data.crc == 0xA2D05C)
    expect(data.accessAddress == 0xA473_6926 && record.octets == [0x1A, 0])
  }

  /// The flags of link type 256: PHY 2 in bits 14 and 15 is LE Coded (tcpdump.org).
  /// After the access address comes the Coding Indicator (Wireshark 4.0.17 reads the first record so).
  @Test("A PDU on LE Coded is read with its coding; without a Coding Indicator it is only said to be one")
  func coded() throws {
    for (octets, coding) in [
      ("0dd88000f1b374ef138d f1b374ef 00 0d00 6377f0", LECoding.s8),
      ("0dd88000f1b374ef138d f1b374ef 01 0d00 6377f0", .s2),
    ] {
      let record = try self.record(0, 1, octets)
      guard case .air(let header) = record.body else { throw CaptureError(.notThisFormat, at: 0) }
      expect(header.coding == coding && !header.isLE2M && header.isFromCentral == true)
      expect(header.accessAddress == 0xEF74_B3F1 && header.crc == 0xF07763 && record.octets == [0x0D, 0])
    }
    for octets in [
      "178080006d9358c61380 6d9358c6 0100 010203", "0dd88000f1b374ef138d f1b374ef 02 0d00 6377f0",
      "0dd88000f1b374ef13cd f1b374ef 00 0d00 6377f0",
    ] { try equal(self.record(0, 1, octets).body, .opaque(.leCoded)) }
    let record = try self.record(16, 1, "08 2900 02 d243 06 0a 23 03 1e df02 41ac1551 266973a4 01 1a00 5cd0a2")
    guard case .air(let header) = record.body else { throw CaptureError(.notThisFormat, at: 0) }
    expect(header.coding == .s2 && header.crc == 0xA2D05C && record.octets == [0x1A, 0])
  }

  @Test("Impossible files are refused where they are")
  func refusals() {
    var octets = file("d4c3b2a1", "02000000", "03000000", "04000000", "bb000000")
    octets[4] = 1
    #expect(throws: CaptureError(.unsupportedVersion, at: 4)) { try ReadFile(octets) }
    octets = file("d4c3b2a1", "02000000", "03000000", "01001000", "bb000000")
    #expect(throws: CaptureError(.lengthOutOfRange, at: 32)) { try ReadFile(octets) }
  }
}

@Suite("PacketLogger files")
struct PacketLoggerTests {
  /// Shared capture 05, octets 0 … 31, and 16, octets 0 … 24: a note of a Mac and a line of an old phone.
  static let little = [UInt8].hex("1c000000 074d256a 20c50100 fc 50726f647563743a206950686f6e6531372c31")
  static let big = [UInt8].hex("00000012 5d9eff5f 00092561 fb 4f46462d3e4f4e2b0a")

  @Test("Both byte orders read as Wireshark reads them")
  func orders() throws {
    let note = try ReadFile(Self.little, chunk: 5).plain
    // Wireshark: 1780829447.116000, "Product: iPhone17,1".
    equal(
      note,
      [
        CaptureRecord(
          number: 1, link: .packetLogger, nanoseconds: 1_780_829_447_116_000_000, originalLength: 20, mark: 0xFC,
          body: .text, octets: Array("Product: iPhone17,1".utf8)[...])
      ])
    let power = try ReadFile(Self.big).plain
    expect(power.count == 1 && power[0].mark == 0xFB && power[0].nanoseconds == 1_570_701_151_599_393_000)
  }

  @Test("Types are packets, text, or kept as they are")
  func types() throws {
    for (type, body) in [
      (UInt8(0), CaptureBody.hci(adapter: 0, indicator: 1, isToHost: false)),
      (1, .hci(adapter: 0, indicator: 4, isToHost: true)), (2, .hci(adapter: 0, indicator: 2, isToHost: false)),
      (3, .hci(adapter: 0, indicator: 2, isToHost: true)), (8, .hci(adapter: 0, indicator: 3, isToHost: false)),
      (9, .hci(adapter: 0, indicator: 3, isToHost: true)), (0x0A, .opaque(.unknownKind)), (0xF7, .text), (0xFE, .text),
    ] {
      var file = Self.little
      file[12] = type
      try equal(ReadFile(file).records.map(\.body), [body])
    }
    // A record that has no type at all.
    let short = Self.little + [UInt8].hex("08000000 074d256a 20c50100")
    try equal(ReadFile(short).records.map(\.body), [.text, .opaque(.tooShort)])
    #expect(throws: CaptureError(.lengthOutOfRange, at: 32)) {
      try ReadFile(Self.little + [UInt8].hex("07000000 074d256a 20c50100"))
    }
  }
}

@Suite("What is no capture")
struct CaptureGuessTests {
  @Test(
    "A refusal says what it looks like",
    arguments: [
      ("1f8b0800000000000003aabbccddee", "gzip"), ("28b52ffd00000000000000000000", "zstd"),
      ("fd377a585a000000000000000000", "xz"), ("504b030414000000000000000000", "bug reports"),
      ("425a6839000000000000000000", "bzip2"), ("736e6f6f700000000000000200000004", "Solaris"),
      ("34cdb2a102000400000000000000", "patched libpcap"), ("48656c6c6f2c20776f726c6421210a", "text"),
      ("040e0401030c00040e0401030c00", "bare H4 packets, a UART log"),
      ("0560200580070001005a040e0401030c00", "bare H4 packets, a UART log"),
      ("456c6c6973797320547261636520 46696c65000001", "Ellisys"),
      // SYNC of Three-wire UART as its clause 8.1 has it, between SLIP's delimiters.
      ("c0002f00d0017ec0c0002f00d0017ec0", "H5 or BCSP, a UART log"),
      ("c0002f00d1017ec0c0002f00d0017ec0", "unknown start"),
      // "Bluetooth monitor ver 5.66" and what others begin their text with.
      ("426c7565746f6f7468206d6f6e69746f722076657220352e36360a", "text log of btmon"),
      ("3d204e6f74653a204c696e75782076657273696f6e20352e3130", "text log of btmon"),
      ("48434920736e6966666572202d20426c7565746f6f746820706163", "text log of hcidump"),
      ("2d2d2d2d2d2d2d2d2d20626567696e6e696e67206f66206d61696e", "Android's logcat"),
      ("2a2a2a20426f6f74696e67205a6570687972204f53206275696c64", "UART console"),
      ("1b5b306d5b30303a30303a30302e3030302c3030305d203c696e663e", "UART console"), ("", "empty"),
      ("d4c3b2a102", "inside the file header"),
      ("0102", "too short"),
    ])
  func guesses(_ hex: String, _ text: String) {
    #expect {
      try ReadFile([UInt8].hex(hex))
    } throws: {
      ($0 as? CaptureError)?.offset == 0 && "\($0)".contains(text)
    }
  }
}
