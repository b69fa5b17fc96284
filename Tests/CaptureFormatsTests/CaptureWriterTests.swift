import CaptureFormats
import Expectations
import Foundation
import Testing

@Suite("Captures that we write")
struct CaptureWriterTests {
  private static let areJudged = SharedFile.areAvailable && Wireshark.isThere

  private func records(_ number: String) throws -> [CaptureRecord] {
    try ReadFile(SharedFile.octets(SharedFile.numbered(number))).records
  }

  struct Form: CustomStringConvertible, Sendable {
    var format: CaptureFormat
    var link: CaptureLink
    var source: String
    /// Records that have no place.
    var missing = 0
    var countsMicroseconds = false
    var description: String { "\(source) as \(format) \(link.name)\(countsMicroseconds ? " in microseconds" : "")" }
  }

  /// Every format with every HCI link type, from every one. Missing: 11 lines of text in capture 05; in 06 443 records
  /// that are no packets.
  static let hciForms: [Form] = [
    Form(format: .btsnoop, link: .h4, source: "05", missing: 11),
    Form(format: .btsnoop, link: .hciUnencapsulated, source: "14"),
    Form(format: .btsnoop, link: .linuxMonitor, source: "09"),
    Form(format: .pcap, link: .h4, source: "36"),
    Form(format: .pcap, link: .h4WithDirection, source: "09"),
    Form(format: .pcap, link: .linuxMonitor, source: "06"),
    Form(format: .pcap, link: .h4WithDirection, source: "06", missing: 443, countsMicroseconds: true),
    Form(format: .pcapng, link: .h4, source: "09"),
    Form(format: .pcapng, link: .h4WithDirection, source: "05", missing: 11),
    Form(format: .pcapng, link: .linuxMonitor, source: "14"),
    Form(format: .packetLogger, link: .packetLogger, source: "36"),
    Form(format: .packetLogger, link: .packetLogger, source: "05"),
  ]

  static let airForms: [Form] = [
    Form(format: .pcap, link: .leLinkLayer, source: "02"),
    Form(format: .pcapng, link: .leLinkLayer, source: "07"),
    Form(format: .pcap, link: .leLinkLayerWithHeader, source: "07"),
    Form(format: .pcapng, link: .leLinkLayerWithHeader, source: "02"),
    Form(format: .pcap, link: .leLinkLayerWithHeader, source: "01"),
    Form(format: .pcapng, link: .leLinkLayerWithHeader, source: "08"),
    Form(format: .pcap, link: .nordicBLE, source: "08"),
  ]

  @Test(
    "Wireshark reads what we wrote: octets, times, directions, adapters", .enabled(if: areJudged),
    arguments: Part.of(hciForms + airForms, 2))
  func wireshark(_ form: Form) throws {
    let source = try records(form.source)
    let (octets, mismatches) = CaptureWriter.file(
      source, form.format, form.link, countsMicroseconds: form.countsMicroseconds)
    equal(mismatches.count, form.missing, "\(mismatches.first.map(\.description) ?? "")")
    let back = try ReadFile(octets)
    expect(back.reader.format == form.format && back.reader.ending == .whole)
    equal(back.records.count, source.count - form.missing)
    let file = try TemporaryFile(octets, form.format.rawValue)
    let packets = try Wireshark.packets(file.path)
    equal(packets.count, back.records.count)
    let hidden = Wireshark.hiddenOctets(form.link, form.format)
    for (packet, record) in zip(packets, back.records) {
      equal(record.link, form.link)
      equal(packet.time, Wireshark.time(record.nanoseconds), "\(record.number)")
      expect(packet.length == record.originalLength - hidden && packet.captured == packet.length)
      switch record.body {
      case .hci(let adapter, let indicator, let isToHost):
        equal(packet.octets.suffix(record.octets.count), record.octets, "\(record.number)")
        if form.link == .h4 || form.link == .h4WithDirection { equal(packet.octets.first, indicator) }
        if form.link == .linuxMonitor {
          equal(packet.adapter, "\(adapter)")
        } else if form.format != .packetLogger, form.link != .h4 || form.format == .btsnoop {
          equal(packet.direction, (isToHost == true ? "Received" : "Sent"), "\(record.number)")
        }
      case .monitor(let adapter, _):
        expect(packet.octets == Array(record.octets) && packet.adapter == "\(adapter)")
      case .text: equal(packet.octets.dropFirst(), record.octets)
      case .air: equal(packet.octets.dropLast(3).suffix(record.octets.count), record.octets)
      case .network, .opaque: Issue.record("\(record.number) is no packet of Bluetooth")
      }
    }
    try compare(source, back.records, form)
  }

  /// That records came back as what they were, but for what the form has no place for.
  private func compare(_ source: [CaptureRecord], _ back: [CaptureRecord], _ form: Form) throws {
    let isCoarse = form.format == .btsnoop || form.format == .packetLogger || form.countsMicroseconds
    let kept = source.filter { record in
      switch record.body {
      case .text: form.link == .packetLogger
      case .monitor: form.link == .linuxMonitor
      default: true
      }
    }
    for (before, after) in zip(kept, back) {
      equal(after.nanoseconds, (isCoarse ? before.nanoseconds / 1_000 * 1_000 : before.nanoseconds))
      equal(after.octets, before.octets)
      switch (before.body, after.body) {
      case (.hci(_, let indicator, let isToHost), .hci(_, let newIndicator, let newIsToHost)):
        equal(newIndicator, indicator)
        // A pcap file of H4 has no directions but those of commands and events.
        let isKnown = form.link != .h4 || form.format != .pcap || indicator == 1 || indicator == 4
        equal(newIsToHost, (isKnown ? isToHost : nil))
      case (.air(let header), .air(let new)):
        expect(new.accessAddress == header.accessAddress && new.crc == header.crc)
        if form.link != .leLinkLayer {
          expect(new.rfChannel == header.rfChannel && new.isFromCentral == header.isFromCentral)
          expect(new.isCRCValid == header.isCRCValid && new.signalPower == header.signalPower)
          expect(new.isLE2M == header.isLE2M && new.isDecrypted == header.isDecrypted)
        }
      default: equal(after.body, before.body)
      }
    }
  }

  @Test("A btsnoop file comes out octet for octet", .enabled(if: SharedFile.areAvailable))
  func btsnoopIdentity() throws {
    let entries = try SharedFile.entries("btsnoop v1")
    for entry in entries where entry.packets > 0 {
      let octets = try SharedFile.octets(entry)
      equal(CaptureWriter.file(try ReadFile(octets).records, .btsnoop).octets, octets, "\(entry)")
    }
  }

  @Test("A PacketLogger file of today comes out octet for octet", .enabled(if: SharedFile.areAvailable))
  func packetLoggerIdentity() throws {
    let octets = try SharedFile.octets(SharedFile.numbered("05"))
    equal(CaptureWriter.file(try ReadFile(octets).records, .packetLogger).octets, octets)
  }

  @Test("There and back through other formats nothing is lost", .enabled(if: SharedFile.areAvailable))
  func roundTrips() throws {
    let octets = try SharedFile.octets(SharedFile.numbered("10"))
    for format in [CaptureFormat.pcap, .pcapng, .packetLogger] {
      let there = CaptureWriter.file(try ReadFile(octets).records, format)
      expect(there.mismatches.isEmpty)
      let back = CaptureWriter.file(try ReadFile(there.octets).records, .btsnoop, .h4)
      equal(back.octets, octets, "\(format)")
    }
  }

  @Test("editcap rewrites our files and changes nothing", .enabled(if: areJudged))
  func editcap() throws {
    let source = try records("36")
    for (format, link, target) in [
      (CaptureFormat.pcapng, CaptureLink.h4WithDirection, "nsecpcap"), (.pcap, .h4WithDirection, "pcapng"),
      (.btsnoop, .h4, "pcapng"),
    ] {
      let file = try TemporaryFile(CaptureWriter.file(source, format, link).octets, format.rawValue)
      let copy = try TemporaryFile([], "copy")
      _ = try Wireshark.run(Wireshark.editcap, ["-F", target, file.path, copy.path])
      let back = try ReadFile(copy.octets).records
      equal(back.count, source.count)
      for (before, after) in zip(source, back) {
        expect(after.nanoseconds == before.nanoseconds && after.octets == before.octets)
        equal(after.body, before.body)
      }
    }
  }

  @Test("capinfos counts what we wrote", .enabled(if: areJudged))
  func capinfos() throws {
    let source = try records("14")
    let files = try [
      (CaptureFormat.btsnoop, "btsnoop"), (.pcap, "nsecpcap"), (.pcapng, "pcapng"), (.packetLogger, "pklg"),
    ]
    .map { format, kind in (try TemporaryFile(CaptureWriter.file(source, format).octets, "x"), kind) }
    let empty = try [CaptureFormat.btsnoop, .pcap, .pcapng].map {
      try TemporaryFile(CaptureWriter.file([], $0).octets, "x")
    }
    let text = try Wireshark.run(
      Wireshark.capinfos, ["-T", "-r", "-m", "-tc", "-M"] + files.map(\.0.path) + empty.map(\.path))
    let rows = text.split(separator: "\n").map { $0.split(separator: ",").map { $0.filter { $0 != "\"" } } }
    equal(rows.map { $0.last }, Array(repeating: "69", count: 4) + Array(repeating: "0", count: 3))
    equal(rows.prefix(4).map { $0[1] }, files.map(\.1))
  }

  @Test("Comments, losses, directions, interfaces and section comments survive in pcapng")
  func pcapng() throws {
    var first = try ReadFile(BTSnoopTests.android).records[0]
    first.comments = ["one", "zwei\nZeilen"]
    first.drops = 3
    var second = first
    second.interface = 4
    second.drops = 10
    second.comments = []
    second.body = .hci(adapter: 0, indicator: 2, isToHost: true)
    var third = second
    third.drops = 10
    third.interface = 0
    var writer = CaptureWriter(format: .pcapng, link: .h4, application: "tests")
    writer.sectionComments = ["seed 7"]
    var file: [UInt8] = []
    for record in [first, second, third] { try writer.append(record, to: &file) }
    writer.finish(into: &file)
    let back = try ReadFile(file)
    equal(back.reader.sectionComments, ["seed 7"])
    equal(back.records.map(\.comments), [first.comments, [], []])
    equal(back.records.map(\.drops), [3, 10, nil])
    equal(back.records.map(\.interface), [0, 1, 0])
    equal(back.records.map(\.body), [first.body, second.body, second.body])
  }

  /// Octets by Bumble 0.0.236; the opcodes of Linux's monitor are 18 and 19 (BlueZ: doc/btsnoop-protocol).
  @Test("Isochronous data keeps its kind and direction in every link type that has a place for it")
  func isochronousData() throws {
    let packets = [[UInt8].hex("056020080007000400deadbeef"), [UInt8].hex("05ff3e010005")]
    let records = packets.enumerated().map { index, packet in
      CaptureRecord(
        number: index + 1, link: .h4, nanoseconds: 1_000, originalLength: packet.count,
        body: .hci(adapter: 0, indicator: packet[0], isToHost: index == 1), octets: packet.dropFirst())
    }
    for (format, link) in [
      (CaptureFormat.btsnoop, CaptureLink.h4), (.btsnoop, .linuxMonitor), (.pcap, .h4WithDirection),
      (.pcap, .linuxMonitor), (.pcapng, .h4), (.pcapng, .h4WithDirection), (.pcapng, .linuxMonitor),
    ] {
      let file = CaptureWriter.file(records, format, link)
      expect(file.mismatches.isEmpty, "\(format) \(link.name)")
      let back = try ReadFile(file.octets).records
      equal(back.map(\.body), records.map(\.body), "\(format) \(link.name)")
      equal(back.map { Array($0.octets) }, packets.map { Array($0.dropFirst()) })
      if format == .btsnoop { equal(back.map(\.mark), link == .linuxMonitor ? [18, 19] : [0, 1]) }
    }
  }

  @Test("What has no place is refused in one line, and the file goes on")
  func mismatches() throws {
    let command = try ReadFile(BTSnoopTests.android).records[0]
    let pdu = try ReadFile(PCAPNGTests.ubertooth).records[0]
    func record(_ body: CaptureBody, at nanoseconds: Int64 = 1, octets: Int = 3) -> CaptureRecord {
      CaptureRecord(
        number: 1, link: .h4, nanoseconds: nanoseconds, originalLength: octets, body: body,
        octets: [UInt8](repeating: 0, count: octets)[...])
    }
    let event = CaptureBody.hci(adapter: 0, indicator: 4, isToHost: true)
    var coded = AirHeader(accessAddress: 1)
    (coded.coding, coded.crc) = (.s2, 2)
    let expected: [(CaptureRecord, CaptureFormat, CaptureLink?, String)] = [
      (pdu, .btsnoop, nil, "a PDU on the air has no place in h4, which holds HCI packets"),
      (pdu, .packetLogger, nil, "a PDU on the air has no place in pklg, which holds HCI packets"),
      (pdu, .pcap, .nordicBLE, "only what Nordic's sniffer wrote has its header; write le-phdr instead of nordic"),
      (record(.air(coded)), .pcap, .leLinkLayer, "a PDU on LE Coded has no place in le; write le-phdr"),
      (command, .pcap, .leLinkLayer, "an HCI packet has no place in le, which holds PDUs on the air"),
      (command, .pcap, .hciUnencapsulated, "pcap has no number for hci"),
      (record(.text), .pcapng, nil, "a line of PacketLogger's text has no place in h4"),
      (record(.text), .btsnoop, .h4, "a line of PacketLogger's text has no place in h4"),
      (
        record(.monitor(adapter: 0, opcode: 12)), .btsnoop, .h4,
        "what Linux's monitor says beside packets has no place in h4"
      ),
      (
        record(.hci(adapter: 0, indicator: 5, isToHost: true)), .packetLogger, nil,
        "a packet with indicator 05 to the host has no place in pklg"
      ),
      (
        record(.hci(adapter: 0, indicator: 3, isToHost: false)), .btsnoop, .hciUnencapsulated,
        "a packet with indicator 03 from the host has no place in hci"
      ),
      (
        record(.hci(adapter: 0, indicator: 0x10, isToHost: true)), .pcap, .linuxMonitor,
        "a packet with indicator 10 to the host has no place in linux-monitor"
      ),
      (
        record(.hci(adapter: 0, indicator: 2, isToHost: nil)), .pcap, .h4WithDirection,
        "a packet of unknown direction has no place in h4-phdr"
      ),
      (
        record(.hci(adapter: 1, indicator: 4, isToHost: true)), .btsnoop, .h4,
        "a packet of hci1 among those of hci0 has no place in h4"
      ),
      (record(event, octets: 262_144), .btsnoop, .h4, "a packet of 262145 octets is too long for others to read"),
      (record(.opaque(.foreignLink)), .btsnoop, nil, "a record of h4 has no place in btsnoop"),
    ]
    for (misfit, format, link, text) in expected {
      let fit = link == .leLinkLayer || link == .nordicBLE ? pdu : command
      let (octets, mismatches) = CaptureWriter.file([fit, misfit, fit], format, link)
      expect(mismatches.contains { $0.description == text }, "\(text): \(mismatches)")
      try expect(ReadFile(octets).reader.ending == .whole || octets.isEmpty)
    }
  }

  @Test("A time that a format cannot say is the nearest that it can, and is counted; the others keep it")
  func displacedTimes() throws {
    let early = Int64(-1_500)
    let cases: [(CaptureFormat, at: Int64, back: Int64, reason: String?)] = [
      (.btsnoop, early, -2_000, nil), (.pcapng, early, early, nil), (.pcapng, .min, .min, nil), (.pcapng, -1, -1, nil),
      (.pcap, early, 0, "before 1970"), (.packetLogger, early, 0, "before 1970"),
      (.pcap, 5_000_000_000_000_000_000, 4_294_967_295_999_999_999, "after 2106"),
      (.packetLogger, 5_000_000_000_000_000_000, 4_294_967_295_999_999_000, "after 2106"),
    ]
    for (format, at, expected, reason) in cases {
      var writer = CaptureWriter(format: format, application: "test")
      var file: [UInt8] = []
      for (index, time) in [1_000, at, 2_000].enumerated() {
        let event = CaptureRecord(
          number: index + 1, link: .h4, nanoseconds: time, originalLength: 4,
          body: .hci(adapter: 0, indicator: 4, isToHost: true), octets: [0x10, 1, 0])
        try writer.append(event, to: &file)
      }
      writer.finish(into: &file)
      let back = try ReadFile(file).records.map(\.nanoseconds)
      equal(back, [1_000, expected, 2_000], "\(format) \(at)")
      expect(writer.displaced?.reason == reason && writer.displaced?.first == reason.map { _ in 2 }, "\(format)")
    }
  }

  /// Format: draft-ietf-opsawg-pcapng, 4.2, if_tsoffset: seconds to add, 64 bits with a sign. A whole second: tshark
  /// 4.0 prints what is between two of them wrongly.
  @Test("Wireshark reads times before 1970 as we wrote them", .enabled(if: Wireshark.isThere))
  func earlyTimes() throws {
    var writer = CaptureWriter(format: .pcapng, application: "test")
    var file: [UInt8] = []
    for (index, time) in [Int64(3_000_000_000), -86_400_000_000_000].enumerated() {
      let event = CaptureRecord(
        number: index + 1, link: .h4, nanoseconds: time, originalLength: 4,
        body: .hci(adapter: 0, indicator: 4, isToHost: true), octets: [0x10, 1, 0])
      try writer.append(event, to: &file)
    }
    writer.finish(into: &file)
    let path = try TemporaryFile(file, "pcapng")
    try equal(Wireshark.lengths(path.path).map(\.[0]), ["3.000000000", "-86400.000000000"])
  }

  @Test("A file is whole after every record")
  func wholeAfterEveryRecord() throws {
    let source = try ReadFile(BTSnoopTests.android).records[0]
    for format in CaptureFormat.written {
      var writer = CaptureWriter(format: format, application: "tests")
      var file: [UInt8] = []
      for count in 1...3 {
        try writer.append(source, to: &file)
        let back = try ReadFile(file)
        expect(back.records.count == count && back.reader.ending == .whole, "\(format)")
      }
    }
  }
}
