import ArgumentParser
import CaptureFormats
import Expectations
import Foundation
import Testing

@testable import Commands

@Suite("babbench convert, over small captures", .shippedEdition)
struct ConvertCommandTests {
  private final class Listener {
    var told: [String] = []
    var complaints: [String] = []
    var streams: OutputStreams {
      OutputStreams(tell: { self.told.append($0) }, complain: { self.complaints.append($0) })
    }
  }

  private func convert(_ arguments: [String]) throws -> (status: Int32, told: [String], complaints: [String]) {
    let listener = Listener()
    let status = try ConvertCommand.parse(arguments).execute(for: listener.streams)
    return (status, listener.told, listener.complaints)
  }

  private func write(_ octets: [UInt8], _ path: String) throws {
    try Data(octets).write(to: URL(fileURLWithPath: path))
  }

  private func octets(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

  @Test("Through every format and back, octet for octet")
  func roundTrip() throws {
    let folder = try TemporaryFolder()
    let source = folder.path + "/source.log"
    try write(SmallCapture.btsnoop + SmallCapture.record(seconds: 3), source)
    for ending in ["pcap", "pcapng", "pklg", "btsnoop"] {
      let there = folder.path + "/there." + ending
      let result = try convert([source, there])
      expect(result.status == 0 && result.complaints.isEmpty)
      let format = ending
      equal(result.told, ["\(there): 2 records as \(format)"])
      try equal(convert([there, folder.path + "/back.btsnoop"]).status, 0)
      try equal(octets(folder.path + "/back.btsnoop"), octets(source), "\(ending)")
    }
  }

  @Test("Records without a place are counted and named, and a truncated input is")
  func omissions() throws {
    let folder = try TemporaryFolder()
    let vendor = SmallCapture.record(seconds: 1, [0x10, 0x01, 0x02, 0x03])
    try write(SmallCapture.btsnoop + vendor + vendor + vendor.dropLast(), folder.path + "/source.log")
    let result = try convert([folder.path + "/source.log", folder.path + "/out", "--format", "pklg"])
    equal(result.status, 0)
    equal(result.told, ["\(folder.path)/out: 1 of 3 records as pklg"])
    equal(
      result.complaints,
      [
        "note: \(folder.path)/source.log: 2 records left out, the first is packet 2: "
          + "a packet with indicator 10 from the host has no place in pklg",
        "note: \(folder.path)/source.log: truncated inside the record at octet 109; "
          + "the records before it are whole",
      ])
  }

  @Test("What cannot be is exit 64 with one line, and there is no output")
  func refusals() throws {
    let folder = try TemporaryFolder()
    try write([0x1F, 0x8B, 0x08, 0x00] + [UInt8](repeating: 0, count: 40), folder.path + "/log.gz")
    try write(SmallCapture.header + SmallCapture.record(seconds: 1, [0x10, 0x01, 0x02]), folder.path + "/vendor.log")
    var damaged = SmallCapture.btsnoop
    damaged[20] = 0xFF
    try write(damaged, folder.path + "/damaged.log")
    for (name, reason) in [
      ("none.log", "No such file"), ("log.gz", "it looks like gzip; unpack it first"),
      ("vendor.log", "none of its 1 records fits pklg: a packet with indicator 10"),
      ("damaged.log", "damaged btsnoop: length out of range at octet 20"),
    ] {
      let result = try convert([folder.path + "/" + name, folder.path + "/out.pklg"])
      expect(result.status == 64 && result.told.isEmpty, "\(name)")
      expect(result.complaints.count == 1 && result.complaints[0].contains(reason), "\(result.complaints)")
      expect(!FileManager.default.fileExists(atPath: folder.path + "/out.pklg"))
      expect(!FileManager.default.fileExists(atPath: folder.path + "/out.pklg.partial"))
    }
    try write(SmallCapture.btsnoop, folder.path + "/good.log")
    try equal(convert([folder.path + "/good.log", folder.path + "/no/such/folder.pcap"]).status, 3)
  }

  @Test(
    "A wrong command line says what to write instead",
    arguments: [
      (["a.log", "b.txt"], "which format?"), (["a.log", "b.btsnoop", "--link", "le"], "h4, hci, linux-monitor"),
      (["a.log", "b.pcap", "--link", "h4-phrd"], "did you mean “h4-phdr”?"),
      (["a.log", "b.pcapng", "--microseconds"], "is for pcap"), (["a.log", "b", "--format", "cap"], "write one of"),
    ])
  func usage(_ arguments: [String], _ text: String) {
    #expect {
      try ConvertCommand.parse(arguments)
    } throws: {
      ConvertCommand.message(for: $0).contains(text) || ConvertCommand.fullMessage(for: $0).contains(text)
    }
  }
}
