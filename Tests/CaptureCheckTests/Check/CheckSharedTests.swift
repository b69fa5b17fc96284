import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing

@testable import CaptureCheck

@Suite("Check and inspect on captures that others made")
struct CheckSharedTests {
  @Test("Each capture is judged or refused in one line; its records are told, and its reports can be written")
  func everyCapture() throws {
    var judged = 0
    for name in SharedTraffic.files {
      let path = SharedTraffic.folder + "/" + name
      do {
        let report = try Checker(paths: [path]).report()
        judged += 1
        equal(report.captures[0].records, report.captures[0].links.map(\.records).reduce(0, +))
        let text = CheckText.text(report)
        expect(text.contains(name))
        expect(!text.contains("\u{1B}"))
        _ = CheckJSONReport.octets(report, repeatLine: "")
        _ = CheckJUnitReport.octets(report, repeatLine: "")
        _ = try CheckPage.octets(report, version: "0", repeatLine: "")
      } catch let error as CaptureRefusal {
        expect(!error.description.contains("\n"))
        expect(error.description.contains(name))
      }
    }
    expect(SharedTraffic.files.isEmpty || judged > 20)
  }

  /// Foreign oracle: tshark's `btatt` fields, packet by packet.
  @Test(
    "Opcode and handle of every ATT packet are those that tshark reads",
    .enabled(if: CaptureTool.tsharkPath != nil && !SharedTraffic.files.isEmpty),
    arguments: ["04-csacca-btsnoop_hci.log", "36-wcbonner-20230221-GVH5074_5C0F.pcapng"])
  func agreesWithTshark(name: String) throws {
    let path = SharedTraffic.folder + "/" + name
    let rows = try CaptureTool.fields(
      path, ["frame.number", "btatt.opcode", "btatt.handle"], filter: "btatt && !_ws.malformed")
    let collector = PacketCollector(protocols: [], depth: .headline)
    let reader = TrafficReader(observers: [collector])
    let file = try CaptureFile(path: path)
    var ours: [Int: (opcode: UInt8, handles: [UInt16])] = [:]
    while let record = try file.next() {
      collector.begin(record)
      reader.read(record, file: 0, at: .zero)
      let packet = collector.end()
      for case .att(let opcode) in packet.codes { ours[record.number] = (opcode, packet.handles) }
    }
    expect(rows.count > 100)
    var compared = 0
    for row in rows {
      guard let number = Int(row[0]), let opcode = UInt8(row[1].dropFirst(2), radix: 16) else { continue }
      let packet = try required(ours[number], "packet \(number)")
      equal(packet.opcode, opcode, "packet \(number)")
      // tshark lists the handles inside responses too; ours are those that stand in front.
      if let handle = row[2].split(separator: ",").first, let first = packet.handles.first,
        [0x0A, 0x0C, 0x12, 0x1B, 0x1D, 0x52].contains(opcode)
      {
        equal(UInt16(handle.dropFirst(2), radix: 16), first, "packet \(number)")
        compared += 1
      }
    }
    expect(compared > 30)
  }

  /// Foreign oracle: tshark's tables of HCI numbers, by the words that both use.
  @Test("HCI opcodes have the names that tshark knows", .enabled(if: CaptureTool.tsharkPath != nil))
  func names() throws {
    let text = try CaptureTool.run(CaptureTool.tsharkPath, ["-G", "values"])
    var compared = 0
    // Renamed since, or named otherwise than the Core Specification does.
    let renamed = ["white", "slave", "master", "advertise", "tx", "sco", "country", "local", "amp", "codecs"]
    for line in text.components(separatedBy: "\nV\tbthci_cmd.opcode\t").dropFirst() {
      let fields = line.prefix { $0 != "\n" }.split(separator: "\t")
      guard fields.count >= 2, let number = UInt16(fields[0]), number > 0, fields[1] != "Unknown" else { continue }
      func words(_ text: some StringProtocol) -> [String] {
        text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init).filter { !["v1", "v2"].contains($0) }
      }
      let theirs = words(fields[1])
      if theirs.contains(where: renamed.contains) { continue }
      let ours = words(HCINames.command(number) ?? "")
      let same = theirs.filter(ours.contains).count
      expect(same * 2 > theirs.count, "\(fields[1]) is \(HCINames.command(number) ?? "nothing")")
      compared += 1
    }
    expect(compared > 200)
  }
}

@Suite("Packets in words")
struct InspectTests {
  /// Octets made by hand from the Core Specification: an event, a connection, a write, a notification, and a PDU that
  /// ends early.
  private static let packets: [(octets: [UInt8], isToHost: Bool)] = [
    ([0x01, 0x03, 0x0C, 0x00], false),
    ([0x04, 0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00], true),
    (
      [
        0x04, 0x3E, 0x13, 0x01, 0x00, 0x40, 0x00, 0x00, 0x01, 0xA0, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0, 0x18, 0x00, 0x00,
        0x00, 0x90, 0x01, 0x00,
      ], true
    ),
    ([0x02, 0x40, 0x00, 0x07, 0x00, 0x03, 0x00, 0x04, 0x00, 0x02, 0xB9, 0x00], false),
    ([0x02, 0x40, 0x20, 0x07, 0x00, 0x03, 0x00, 0x04, 0x00, 0x03, 0x17, 0x00], true),
    ([0x02, 0x40, 0x00, 0x09, 0x00, 0x05, 0x00, 0x04, 0x00, 0x52, 0x03, 0x00, 0x2A, 0x2B], false),
    ([0x02, 0x40, 0x20, 0x06, 0x00, 0x02, 0x00, 0x04, 0x00, 0x1B, 0x05], true),
    ([0x01, 0xFF, 0xFF, 0x00], false),
    ([0x04, 0x05, 0x04, 0x00, 0x40, 0x00, 0x13], true),
  ]

  private func lines(
    _ filter: InspectFilter = InspectFilter(), _ change: (inout PacketInspector.Style) -> Void = { _ in }
  )
    -> [String]
  {
    var style = PacketInspector.Style()
    change(&style)
    let inspector = PacketInspector(filter: filter, style: style, protocols: [])
    var text = ""
    for (index, packet) in Self.packets.enumerated() {
      let record = CaptureRecord(
        number: index + 1, link: .h4, nanoseconds: 0, originalLength: packet.octets.count,
        body: .hci(adapter: 0, indicator: packet.octets[0], isToHost: packet.isToHost),
        octets: packet.octets.dropFirst())
      let instant = SimInstant.zero + .milliseconds(Int64(index))
      text += inspector.lines(record, file: 0, at: instant) ?? ""
    }
    return text.split(separator: "\n").map(String.init)
  }

  @Test("One line per packet: number, time, direction, link, the highest layer")
  func golden() {
    equal(
      lines(),
      [
        "      1      0.000000  out           HCI_Reset (0x0C03), 0 octets of parameters",
        "      2      0.001000  in            HCI_Command_Complete of HCI_Reset (0x0C03)",
        "      3      0.002000  in   link 0   HCI_LE_Connection_Complete  "
          + "[link 0 opens: central unknown, peripheral F0:F1:F2:F3:F4:A0]",
        "      4      0.003000  out  link 0   ATT_EXCHANGE_MTU_REQ client receives 185",
        "      5      0.004000  in   link 0   ATT_EXCHANGE_MTU_RSP server receives 23  [link 0: ATT_MTU is 23]",
        "      6      0.005000  out  link 0   ATT_WRITE_CMD 0x0003, 2 octets",
        "      7      0.006000  in   link 0   ATT_HANDLE_VALUE_NTF, refused: truncated at octet 2",
        "      8      0.007000  out           HCI command 0xFFFF, 0 octets of parameters",
        "      9      0.008000  in   link 0   HCI_Disconnection_Complete of handle 0x0040, reason 0x13  "
          + "[link 0 closes, reason 0x13]",
      ])
  }

  @Test("Filters combine")
  func filters() throws {
    var filter = InspectFilter()
    filter.code = InspectFilter.code("0x52")
    equal(lines(filter).count, 1)
    filter.code = InspectFilter.code("att_write_cmd")
    equal(lines(filter).count, 1)
    filter.handle = 4
    expect(lines(filter).isEmpty)
    filter = InspectFilter()
    filter.device = InspectFilter.address("f0:f1:f2:f3:f4:a0")
    filter.from = InspectFilter.instant("0.003")
    filter.to = InspectFilter.instant("0.005s")
    equal(lines(filter).count, 3)
    filter = InspectFilter()
    filter.code = InspectFilter.code("HCI_Reset")
    equal(lines(filter).count, 2)
    equal(lines { $0.layers = [.att] }.count, 4)
  }

  @Test("Names and numbers on the command line", arguments: ["", "0x", "ATT_WRITE", "0x1FFFF", "-1"])
  func wrongCodes(text: String) {
    expect(InspectFilter.code(text) == nil)
    expect(InspectFilter.address(text) == nil)
  }

  @Test("A long look shows every field, with what was refused")
  func verbose() {
    let text = lines { $0.isVerbose = true }.joined(separator: "\n")
    expect(text.contains("Client_Rx_MTU: 185 octets"))
    expect(text.contains("Peer_Address: F0:F1:F2:F3:F4:A0 (random, static)"))
    expect(text.contains("ACL data on handle 0x0040, starting a frame, 9 octets"))
    expect(!text.contains("\u{1B}"))
    expect(lines { $0.isColoured = true }.joined().contains("\u{1B}[32mATT_WRITE_CMD"))
  }

  @Test("Times are read to the nanosecond, and nonsense is not")
  func times() {
    equal(InspectFilter.duration("+0.123s"), .milliseconds(123))
    equal(InspectFilter.duration("-2"), .seconds(-2))
    equal(InspectFilter.duration("1.000000001"), SimDuration(nanoseconds: 1_000_000_001))
    for text in ["", "s", ".5", "1.", "1.0000000001", "1e3", "99999999999"] {
      expect(InspectFilter.duration(text) == nil, "\(text)")
    }
  }
}
