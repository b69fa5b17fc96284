import Expectations
import Foundation
import Testing

@testable import Commands

/// An engine that ends the whole program, never ends, or takes all memory, on certain packets (Tests/Outside/Echo).
@Suite("babbench fuzz run and what breaks the program")
struct FuzzFragileTests {
  static let room = """
    protocol: fragile
    devices:
      host: {}
      client: { around: host }
    steps:
      - when: client is ready
        within: 10s
        client: call
      - { after: 500ms, client: call }
      - { after: 100ms, client: call }
    """

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.room, to: "room.yaml")
  }

  private func fuzz(_ arguments: [String]) throws -> Executable.Result {
    let words = ["--when", "client has heard 1", "--from", "client", "--seam", "fragment", "--patience", "2s"]
    return try Executable.run(
      ["fuzz", "run", folder.path + "/room.yaml"] + words + ["--memory", "64"] + arguments, program: "echobench")
  }

  @Test("A trap, an endless loop and a hoard are found, made small, captured, and the campaign goes on", .proof)
  func all() throws {
    let result = try fuzz(["--executions", "320", "--out", folder.path + "/out"])
    equal(result.status, 1, "\(result.errors)")
    expect(result.output.contains("320 executions"), "\(result.output)")
    let names = try folder.files(in: "out").filter { !$0.contains(".") || $0.hasPrefix("Crash") }
    let causes = Set(names.map { $0.prefix { $0 != "-" } })
    equal(causes, ["Crash", "Hang", "Memory"], "\(names)")
    for (cause, numbers) in [("Crash", 0x80...0xFF), ("Hang", 0x40...0x7F), ("Memory", 0x10...0x3F)] {
      let name = try required(names.first { $0.hasPrefix(cause) })
      try equal(folder.files(in: "out/" + name), ["finding.pcapng", "finding.txt", "input.json"])
      let input = try folder.read("out/\(name)/input.json")
      equal(input.components(separatedBy: "manner").count, 2, "\(input)")
      let digits = input.components(separatedBy: "\"octets\":\"01").last?.prefix(2) ?? ""
      expect(numbers.contains(Int(digits, radix: 16) ?? 0), "\(input)")
      let again = try fuzz(["--input", folder.path + "/out/\(name)/input.json"])
      expect(again.status == 1 && again.output.contains("finding \(name): "), "\(again.output)")
      try expect(folder.read("out/\(name)/finding.txt").contains("finding.pcapng ends where the program did"))
    }
    let crash = try folder.read("out/\(try required(names.first { $0.hasPrefix("Crash") }))/finding.txt")
    expect(crash.contains("Fatal error: no answer to a ping from 128 on"), "\(crash)")
    if ["llvm-symbolizer", "addr2line"].contains(where: {
      FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }) {
      expect(crash.contains("place static Conformance.AppProtocol.answer (FragileEcho.swift:"), "\(crash)")
    }
  }
}
