import ArgumentParser
import Conformance
import Expectations
import Foundation
import Testing

@testable import Commands

/// The octets of small captures, written by hand from the btsnoop description (RFC 1761 with Bluetooth's datalinks).
enum SmallCapture {
  /// One record: 4 octets of ACL data behind H4, an ATT_WRITE_CMD of one octet to handle 0x0003.
  static let btsnoop: [UInt8] = header + record(seconds: 0)

  static let header: [UInt8] = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]

  static func record(seconds: UInt64, _ packet: [UInt8] = writeCommand) -> [UInt8] {
    let count = UInt8(packet.count)
    let time = 0x00E0_3AB4_4A67_6000 + seconds * 1_000_000
    let octets = (0..<8).map { UInt8(truncatingIfNeeded: time >> (56 - 8 * UInt64($0))) }
    return [0, 0, 0, count, 0, 0, 0, count, 0, 0, 0, 0, 0, 0, 0, 0] + octets + packet
  }

  static let writeCommand: [UInt8] = [0x02, 0x01, 0x20, 0x08, 0x00, 0x04, 0x00, 0x04, 0x00, 0x52, 0x03, 0x00, 0x2A]
}

@Suite("babbench check, over small captures", .shippedEdition)
struct CheckCommandTests {
  private final class Listener {
    var told: [String] = []
    var complaints: [String] = []
    var streams: OutputStreams {
      OutputStreams(tell: { self.told.append($0) }, complain: { self.complaints.append($0) })
    }
  }

  private func check(_ arguments: [String]) throws -> (status: Int32, told: String, complaints: [String]) {
    let listener = Listener()
    let status = try CheckCommand.parse(arguments).execute(for: listener.streams)
    return (status, listener.told.joined(separator: "\n"), listener.complaints)
  }

  @Test("What cannot be read is exit 64 with one line that names file and reason, and nothing on standard output")
  func refusals() throws {
    let folder = try TemporaryFolder()
    try folder.write("this is no capture", to: "text.txt")
    for (name, reason) in [("none.pcap", "No such file"), ("text.txt", "no capture that babbench reads")] {
      let result = try check([folder.path + "/" + name])
      equal(result.status, 64)
      expect(result.told.isEmpty)
      equal(result.complaints.count, 1)
      equal(result.complaints.first?.hasPrefix("error: \(folder.path)/\(name): "), true)
      equal(result.complaints.first?.contains(reason), true, "\(result.complaints)")
    }
  }

  @Test("A truncated capture is judged up to its last whole record, and says so")
  func truncated() throws {
    let folder = try TemporaryFolder()
    let octets = SmallCapture.btsnoop + SmallCapture.record(seconds: 1).dropLast()
    try Data(octets).write(to: URL(fileURLWithPath: folder.path + "/cut.log"))
    let result = try check([folder.path + "/cut.log"])
    expect(result.complaints.isEmpty)
    expect(result.told.contains("cut.log  btsnoop  HCI H4           1"))
    expect(result.told.contains("ends inside a record, at octet \(SmallCapture.btsnoop.count)"))
  }

  @Test("A capture without records has shown nothing: exit 2")
  func empty() throws {
    let folder = try TemporaryFolder()
    try Data(SmallCapture.header).write(to: URL(fileURLWithPath: folder.path + "/empty.log"))
    let result = try check([folder.path + "/empty.log"])
    equal(result.status, 2)
    expect(result.told.contains("has no record"))
    expect(result.told.hasSuffix("verdict none"))
  }

  @Test("A word that is no key is exit 64 with one line, and no key is ever said", arguments: ["ltk=C0FFEE", "C0FFEE"])
  func keys(word: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/small.log"
    try Data(SmallCapture.btsnoop).write(to: URL(fileURLWithPath: path))
    let refused = try check([path, "--key", word])
    equal(refused.status, 64)
    expect(refused.told.isEmpty)
    equal(refused.complaints.count, 1)
    equal(refused.complaints.first?.contains("--key takes ltk="), true, "\(refused.complaints)")
    equal(refused.complaints.first?.contains("C0FFEE"), false)
    let key = "00112233445566778899aabbccddeeff"
    let taken = try check([path, "--key", "ltk=" + key, "--json", folder.path + "/a.json"])
    expect(taken.complaints.isEmpty && taken.status != 64)
    try expect(folder.read("a.json").contains("--key") && !folder.read("a.json").contains(key))
  }

  @Test("A timeline is drawn of a file, and of standard input it cannot be")
  func timeline() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/small.log"
    try Data(SmallCapture.btsnoop).write(to: URL(fileURLWithPath: path))
    let result = try check([path, "--timeline", folder.path + "/timeline.html"])
    expect(result.complaints.isEmpty)
    try expect(folder.read("timeline.html").contains("<title>small.log</title>"))
    #expect(throws: (any Error).self) { try CheckCommand.parse(["-", "--timeline", "x.html"]) }
  }

  @Test("Reports are written where they are asked for, twice the same, and are whole")
  func reports() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/small.log"
    try Data(SmallCapture.btsnoop).write(to: URL(fileURLWithPath: path))
    let names = ["a.html", "a.json", "a.xml"]
    func arguments() -> [String] {
      zip(["--html", "--json", "--junit"], names).flatMap { [$0, folder.path + "/" + $1] }
    }
    let first = try check([path] + arguments())
    expect(first.complaints.isEmpty)
    let texts = try names.map { try folder.read($0) }
    expect(texts[0].hasPrefix("<!DOCTYPE html>") && texts[0].contains("small.log"))
    expect(texts[1].contains("\"version\": 1"))
    expect(texts[2].contains("<testsuites"))
    _ = try check([path] + arguments())
    try equal(names.map { try folder.read($0) }, texts)
    let broken = try check([path, "--html", folder.path + "/no/such/folder/a.html"])
    equal(broken.status, 3)
    equal(broken.complaints.count, 1)
  }

  @Test(
    "A wrong name is exit 64 with one line",
    arguments: [
      (["--protocol", "bub"], "--protocol: “bub” is not known; did you mean “bab”?"),
      (["--dialect", "sdk"], "--dialect needs --protocol"),
      (["--clock", "x"], "capture=seconds"),
    ])
  func usage(arguments: [String], hint: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/small.log"
    try Data(SmallCapture.btsnoop).write(to: URL(fileURLWithPath: path))
    let result = try check([path] + arguments)
    equal(result.status, 64)
    expect(result.told.isEmpty)
    equal(result.complaints.count, 1)
    equal(result.complaints.first?.contains(hint), true, "\(result.complaints)")
  }
}
