import BluetoothWire
import CaptureTestSupport
import Expectations
import SimKernel
import Testing

@testable import CaptureCheck

/// What the handle of every PDU that carries a value means: service, characteristic, type.
private final class MeaningObserver: TrafficObserver {
  let interests: TrafficEvent.Interests = .att
  private(set) var rows: [Int: String] = [:]

  func observe(att pdu: TrafficPDU) {
    let fields = OctetFields(pdu.octets)
    guard fields.count >= 3, SharedAttributeTests.opcodes.contains(fields.u8(0)) else { return }
    let opcode = ATT.Opcode(rawValue: fields.u8(0))
    let map = pdu.link.attributes(namedBy: opcode, fromCentral: pdu.fromCentral)
    let handle = fields.u16(1)
    let digits = String(handle, radix: 16)
    var row = [HCIScript.text(fields.u8(0)), String(repeating: "0", count: 4 - digits.count) + digits]
    if let characteristic = map.characteristic(value: handle) {
      row += [text(map.service(holding: handle)?.uuid), "", text(characteristic.uuid)]
    } else if let descriptor = map.descriptor(handle) {
      row += [
        text(map.service(holding: handle)?.uuid), text(map.characteristic(owning: handle)?.uuid), text(descriptor),
      ]
    } else {
      row += ["", "", ""]
    }
    rows[pdu.place.number] = row.joined(separator: " ")
  }

  private func text(_ uuid: BluetoothUUID?) -> String {
    uuid.map { "\($0)".lowercased().filter { $0 != "-" } } ?? ""
  }
}

@Suite(
  "Shared captures: what handles mean and how large ATT_MTU is",
  .enabled(if: CaptureTool.tsharkPath != nil && !SharedTraffic.files.isEmpty))
struct SharedAttributeTests {
  /// Read, read blob, write, both write commands, notification, indication.
  static let opcodes: Set<UInt8> = [0x0A, 0x0C, 0x12, 0x52, 0xD2, 0x1B, 0x1D]

  /// What tshark shows of a file: a row by packet for each PDU that carries a value, and for each exchange the handle
  /// or access address with the ATT_MTU that both values give. One call for both: most of its time is the start.
  private func theirs(_ path: String) throws -> (meanings: [Int: String], exchanges: [String]) {
    var meanings: [Int: String] = [:]
    var offered: [String: Int] = [:]
    var exchanges: [String] = []
    let fields = [
      "frame.number", "btatt.opcode", "btatt.handle", "btatt.service_uuid16", "btatt.service_uuid128",
      "btatt.characteristic_uuid16", "btatt.characteristic_uuid128", "btatt.uuid16", "btatt.uuid128",
      "bthci_acl.chandle", "btle.access_address", "btatt.client_rx_mtu", "btatt.server_rx_mtu",
    ]
    for row in try CaptureTool.fields(path, fields, filter: "btatt") where row.count == fields.count {
      let link = row[9] + row[10]
      if let client = Int(row[11]) { offered[link] = client }
      if let server = Int(row[12]), let client = offered.removeValue(forKey: link) {
        exchanges.append("\(link.suffix(3)) \(max(23, min(client, server)))")
      }
      let plain = row.map { $0.replacing("0x", with: "") }
      guard let opcode = UInt8(plain[1], radix: 16), Self.opcodes.contains(opcode), let number = Int(plain[0]) else {
        continue
      }
      meanings[number] = [plain[1], plain[2], plain[3] + plain[4], plain[5] + plain[6], plain[7] + plain[8]]
        .joined(separator: " ")
    }
    return (meanings, exchanges)
  }

  @Test(
    "Every value's handle, and ATT_MTU after every exchange, are what Wireshark says",
    arguments: Part.of(SharedTraffic.files, 3))
  func meanings(file: String) throws {
    let path = SharedTraffic.folder + "/" + file
    let (observer, recorder) = (MeaningObserver(), TrafficRecorder())
    recorder.onEvent = { event in
      guard case .linkChanged(let link, .attMTU) = event.kind else { return nil }
      let digits = link.handle.map { String($0, radix: 16) } ?? String(link.accessAddress ?? 0, radix: 16)
      return "\(String(repeating: "0", count: max(0, 3 - digits.count)) + digits.suffix(3)) \(link.attMTU ?? 0)"
    }
    SharedTraffic.read(path, [observer, recorder])
    guard let (theirs, exchanges) = try? theirs(path) else { return }
    equal(recorder.notes, exchanges, "\(file)")
    var found: [String: Int] = [:]
    // Which PDUs there are is SharedCountTests' business.
    for number in Set(theirs.keys).intersection(observer.rows.keys).sorted() {
      if theirs[number] != observer.rows[number] {
        found["ours \(observer.rows[number]!), tshark \(theirs[number]!)", default: 0] += 1
      }
    }
    let listed = SharedDifferences.meanings[String(file.prefix(2))] ?? []
    equal(found.keys.sorted(), listed.flatMap(\.lines).sorted(), "\(file)")
  }

  @Test("Without its head, a capture shows the same PDUs, and does not pretend to know what was in the head")
  func headless() throws {
    // File; records until behind the connection.
    for (number, skipped) in [("04", 700), ("15", 400), ("36", 100)] {
      let path = try required(SharedTraffic.path(number))
      let (whole, cut) = (TrafficRecorder(), TrafficRecorder())
      SharedTraffic.read(path, [whole])
      let reader = SharedTraffic.read(path, skipping: skipped, [cut]).reader
      let behind = whole.att.filter { $0.number > skipped }
      let isSame = cut.att.map(\.octets) == behind.map(\.octets)
      expect(isSame && !behind.isEmpty, "\(number): \(cut.att.count) PDUs and \(behind.count)")
      let link = try required(reader.links.first)
      let full = try required(
        whole.events.compactMap { event -> TrafficLink? in
          if case .linkOpened(let link) = event.kind { link } else { nil }
        }.last { $0.openedBy.number <= skipped && $0.handle == link.handle })
      expect(!link.isFromStart && full.isFromStart, "\(number)")
      expect(link.attMTU == nil && full.attMTU != nil, "\(number)")
      expect(!cut.att.isEmpty)
    }
  }
}
