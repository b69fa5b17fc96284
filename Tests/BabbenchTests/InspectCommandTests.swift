import ArgumentParser
import Conformance
import Expectations
import Foundation
import Testing

@testable import Judging
@testable import Commands

@Suite("babbench inspect, over small captures", .shippedEdition)
struct InspectCommandTests {
  private func inspect(_ arguments: [String]) throws -> (status: Int32, told: String, complaints: [String]) {
    var told = ""
    var complaints: [String] = []
    let status = try InspectCommand.parse(arguments).execute(
      complain: { complaints.append($0) },
      write: { octets in
        told += String(decoding: octets, as: UTF8.self)
        return true
      })
    return (status, told, complaints)
  }

  private func capture(_ folder: TemporaryFolder) throws -> String {
    let path = folder.path + "/small.log"
    let octets = SmallCapture.btsnoop + SmallCapture.record(seconds: 1) + SmallCapture.record(seconds: 2)
    try Data(octets).write(to: URL(fileURLWithPath: path))
    return path
  }

  @Test("Prints a line per packet, and stops where it is told to")
  func lines() throws {
    let folder = try TemporaryFolder()
    let path = try capture(folder)
    let all = try inspect([path])
    equal(all.status, 0)
    expect(all.complaints.isEmpty)
    equal(all.told.split(separator: "\n").count, 3)
    expect(all.told.contains("ATT_WRITE_CMD 0x0003, 1 octet"))
    try equal(inspect([path, "--limit", "2"]).told.split(separator: "\n").count, 2)
    try equal(inspect([path, "--from", "0.5"]).told.split(separator: "\n").count, 2)
    try equal(
      inspect([path, "--from", "0.5", "--to", "1.5", "--handle", "3"]).told.split(separator: "\n").count, 1)
    try expect(inspect([path, "--handle", "0x0004"]).told.isEmpty)
  }

  @Test(
    "What it does not understand is exit 64 with one line that says what to write instead",
    arguments: [
      (["--opcode", "ATT_WRITE_CDM"], "did you mean “ATT_WRITE_CMD”?"),
      (["--opcode", "prepare_write"], "did you mean one of ATT_PREPARE_WRITE_REQ, ATT_PREPARE_WRITE_RSP?"),
      (["--opcode", "notify"], "such as ATT_HANDLE_VALUE_NTF"), (["--handle", "0x12345"], "0x0001 to 0xFFFF"),
      (["--device", "phone"], "F0:F1:F2:F3:F4:A0"), (["--from", "soon"], "seconds such as 12.345"),
      (["--layers", "atx"], "did you mean “att”?"), (["--protocol", "bub"], "--protocol: “bub” is not known"),
      (["--clock", "small.log"], "capture=seconds"), (["--clock", "smal.log=1"], "did you mean “small.log”?"),
    ])
  func usage(arguments: [String], hint: String) throws {
    let folder = try TemporaryFolder()
    let result = try inspect([try capture(folder)] + arguments)
    equal(result.status, 64)
    expect(result.told.isEmpty)
    equal(result.complaints.count, 1)
    equal(result.complaints.first?.contains(hint), true, "\(result.complaints)")
  }

  @Test("A file that is no capture is exit 64")
  func noCapture() throws {
    let folder = try TemporaryFolder()
    try folder.write("this is no capture", to: "text.txt")
    let result = try inspect([folder.path + "/text.txt"])
    equal(result.status, 64)
    equal(result.complaints.count, 1)
    try equal(inspect(["-", folder.path + "/text.txt"]).complaints.first?.contains("read once only"), true)
  }

  @Test("Who closes the pipe hears nothing more, and it is no failure")
  func closedPipe() throws {
    let folder = try TemporaryFolder()
    var octets = SmallCapture.header
    for second in 0..<20_000 { octets += SmallCapture.record(seconds: UInt64(second)) }
    let path = folder.path + "/long.log"
    try Data(octets).write(to: URL(fileURLWithPath: path))
    var writes = 0
    let status = try InspectCommand.parse([path]).execute(
      complain: { _ in },
      write: { _ in
        writes += 1
        return writes < 3
      })
    equal(status, 0)
    equal(writes, 3)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "\(Shell.quoted(Executable.url.path)) inspect \(Shell.quoted(path)) | head -1"]
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    equal(text.split(separator: "\n").count, 1)
    expect(errors.fileHandleForReading.readDataToEndOfFile().isEmpty)
  }
}
