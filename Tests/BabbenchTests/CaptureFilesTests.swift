@testable import Campaigns
import CaptureFormats
import Expectations
import Foundation
import SimKernel
import Testing

@testable import Commands

/// What a live capture leaves on the disk, at each moment.
@Suite("Files of a live capture", .shippedEdition)
struct CaptureFilesTests {
  /// Messages of Linux's monitor, 100 ms apart: vendor events with their number.
  private static func record(_ number: Int, octets: Int = 20) -> CaptureRecord {
    let event: [UInt8] = [0xFF, UInt8(octets), UInt8(number & 0xFF)] + [UInt8](repeating: 0x55, count: octets - 1)
    return CaptureRecord(
      number: number, linkType: 254, nanoseconds: 1_700_000_000_000_000_000 + Int64(number) * 100_000_000,
      originalLength: 4 + event.count, drops: 0, octets: [0, 0, 0, 3] + event)
  }

  private static func read(_ path: String) throws -> [CaptureRecord] {
    var reader = CaptureReader()
    reader.append([UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
    var records: [CaptureRecord] = []
    while let record = try reader.next() { records.append(record) }
    equal(reader.ending, .whole)
    return records
  }

  private func settings(
    _ path: String, _ format: CaptureFormat = .pcapng, limit: String? = nil, kept: Int? = nil
  ) throws -> CaptureFiles.Settings {
    CaptureFiles.Settings(
      path: path, format: format, limit: try limit.map { try CaptureLimit(spelling: $0) }, kept: kept,
      application: "a test")
  }

  @Test("A file is whole before the first packet, behind each flush, and at the end", arguments: CaptureFormat.written)
  func wholeAtEveryMoment(format: CaptureFormat) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/trace"
    let files = try CaptureFiles(try settings(path, format))
    if format != .packetLogger { try expect(Self.read(path).isEmpty) }
    for number in 1...50 {
      try files.append(Self.record(number))
      if number % 7 == 0 {
        try files.flush()
        try equal(Self.read(path).count, number)
        equal(files.written, number)
      }
    }
    try files.finish()
    let records = try Self.read(path)
    expect(records.count == 50 && files.written == 50 && files.unwritable == 0)
    equal(records.map(\.octets), (1...50).map { Self.record($0).octets })
  }

  @Test("What a format has no place for is left out and counted, and the rest is there")
  func mismatch() throws {
    let folder = try TemporaryFolder()
    let files = try CaptureFiles(try settings(folder.path + "/trace.pklg", .packetLogger))
    try files.append(Self.record(1))
    try files.append(
      CaptureRecord(number: 2, linkType: 254, nanoseconds: 0, originalLength: 5, drops: 0, octets: [0, 0, 0, 12, 65]))
    try files.append(Self.record(3))
    try files.finish()
    expect(files.written == 2 && files.unwritable == 1 && files.mismatch != nil)
    try equal(Self.read(folder.path + "/trace.pklg").count, 2)
  }

  @Test("By packets: numbered files, the oldest removed, and numbers go on in the next capture")
  func packets() throws {
    let folder = try TemporaryFolder()
    let files = try CaptureFiles(try settings(folder.path + "/trace.pcap", .pcap, limit: "10 packets", kept: 3))
    for number in 1...45 { try files.append(Self.record(number)) }
    try files.finish()
    try equal(folder.files(), ["trace-00003.pcap", "trace-00004.pcap", "trace-00005.pcap"])
    expect(files.count == 5 && files.written == 45)
    let counts = try folder.files().map { try Self.read(folder.path + "/" + $0).count }
    equal(counts, [10, 10, 5])
    try folder.write("mine", to: "trace-x.pcap")
    let more = try CaptureFiles(try settings(folder.path + "/trace.pcap", .pcap, limit: "10 packets", kept: 3))
    try more.finish()
    try equal(folder.files(), ["trace-00004.pcap", "trace-00005.pcap", "trace-00006.pcap", "trace-x.pcap"])
  }

  @Test("By octets: no file is larger, none is without a packet, and all packets are in one of them")
  func octets() throws {
    let folder = try TemporaryFolder()
    let files = try CaptureFiles(try settings(folder.path + "/trace.btsnoop", .btsnoop, limit: "500B"))
    for number in 1...100 {
      try files.append(Self.record(number, octets: number == 50 ? 250 : 20))
      if number % 3 == 0 { try files.flush() }
    }
    try files.finish()
    var octets: [ArraySlice<UInt8>] = []
    for name in try folder.files() {
      let size = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name)).count
      expect(size <= 500)
      let records = try Self.read(folder.path + "/" + name)
      expect(!records.isEmpty)
      octets += records.map(\.octets)
    }
    equal(octets, (1...100).map { Self.record($0, octets: $0 == 50 ? 250 : 20).octets })
  }

  @Test("By time: that of the packets")
  func time() throws {
    let folder = try TemporaryFolder()
    let files = try CaptureFiles(try settings(folder.path + "/trace.pcapng", limit: "2s"))
    for number in 1...50 { try files.append(Self.record(number)) }
    try files.finish()
    let counts = try folder.files().map { try Self.read(folder.path + "/" + $0).count }
    equal(counts, [20, 20, 10])
  }

  @Test("A disk that is full, and a place that cannot be written, are told with the file's name")
  func refusals() throws {
    if FileManager.default.fileExists(atPath: "/dev/full") {
      let error = #expect(throws: BenchFailure.self) { _ = try CaptureFiles(try settings("/dev/full")) }
      equal(error?.description.hasPrefix("/dev/full: cannot be written: No space left on device"), true)
    } else {
      print("SKIPPED: no /dev/full here")
    }
    let error = #expect(throws: BenchFailure.self) { _ = try CaptureFiles(try settings("/no/such/folder/x.pcap")) }
    equal(error?.description, "/no/such/folder/x.pcap: cannot be opened: No such file or directory")
  }

  @Test(
    "Limits are octets, times and packets",
    arguments: [
      ("10MB", CaptureLimit.octets(10_000_000)), ("64KiB", .octets(65_536)), ("500B", .octets(500)),
      ("60s", .time(.seconds(60))), ("5min", .time(.seconds(300))), ("1000 packets", .packets(1_000)),
      ("1packet", .packets(1)),
    ])
  func limits(text: String, limit: CaptureLimit) throws {
    try equal(CaptureLimit(spelling: text), limit)
  }

  @Test(
    "Anything else is no limit", arguments: ["", "10", "MB", "-1MB", "0B", "0s", "ten packets", "99999999999999GB"])
  func noLimits(text: String) {
    #expect(throws: (any Error).self) { try CaptureLimit(spelling: text) }
  }

  @Test(
    "The name of a file tells its format",
    arguments: [
      ("x.pcapng", CaptureFormat.pcapng), ("a.b/x.PCAP", .pcap), ("btsnoop_hci.log", .btsnoop),
      ("x.pklg", .packetLogger),
    ])
  func formats(name: String, format: CaptureFormat) {
    equal(CaptureFormat(fileName: name), format)
    expect(CaptureFormat(fileName: "pcap") == nil && CaptureFormat(fileName: "x.pcap/trace") == nil)
  }
}
