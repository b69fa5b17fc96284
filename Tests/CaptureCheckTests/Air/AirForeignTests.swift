import BluetoothWire
import CaptureFormats
import CaptureTestSupport
import Expectations
import Foundation
import SimKernel
import Testing

@testable import CaptureCheck

/// Air captures of other people, against what tshark makes of them.
@Suite("The air of foreign captures", .enabled(if: CaptureTool.tsharkPath != nil && !SharedTraffic.files.isEmpty))
struct AirForeignTests {
  /// Counts of a field of tshark's, by its number; `filter` says which packets.
  private func counts(_ number: String, _ field: String, _ filter: String) throws -> [Int: Int] {
    var counts: [Int: Int] = [:]
    for row in try CaptureTool.fields(try required(SharedTraffic.path(number)), [field], filter: filter) {
      // A PDU inside an error response is a field of its own; the first one is the PDU's.
      guard let first = row[0].split(separator: ",").first else { continue }
      let value = first.hasPrefix("0x") ? Int(first.dropFirst(2), radix: 16) : Int(first)
      counts[try required(value), default: 0] += 1
    }
    return counts
  }

  private func count(_ values: [UInt8]) -> [Int: Int] {
    values.reduce(into: [:]) { $0[Int($1), default: 0] += 1 }
  }

  /// Records whose numbers are known to differ, and why.
  struct Expectation: Sendable, CustomTestStringConvertible {
    var number: String
    /// What tshark counts and the follower does not, or the reverse (then negative), by opcode.
    var control: [Int: Int] = [:]
    var att: [Int: Int] = [:]
    var reason = ""
    var testDescription: String { number }
  }

  static let captures = [
    Expectation(
      number: "01", control: [0x15: 1], att: [0x87: 1],
      reason: "two PDUs without CONNECT_IND whose CRCs have nothing in common: no connection by our rule"),
    Expectation(number: "02"),
    Expectation(
      number: "07", att: [0x02: 1],
      reason: "packet 60 repeats packet 59, ATT_EXCHANGE_MTU_REQ; repeats are not delivered twice"),
    Expectation(number: "08"),
    Expectation(
      number: "11", control: [0x0E: 1], reason: "a single PDU without CONNECT_IND is no connection by our rule"),
  ]

  @Test("Advertising PDUs by type are tshark's", arguments: captures)
  func advertising(capture: Expectation) throws {
    let log = AirLog.reading(try SharedTraffic.records(capture.number))
    let types = log.air.filter { $0.header.accessAddress == LL.advertisingAccessAddress }.compactMap(\.octets.first)
    let theirs = try counts(
      capture.number, "btle.advertising_header.pdu_type", "btle.access_address == 0x8e89bed6")
    equal(count(types.map { $0 & 0x0F }), theirs)
  }

  @Test("Control PDUs by opcode are tshark's", arguments: captures)
  func control(capture: Expectation) throws {
    let log = AirLog.reading(try SharedTraffic.records(capture.number))
    let opcodes = log.fragments.filter { $0.llid == 3 && $0.octets.count > 2 }.map { $0.octets[2] }
    let theirs = try counts(capture.number, "btle.control_opcode", "btle.control_opcode")
    equal(difference(theirs, count(opcodes)), capture.control, "\(capture.reason)")
  }

  @Test("ATT PDUs by opcode are tshark's", arguments: captures)
  func att(capture: Expectation) throws {
    let log = AirLog.reading(try SharedTraffic.records(capture.number))
    let theirs = try counts(capture.number, "btatt.opcode", "btatt.opcode")
    equal(difference(theirs, count(log.att.compactMap(\.octets.first))), capture.att, "\(capture.reason)")
  }

  private func difference(_ a: [Int: Int], _ b: [Int: Int]) -> [Int: Int] {
    var difference = a
    for key in b.keys.sorted() { difference[key, default: 0] -= b[key] ?? 0 }
    return difference.filter { $0.value != 0 }
  }

  @Test("Connections have the parameters that tshark reads from CONNECT_IND", arguments: ["02", "07", "08"])
  func connections(number: String) throws {
    let names = [
      "btle.link_layer_data.access_address", "btle.link_layer_data.crc_init", "btle.link_layer_data.interval",
      "btle.link_layer_data.latency", "btle.link_layer_data.timeout", "btle.link_layer_data.hop",
      "btle.link_layer_data.sleep_clock_accuracy", "btle.initiator_address", "btle.advertising_address",
      "btle.link_layer_data.channel_map", "btle.advertising_header.randomized_tx",
      "btle.advertising_header.randomized_rx",
    ]
    let rows = try CaptureTool.fields(
      try required(SharedTraffic.path(number)), names, filter: "btle.advertising_header.pdu_type == 5")
    var opened: [AirLog] = []
    // Parameters change later: what is read here is what they were when the link opened.
    let records = try SharedTraffic.records(number)
    for end in records.indices where isConnect(records[end]) { opened.append(AirLog.reading(Array(records[...end]))) }
    equal(opened.count, rows.count)
    for (row, log) in zip(rows, opened) {
      let link = try required(log.opened.last)
      let air = try required(link.air)
      func hex(_ value: UInt32, _ digits: Int) -> String {
        let text = String(value, radix: 16)
        return "0x" + String(repeating: "0", count: digits - text.count) + text
      }
      let map = try required(air.channelMap)
      let mapOctets = (0..<5).map { UInt8(truncatingIfNeeded: map.bits >> (8 * $0)) }
      equal(row[0], hex(link.accessAddress ?? 0, 8))
      equal(row[1], hex(air.crcInit ?? 0, 6))
      equal(
        row[2...6],
        [
          "\(link.interval ?? 0)", "\(link.peripheralLatency ?? 0)", "\(link.supervisionTimeout ?? 0)",
          "\(air.hopIncrement ?? 0)", "\(air.sleepClockAccuracy ?? 9)",
        ])
      equal(row[7], link.central?.description.lowercased())
      equal(row[8], link.peripheral?.description.lowercased())
      equal(row[9], mapOctets.map { String(hex(UInt32($0), 2).dropFirst(2)) }.joined())
      equal((row[10] == "1"), (link.central?.kind == .random))
      equal((row[11] == "1"), (link.peripheral?.kind == .random))
    }
  }

  private func isConnect(_ record: CaptureRecord) -> Bool {
    guard case .air(let header) = record.body, header.accessAddress == LL.advertisingAccessAddress else { return false }
    return record.octets.first.map { $0 & 0x0F == 5 } ?? false
  }

  @Test("Event counters worked out from times are those of Nordic's sniffer")
  func eventCounters() throws {
    let records = try SharedTraffic.records("08")
    let stated = AirLog.reading(records)
    let inferred = AirLog.reading(
      records.map { record in
        var record = record
        if case .air(var header) = record.body {
          header.eventCounter = nil
          record.body = .air(header)
        }
        return record
      })
    let pairs = zip(stated.air, inferred.air).filter { $0.0.link != nil }
    expect(pairs.count > 5_000)
    equal(pairs.filter { $0.0.header.eventCounter != $0.1.eventCounter }.map(\.0.number).prefix(5), [])
  }

  @Test("Channel selection gives the channels at which sniffers heard the PDUs", arguments: ["02", "07", "08"])
  func channels(number: String) throws {
    let log = AirLog.reading(try SharedTraffic.records(number))
    let data = log.air.filter { $0.link != nil && $0.header.rfChannel != nil }
    let known = data.filter { $0.expectedRFChannel != nil }
    let off = known.filter { $0.expectedRFChannel != $0.header.rfChannel }
    expect(off.isEmpty)
    equal(known.count, data.count)
  }

  /// In capture 02 the sniffer missed the central's PDU of three events; what it then calls the central's comes 228 to
  /// 306 µs behind the anchor, with the peripheral's sequence numbers.
  @Test("A peripheral's PDU that the sniffer calls the central's is the peripheral's")
  func mistakenDirections() throws {
    let log = AirLog.reading(try SharedTraffic.records("02"))
    for number in [208, 247, 260] {
      equal(log.air.first { $0.number == number }?.header.isFromCentral, false, "packet \(number)")
    }
    for number in [209, 211, 248] {
      equal(log.air.first { $0.number == number }?.header.isFromCentral, true, "packet \(number)")
    }
  }

  @Test("Without the directions of the file those that are worked out are the file's", arguments: ["02", "08"])
  func directions(number: String) throws {
    let records = try SharedTraffic.records(number)
    let stated = AirLog.reading(records)
    let inferred = AirLog.reading(
      records.map { record in
        var record = record
        if case .air(var header) = record.body {
          header.isFromCentral = nil
          record.body = .air(header)
        }
        return record
      })
    let pairs = zip(stated.air, inferred.air).filter { $0.0.link != nil && $0.0.header.isCRCValid != false }
    let wrong = pairs.filter {
      $0.1.header.isFromCentral != nil && $0.0.header.isFromCentral != $0.1.header.isFromCentral
    }
    let unknown = pairs.filter { $0.1.header.isFromCentral == nil }
    expect(wrong.isEmpty)
    expect(unknown.count * 50 <= pairs.count)
    // What is delivered then is delivered rightly.
    expect(inferred.att.allSatisfy { pdu in stated.att.contains { $0.side == pdu.side && $0.octets == pdu.octets } })
  }
}
