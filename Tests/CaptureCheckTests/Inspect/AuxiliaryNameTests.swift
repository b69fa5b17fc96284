import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing

@testable import CaptureCheck

/// Octets written by hand after the layouts of Core v5.4, Vol 6, Part B, 2.3.
@Suite("PDUs of extended advertising")
struct AuxiliaryNameTests {
  private struct Sent {
    var pdu: [UInt8]
    var rfChannel: UInt8
    var milliseconds: Int64
    /// What the sniffer's header says, for the four that have one type.
    var kind: AuxiliaryKind?
    var name: String
  }

  private static let advertiser: [UInt8] = [0xA1, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0]
  private static let scanner: [UInt8] = [0xA0, 0xF4, 0xF3, 0xF2, 0xF1, 0xF0]

  /// AuxPtr: channel index, units of 30 µs, offset, LE 1M.
  private static func pointer(_ index: UInt8, milliseconds: Int) -> [UInt8] {
    let offset = milliseconds * 1_000 / 30
    return [index, UInt8(offset & 0xFF), UInt8(offset >> 8)]
  }

  private static func pdu(_ type: UInt8, mode: UInt8, flags: UInt8, _ fields: [UInt8], data: [UInt8] = []) -> [UInt8] {
    let payload = [mode << 6 | UInt8(fields.count + 1), flags] + fields + data
    return [type | 0xC0, UInt8(payload.count)] + payload
  }

  /// Offset 3 ms in units of 30 µs, interval 100 ms, 37 channels, accuracy 31 to 50 ppm.
  private static let syncInfo: [UInt8] =
    [100, 0, 80, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xBF, 0x67, 0x45, 0x23, 0x71, 0x56, 0x34, 0x12, 7, 0]

  private static let sent: [Sent] = [
    Sent(
      pdu: pdu(7, mode: 2, flags: 0x18, [1, 0x10] + pointer(20, milliseconds: 3)), rfChannel: 0, milliseconds: 0,
      name: "ADV_EXT_IND"),
    Sent(
      pdu: pdu(7, mode: 2, flags: 0x09, advertiser + [1, 0x10]), rfChannel: 22, milliseconds: 3, kind: .advInd,
      name: "AUX_ADV_IND"),
    Sent(pdu: [0xC3, 12] + scanner + advertiser, rfChannel: 22, milliseconds: 4, name: "AUX_SCAN_REQ"),
    Sent(
      pdu: pdu(7, mode: 0, flags: 0x19, advertiser + [1, 0x10] + pointer(5, milliseconds: 6), data: [2, 1, 6]),
      rfChannel: 22, milliseconds: 5, kind: .scanRsp, name: "AUX_SCAN_RSP"),
    Sent(
      pdu: pdu(7, mode: 0, flags: 0x08, [1, 0x10], data: [2, 0x0A, 4]), rfChannel: 6, milliseconds: 11, kind: .chainInd,
      name: "AUX_CHAIN_IND"),
    Sent(
      pdu: pdu(7, mode: 0, flags: 0x18, [1, 0x20] + pointer(9, milliseconds: 2)), rfChannel: 12, milliseconds: 20,
      name: "ADV_EXT_IND"),
    Sent(
      pdu: pdu(7, mode: 0, flags: 0x29, advertiser + [1, 0x20] + syncInfo), rfChannel: 10, milliseconds: 22,
      kind: .advInd, name: "AUX_ADV_IND"),
    Sent(
      pdu: [0xE5, 34] + scanner + advertiser + [UInt8](repeating: 0x55, count: 22), rfChannel: 22, milliseconds: 40,
      name: "AUX_CONNECT_REQ"),
    Sent(
      pdu: pdu(8, mode: 0, flags: 0x03, advertiser + scanner), rfChannel: 22, milliseconds: 41,
      name: "AUX_CONNECT_RSP"),
    Sent(
      pdu: [0xC5, 34] + scanner + advertiser + [UInt8](repeating: 0x55, count: 22), rfChannel: 39, milliseconds: 60,
      name: "CONNECT_IND"),
  ]

  /// - Parameter isStated: whether the sniffer's header says what it is.
  private static func records(isStated: Bool) -> [CaptureRecord] {
    sent.enumerated().map { index, sent in
      var header = AirHeader(accessAddress: LL.advertisingAccessAddress)
      header.rfChannel = sent.rfChannel
      header.crc = LL.crc24(pdu: sent.pdu, initial: LL.advertisingCRCInit)
      header.isCRCValid = true
      if isStated { header.auxiliary = sent.kind }
      return CaptureRecord(
        number: index + 1, link: .leLinkLayerWithHeader, nanoseconds: sent.milliseconds * 1_000_000,
        originalLength: sent.pdu.count + 17, body: .air(header), octets: sent.pdu[...])
    }
  }

  private static func lines(isStated: Bool, isVerbose: Bool = false, _ filter: InspectFilter = InspectFilter())
    -> [String]
  {
    var style = PacketInspector.Style()
    style.isVerbose = isVerbose
    let inspector = PacketInspector(filter: filter, style: style, protocols: [])
    return records(isStated: isStated).flatMap { record -> [String] in
      let text = inspector.lines(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds)) ?? ""
      return text.split(separator: "\n").map { String($0) }
    }
  }

  @Test(
    "Each has its own name, whether the sniffer says what it is or what came before shows it", arguments: [true, false])
  func names(_ isStated: Bool) {
    let lines = Self.lines(isStated: isStated)
    equal(lines.count, Self.sent.count)
    for (line, sent) in zip(lines, Self.sent) { expect(line.contains(" \(sent.name), "), "\(line)") }
  }

  @Test("Filters and statistics tell them apart")
  func filtered() throws {
    for sent in Self.sent {
      var filter = InspectFilter()
      filter.code = InspectFilter.code(sent.name)
      expect(filter.code != nil, "\(sent.name)")
      let count = Self.sent.count { $0.name == sent.name }
      equal(Self.lines(isStated: false, filter).count, count, "\(sent.name)")
      expect(InspectFilter.names.contains(sent.name))
    }
    let stats = TrafficStats()
    let reader = TrafficReader(observers: [stats])
    for record in Self.records(isStated: true) {
      reader.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds))
    }
    let rows = stats.counts.rows.filter { $0.family == .advertising }
    for row in rows { expect(row.count == Self.sent.count { $0.name == row.name } && row.code <= 8, "\(row)") }
    equal(Set(rows.map(\.name)), Set(Self.sent.map(\.name)))
  }

  @Test("SyncInfo is taken apart")
  func syncInfo() {
    let lines = Self.lines(isStated: true, isVerbose: true)
    for field in [
      "Sync_Packet_Offset: 3000 µs (0x0064)", "Interval: 100 ms (0x0050)",
      "ChM,_SCA: channel index 0-36 (37 channels), 31 to 50 ppm", "AA: 0x71234567", "CRCInit: 0x123456",
      "Event_Counter: 7 (0x0007)",
    ] { expect(lines.contains { $0.hasSuffix(field) }, "\(field) in \(lines)") }
  }

  @Test("tshark names them as we do, and reads the same SyncInfo", .enabled(if: CaptureTool.tsharkPath != nil))
  func tshark() throws {
    let folder = try CaptureFolder()
    var writer = CaptureWriter(format: .pcap, link: .leLinkLayerWithHeader, application: "tests")
    var octets: [UInt8] = []
    for record in Self.records(isStated: true) { try writer.append(record, to: &octets) }
    let path = folder.path + "/aux.pcap"
    try Data(octets).write(to: URL(fileURLWithPath: path))
    let rows = try CaptureTool.fields(path, ["_ws.col.Info"])
    let names = rows.map { row in String(row[0].prefix { $0 != " " && $0 != "[" && $0 != "," }) }
    equal(names, Self.sent.map(\.name), "\(rows)")
    let header = "btle.extended_advertising_header.sync_info."
    let info = try CaptureTool.fields(
      path, ["sync_offset", "interval", "access_address", "crc_init", "event_counter"].map { header + $0 },
      filter: header + "interval")
    equal(info.count, 1)
    let last: [String] = info.first.map { Array($0.dropFirst(2)) } ?? []
    equal(last, ["0x71234567", "0x123456", "7"], "\(info)")
  }
}
