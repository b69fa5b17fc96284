import CaptureFormats
import Expectations
import Testing

@Suite("The monitor's records on a serial line")
struct MonitorStreamTests {
  /// A record as Zephyr writes it: length, opcode, flags, extended header with the time, and what was lost.
  static func record(_ opcode: UInt16, at units: UInt32, lost: [UInt8] = [], _ octets: [UInt8]) -> [UInt8] {
    let extended = [8] + (0..<4).map { UInt8(truncatingIfNeeded: units >> (8 * UInt32($0))) } + lost
    let length = 4 + extended.count + octets.count
    return [UInt8(length & 0xFF), UInt8(length >> 8), UInt8(opcode), 0, 0, UInt8(extended.count)] + extended + octets
  }

  private static let index = record(0, at: 10, [1, 1, 6, 5, 4, 3, 2, 1] + Array("zephyr\0\0".utf8))
  private static let stream =
    index + record(2, at: 20, [0x03, 0x0C, 0x00]) + record(3, at: 31, [0x0E, 0x04, 0x01, 0x03, 0x0C, 0x00])
    + record(4, at: 31, lost: [2, 3, 3, 1], [0x40, 0x20, 0x04, 0x00, 1, 2, 3, 4])
    + record(12, at: 40, Array("hello\0".utf8))

  @Test("Records have their time, their packets, and what was lost so far", arguments: [Int.max, 1, 7])
  func records(_ piece: Int) throws {
    let file = try ReadFile(Self.stream, chunk: piece)
    expect(file.reader.format == .monitor && file.reader.ending == .whole)
    equal(
      file.records.map(\.body),
      [
        .monitor(adapter: 0, opcode: 0), .hci(adapter: 0, indicator: 1, isToHost: false),
        .hci(adapter: 0, indicator: 4, isToHost: true), .hci(adapter: 0, indicator: 2, isToHost: false),
        .monitor(adapter: 0, opcode: 12),
      ])
    equal(file.records.map { $0.nanoseconds / 100_000 }, [10, 20, 31, 31, 40])
    equal(file.records.map(\.drops), [0, 0, 0, 4, 4])
    equal(Array(file.records[1].octets), [0x03, 0x0C, 0x00])
  }

  @Test("A clock that wraps goes on")
  func wraps() throws {
    let file = try ReadFile(Self.record(2, at: .max, [3, 12, 0]) + Self.record(2, at: 4, [3, 12, 0]))
    equal(file.records[1].nanoseconds - file.records[0].nanoseconds, 500_000)
  }

  @Test("What it is damaged by is said, with its place")
  func damaged() throws {
    var short = Self.stream
    short[Self.index.count] = 5
    #expect(throws: CaptureError(.lengthMismatch, at: Self.index.count)) { try ReadFile(short) }
    try expect(ReadFile(Array(Self.stream.dropLast())).reader.ending != .whole)
    // PacketLogger's files begin with a length, too.
    let logger = [UInt8].hex("0a000000 074d256a 20c50100 fc 41") + [UInt8].hex("0a000000 074d256a 20c50100 fc 41")
    try equal(ReadFile(logger).reader.format, .packetLogger)
  }

  @Test("Linux's monitor in btsnoop holds the same, and nothing is written as a stream")
  func written() throws {
    let records = try ReadFile(Self.stream).records
    let made = CaptureWriter.file(records, .btsnoop, .linuxMonitor)
    let again = try ReadFile(made.octets).records
    expect(made.mismatches.isEmpty && again.map(\.body) == records.map(\.body))
    equal(again.map { Array($0.octets) }, records.map { Array($0.octets) })
    equal(CaptureWriter.file(records, .monitor).mismatches.count, records.count)
  }
}
