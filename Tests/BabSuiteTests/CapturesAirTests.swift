import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Conformance
import Expectations
import Foundation
import Judging
import SimKernel
import Testing
import VirtualRadio

@Suite("The air as a pcapng file")
struct CapturesAirTests {
  private func write(into folder: CaptureFolder, name: String = "air.pcapng") throws -> String {
    let reader = try AirCaptureReader(path: folder.path + "/" + name)
    SyntheticTrace.play(to: reader)
    reader.annotate("verdict: fail")
    try reader.close()
    return folder.path + "/" + name
  }

  private func read(_ octets: [UInt8]) throws -> (packets: [CaptureRecord], reader: CaptureReader) {
    var reader = CaptureReader()
    reader.append(octets)
    var packets: [CaptureRecord] = []
    while let packet = try reader.next() { packets.append(packet) }
    return (packets, reader)
  }

  @Test("Every PDU is there with its CRC, its time, and the comments that came before it")
  func contents() throws {
    let folder = try CaptureFolder()
    _ = try write(into: folder)
    equal(folder.names, ["air.pcapng"])
    let (packets, reader) = try read(try folder.octets("air.pcapng"))
    equal(reader.ending, .whole)
    equal(reader.sectionComments.count, 4)
    equal(reader.sectionComments.first, "scenario synthetic, seed 7")
    equal(reader.sectionComments.last, "room = ideal")
    expect(reader.sectionComments[1].contains("host") && reader.sectionComments[1].contains("F0:F1:F2:F3:F4:A0"))
    equal(packets.count, SyntheticTrace.air.count)
    for (packet, pdu) in zip(packets, SyntheticTrace.air) {
      equal(packet.nanoseconds, CaptureEpoch.unixSeconds * 1_000_000_000 + pdu.start.nanoseconds)
      equal(Array(packet.octets), pdu.pdu)
      guard case .air(let header) = packet.body else { throw CaptureError(.notThisFormat, at: 0) }
      expect(header.accessAddress == pdu.accessAddress && header.rfChannel == pdu.rfChannel)
      let crcMatches = header.crc == LL.crc24(pdu: pdu.pdu, initial: pdu.crcInit)
      equal(crcMatches, (pdu.fate != .corrupted))
    }
    equal(packets.map(\.comments).enumerated().filter { !$0.element.isEmpty }.map(\.offset), [0, 8, 10, 16, 17])
    equal(packets[0].comments, ["step: start"])
    equal(packets[8].comments, ["fault: Zoë / 1 vanishes"])
    equal(packets[10].comments, ["failed expectation: all are ready (Zoë is not)"])
    equal(packets[16].comments, ["not heard by Zoë / 1"])
    equal(
      packets[17].comments,
      [
        "fault: host drop on link 3, characteristic 2A00, 2 octets", "verdict: fail",
      ])
  }

  @Test("The same run writes the same file")
  func repeats() throws {
    let folder = try CaptureFolder()
    _ = try write(into: folder, name: "a")
    _ = try write(into: folder, name: "b")
    try equal(folder.octets("a"), folder.octets("b"))
  }

  @Test("A run without PDUs keeps its remarks")
  func empty() throws {
    let folder = try CaptureFolder()
    let capture = try AirCaptureReader(path: folder.path + "/air.pcapng")
    capture.begin(SyntheticTrace.header)
    capture.annotate("verdict: inconclusive")
    try capture.close()
    try capture.close()
    let (packets, reader) = try read(try folder.octets("air.pcapng"))
    expect(packets.isEmpty)
    equal(reader.remarks, ["verdict: inconclusive"])
  }

  @Test("A capture that was not closed leaves nothing behind")
  func abandoned() throws {
    let folder = try CaptureFolder()
    do {
      let capture = try AirCaptureReader(path: folder.path + "/air.pcapng")
      SyntheticTrace.play(to: capture)
      equal(folder.names, ["air.pcapng.partial"])
    }
    equal(folder.names, [])
  }

  @Test("A capture that cannot be written says what the system said")
  func unwritable() throws {
    #expect(
      throws: WholeFileError(
        path: "/nowhere/at/all.pcapng.partial", operation: "open", reason: "No such file or directory")
    ) { try AirCaptureReader(path: "/nowhere/at/all.pcapng") }
    let folder = try CaptureFolder()
    let capture = try AirCaptureReader(path: folder.path + "/taken")
    try FileManager.default.createDirectory(atPath: folder.path + "/taken", withIntermediateDirectories: true)
    SyntheticTrace.play(to: capture)
    #expect(throws: WholeFileError.self) { try capture.close() }
    equal(folder.names, ["taken"])
  }

  @Test(
    "A full disk is reported, not swallowed",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "no /dev/full on this system"))
  func fullDisk() throws {
    let folder = try CaptureFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/air.pcapng.partial", withDestinationPath: "/dev/full")
    let capture = try AirCaptureReader(path: folder.path + "/air.pcapng")
    for _ in 0..<200 { SyntheticTrace.play(to: capture) }
    #expect {
      try capture.close()
    } throws: {
      ($0 as? WholeFileError)?.operation == "write"
    }
    expect(!folder.names.contains("air.pcapng"))
  }

  @Test("Wireshark reads every PDU as what it is", .enabled(if: CaptureTool.tsharkPath != nil))
  func wireshark() throws {
    let folder = try CaptureFolder()
    let file = try write(into: folder)
    try expect(CaptureTool.fields(file, ["frame.number"], filter: "_ws.malformed").isEmpty)
    try equal(CaptureTool.fields(file, ["frame.number"], filter: "btle.crc.incorrect"), [["10"]])
    let rows = try CaptureTool.fields(
      file,
      [
        "btle.advertising_header.pdu_type", "btle.control_opcode", "btatt.opcode", "btle_rf.channel",
        "btle_rf.signal_dbm", "btle_rf.flags.crc_valid", "btle_rf.phy", "btle_rf.pdu_type", "frame.time_epoch",
        "frame.comment",
      ])
    let column = { (index: Int) in rows.map { $0[index] } }
    equal(rows.count, SyntheticTrace.air.count)
    equal(column(0).prefix(6), ["0x00", "0x03", "0x04", "0x01", "0x06", "0x05"])
    equal(
      column(1).dropFirst(6),
      [
        "0x14", "0x15", "", "", "0x16", "0x17", "0x18", "0x19", "0x07", "0x0d", "0x11", "0x02",
      ])
    equal(column(2).enumerated().filter { !$0.element.isEmpty }.map { "\($0.offset) \($0.element)" }, ["8 0x02"])
    equal(column(3), [String](repeating: "12", count: 6) + [String](repeating: "20", count: 12))
    equal(column(4), [String](repeating: "", count: 6) + [String](repeating: "-61", count: 12))
    equal(column(5), (0..<18).map { $0 == 9 ? "0" : "1" })
    equal(column(6), (0..<18).map { $0 < 13 ? "0" : "1" })
    equal(column(7).joined(), "000000" + "232323232232")
    equal(column(8).first, "946684800.001000000")
    equal(column(9)[10], "failed expectation: all are ready (Zoë is not)")
  }

  @Test("Wireshark finds the fields that were put in", .enabled(if: CaptureTool.tsharkPath != nil))
  func wiresharkFields() throws {
    let folder = try CaptureFolder()
    let file = try write(into: folder)
    let expected: [(frame: Int, fields: [(name: String, value: String)])] = [
      (1, [("btle.advertising_address", "f0:f1:f2:f3:f4:a0"), ("btcommon.eir_ad.entry.device_name", "Bab")]),
      (4, [("btle.target_address", "f0:f1:f2:f3:f4:a1"), ("btle.advertising_header.ch_sel", "1")]),
      (
        6,
        [
          ("btle.link_layer_data.access_address", "0x50654a27"), ("btle.link_layer_data.crc_init", "0x2ed45d"),
          ("btle.link_layer_data.interval", "24"), ("btle.link_layer_data.timeout", "72"),
          ("btle.link_layer_data.hop", "7"), ("btle.link_layer_data.sleep_clock_accuracy", "5"),
          ("btle.link_layer_data.channel_map", "ffffffff1f"), ("btle.advertising_header.ch_sel", "1"),
        ]
      ),
      (7, [("btle.control.max_rx_octets", "251"), ("btle.control.max_tx_time", "2120")]),
      (9, [("btatt.client_rx_mtu", "517")]),
      (11, [("btle.control.tx_phys", "0x02"), ("btle.control.rx_phys", "0x03")]),
      (13, [("btle.control.m_to_s_phy", "0x02"), ("btle.control.instant", "9")]),
      (14, [("btle.control.phys", "0x03"), ("btle.control.min_used_channels", "5")]),
      (15, [("btle.control.unknown_type", "0x19")]),
      (16, [("btle.control.error_code", "0x1a")]),
      (17, [("btle.control.reject_opcode", "0x0f"), ("btle.control.error_code", "0x3b")]),
      (18, [("btle.control.error_code", "0x13")]),
    ]
    let names = Set(expected.flatMap { $0.fields.map(\.name) }).sorted()
    let rows = try CaptureTool.fields(file, names)
    for (frame, fields) in expected {
      for (name, value) in fields {
        let found = names.firstIndex(of: name).map { rows[frame - 1][$0] }
        equal(found, value, "frame \(frame), \(name)")
      }
    }
  }
}
