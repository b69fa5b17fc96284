import CaptureFormats
import Expectations
import Foundation
import Testing

@testable import HCIPorts

@Suite("Packets as they pass")
struct LiveCaptureTests {
  private static let shared = Repository.shared + "/captures"

  /// An Android phone's log, and its packets as INDEX.tsv counts them.
  private static let phone = (name: "04-csacca-btsnoop_hci.log", packets: 2_572)

  private static let isPhoneThere: Bool = {
    if FileManager.default.fileExists(atPath: shared + "/" + phone.name) { return true }
    print("SKIPPED: no shared captures at \(shared) (set BABBENCH_SHARED); nothing is fed to standard input")
    return false
  }()

  private static func phoneOctets() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: shared + "/" + phone.name)))
  }

  /// All that comes until the end.
  private func everything(_ capture: LiveCapture) -> (records: [CaptureRecord], ending: LiveCapture.Ending) {
    var records: [CaptureRecord] = []
    while true {
      let batch = capture.next(within: 30)
      records += batch.records
      if let ending = batch.ending { return (records, ending) }
      if batch.records.isEmpty { return (records, .failed(PortError("it never ended"))) }
    }
  }

  @Test("A pipe's packets come in order and once, however its writer cuts them", .enabled(if: isPhoneThere))
  func pipe() throws {
    let octets = try Self.phoneOctets()
    let pipe = Pipe()
    let capture = LiveCapture(.standardInput, try StreamSource(pipe.fileHandleForReading.fileDescriptor))
    let stop = LiveStop()
    capture.start(until: stop)
    let writer = pipe.fileHandleForWriting
    Thread.detachNewThread {
      var rest = octets[...]
      var size = 1
      while !rest.isEmpty {
        writer.write(Data(rest.prefix(size)))
        rest = rest.dropFirst(size)
        size = size % 4_093 + 61
      }
      try? writer.close()
    }
    let (records, ending) = everything(capture)
    equal(ending, .ended(remark: nil))
    equal(records.map(\.number), Array(1...Self.phone.packets))
  }

  @Test("Who stops has everything that the pipe held, and a half record is no packet", .enabled(if: isPhoneThere))
  func stopped() throws {
    let octets = try Self.phoneOctets()
    let pipe = Pipe()
    let capture = LiveCapture(.standardInput, try StreamSource(pipe.fileHandleForReading.fileDescriptor))
    let stop = LiveStop()
    var reader = CaptureReader()
    let half = Array(octets.prefix(40_001))
    reader.append(half)
    var expected: [CaptureRecord] = []
    while let record = try reader.next() { expected.append(record) }
    // More than one piece, and all of it before the stop.
    pipe.fileHandleForWriting.write(Data(half))
    stop.stop()
    capture.start(until: stop)
    let (records, ending) = everything(capture)
    equal(ending, .stopped)
    expect(records.count == expected.count && records == expected)
    try pipe.fileHandleForWriting.close()
  }

  @Test("A writer that ends inside a record is told so; what is no capture is refused")
  func endings() throws {
    func ending(of octets: [UInt8]) throws -> LiveCapture.Ending {
      let pipe = Pipe()
      let capture = LiveCapture(.standardInput, try StreamSource(pipe.fileHandleForReading.fileDescriptor))
      let stop = LiveStop()
      pipe.fileHandleForWriting.write(Data(octets))
      try pipe.fileHandleForWriting.close()
      capture.start(until: stop)
      return everything(capture).ending
    }
    // The file header of RFC 1761 with datalink 1002, and half a record header.
    let header: [UInt8] = [0x62, 0x74, 0x73, 0x6E, 0x6F, 0x6F, 0x70, 0, 0, 0, 0, 1, 0, 0, 0x03, 0xEA]
    guard case .ended(let remark?) = try ending(of: header + [0, 0, 0, 9, 0, 0]) else {
      return expect(false, "no remark")
    }
    expect(remark.contains("in the middle of a record"))
    try equal(ending(of: header), .ended(remark: nil))
    guard case .failed(let error) = try ending(of: Array("no capture, but a text\n".utf8)) else {
      return expect(false, "not refused")
    }
    expect(error.description.hasPrefix("-: standard input is no capture"))
  }

  /// A source that its test drives: one record for each octet in its pipe.
  private final class ScriptedSource: PacketSource {
    let pipe = Pipe()
    let drainPatience: CInt = 0
    let bufferOctets: Int? = 4_096
    var kernelDrops: UInt32?
    var failure: PortError?
    private var count = 0
    var descriptor: CInt { pipe.fileHandleForReading.fileDescriptor }
    func collect(into records: inout [CaptureRecord]) throws(PortError) -> Bool {
      let octets = pipe.fileHandleForReading.availableData
      for octet in octets {
        count += 1
        records.append(
          CaptureRecord(
            number: count, linkType: 254, nanoseconds: Int64(count), originalLength: 4, drops: kernelDrops,
            octets: [0, 0, 0, octet]))
        if kernelDrops != nil { kernelDrops! &+= 0x4000_0000 }
      }
      if let failure { throw failure }
      return !octets.isEmpty
    }
    func close() {}
  }

  @Test("The kernel's count of losses goes on beyond 32 bits")
  func dropsWrap() throws {
    let source = ScriptedSource()
    source.kernelDrops = 0
    let writer = source.pipe.fileHandleForWriting
    let capture = LiveCapture(.monitor, source)
    equal(capture.bufferOctets, 4_096)
    let stop = LiveStop()
    capture.start(until: stop)
    var drops: UInt64?
    for number in 1...6 {
      writer.write(Data([12]))
      drops = capture.next(within: 30).kernelDrops
      equal(drops, UInt64(number) * 0x4000_0000)
    }
    stop.stop()
    equal(everything(capture).ending, .stopped)
    try writer.close()
  }

  @Test("What came before an adapter went is handed over with the reason")
  func failure() throws {
    let source = ScriptedSource()
    source.failure = PortError.captureEnded(.libpcap(device: "bluetooth0"), code: EPIPE)
    source.pipe.fileHandleForWriting.write(Data([12, 12, 12]))
    let capture = LiveCapture(.libpcap(device: "bluetooth0"), source)
    capture.start(until: LiveStop())
    let (records, ending) = everything(capture)
    equal(records.count, 3)
    equal(ending, .failed(PortError("bluetooth0: the adapter is gone")))
  }
}
