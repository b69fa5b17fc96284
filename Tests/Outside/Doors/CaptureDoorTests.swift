import BluetoothWire
import CaptureCheck
import CaptureFormats
import Foundation
import Judging
import SimKernel
import Testing

/// Counts what a client is notified of, in any capture.
final class NotificationCount: TrafficObserver {
  private(set) var values: [[UInt8]] = []
  var interests: TrafficEvent.Interests { [.att] }

  func observe(att pdu: TrafficPDU) {
    let found = TrafficValue.values(in: pdu.octets) ?? []
    values += found.filter(\.isFromServer).map { Array($0.octets) }
  }
}

@Suite("Captures, read and judged by an outsider")
struct CaptureDoorTests {
  /// The watch's HCI log of a room in which three heart rates were sent.
  private static let records: [CaptureRecord] = {
    let room = SensorAndWatch(seed: 7)
    room.run(for: .seconds(5))
    for rate: UInt8 in [71, 72, 73] {
      _ = room.measure(rate)
      room.run(for: .seconds(1))
    }
    return room.packets.enumerated().map { index, packet in
      CaptureRecord(
        number: index + 1, link: .h4, nanoseconds: packet.at.nanoseconds, originalLength: packet.octets.count,
        body: .hci(adapter: 0, indicator: packet.octets[0], isToHost: packet.isToHost),
        octets: packet.octets.dropFirst())
    }
  }()

  private static func file(_ records: [CaptureRecord]) throws -> [UInt8] {
    var writer = CaptureWriter(format: .btsnoop, application: "an outsider")
    var octets: [UInt8] = []
    for record in records { try writer.append(record, to: &octets) }
    writer.finish(into: &octets)
    return octets
  }

  private static func check(_ records: [CaptureRecord]) throws -> CheckReport {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("watch-\(UUID().uuidString).btsnoop")
    try Data(file(records)).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try Checker(paths: [url.path]).report()
  }

  @Test("What was written is read again, and an observer sees the values in it")
  func reading() throws {
    var reader = CaptureReader()
    reader.append(try Self.file(Self.records))
    let count = NotificationCount()
    let traffic = TrafficReader(observers: [count])
    var start: Int64?
    while let record = try reader.next() {
      start = start ?? record.nanoseconds
      traffic.read(record, file: 0, at: SimInstant(nanoseconds: record.nanoseconds - start!))
    }
    try reader.finish()
    traffic.finish()
    #expect(reader.format == .btsnoop && reader.ending == .whole)
    #expect(traffic.linkCount == 1)
    #expect(count.values == [[0, 71], [0, 72], [0, 73]])
  }

  @Test("The general rules pass it, and fail one with an answer that nobody asked for")
  func judging() throws {
    let right = try Self.check(Self.records)
    #expect(right.verdict == .pass && right.links.count == 1)
    let place = try #require(Self.records.lastIndex { $0.octets.suffix(2) == [0, 73] })
    var records = Self.records
    let handle = Array(records[place].octets.prefix(2))
    // ATT_READ_RSP of one octet, in one L2CAP frame (Core v5.4, Vol 3, Part F, 3.4.4.4).
    records[place].octets = (handle + [6, 0, 2, 0, 4, 0, 0x0B, 1])[...]
    records[place].originalLength = 11
    let wrong = try Self.check(records)
    #expect(wrong.verdict == .fail)
    let findings = wrong.rules.flatMap(\.findings)
    #expect(findings.contains { $0.verdict == .fail })
  }
}
