import Expectations
import Foundation
import Testing

@testable import Commands

/// A campaign that was ended somewhere goes on, and comes to what it would have come to.
@Suite("--resume of babbench fuzz", .shippedEdition)
struct FuzzResumeTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(FuzzRunTests.twoPeers, to: "two.yaml")
  }

  private func arguments(_ out: String, _ more: [String]) -> [String] {
    ["fuzz", "run", folder.path + "/two.yaml", "--when", "client in lobby", "--from", "client"]
      + ["--set", "devices.host.engine=host-crashes-on-wrong-kinds", "--out", folder.path + "/" + out] + more
  }

  /// What is said and written, without the clock and the name of the folder.
  private func outcome(_ out: String, _ output: String) throws -> [String] {
    let names = try folder.files(in: out).filter { $0 != "state.json" }
    let files = try names.sorted().flatMap { name -> [String] in
      guard !name.contains(".") || name.hasPrefix("Breakdown") || name.hasPrefix("Nothing") else {
        return [try text(out + "/" + name)]
      }
      return [name] + (try folder.files(in: out + "/" + name).sorted().map { try text("\(out)/\(name)/\($0)") })
    }
    return ([output] + files).map { $0.replacing(folder.path + "/" + out, with: "OUT") }
  }

  private func text(_ name: String) throws -> String {
    let octets = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
    if name.hasSuffix(".pcapng") { return octets.base64EncodedString() }
    let lines = String(decoding: octets, as: UTF8.self).split(separator: "\n")
    return lines.filter { !$0.contains("wall-clock") && !$0.contains("totalMilliseconds") }.joined(separator: "\n")
  }

  @Test(
    "Killed at any moment, it goes on and comes to the same digest, findings and report", .proof, arguments: [1, 2])
  func killed(seed: Int) throws {
    var random = SystemRandomNumberGenerator()
    let whole = try Executable.run(arguments("whole", ["--executions", "448", "--seed", "\(seed)"]))
    var more = ["--executions", "448", "--seed", "\(seed)"]
    for _ in 0..<4 {
      let talk = try Executable.start(arguments("parts", more))
      Thread.sleep(forTimeInterval: Double.random(in: 0.1...2.5, using: &random))
      kill(talk.process.processIdentifier, SIGKILL)
      talk.process.waitUntilExit()
      if !more.contains("--resume") { more.append("--resume") }
    }
    let last = try Executable.run(arguments("parts", more))
    equal(last.status, whole.status, "\(last.errors)")
    try equal(outcome("parts", last.output), outcome("whole", whole.output))
  }

  @Test("More executions later are as many at once")
  func longer() throws {
    let whole = try Executable.run(arguments("whole", ["--executions", "300"]))
    _ = try Executable.run(arguments("parts", ["--executions", "100"]))
    _ = try Executable.run(arguments("parts", ["--executions", "150", "--resume"]))
    let last = try Executable.run(arguments("parts", ["--executions", "300", "--resume"]))
    try equal(outcome("parts", last.output), outcome("whole", whole.output))
  }

  @Test("The state of another campaign, and what is none, is refused in a line")
  func refused() throws {
    func refuses(_ result: Executable.Result, _ words: String) {
      equal(result.status, 64, "\(result.output)")
      expect(result.errors.contains(words), "\(result.errors)")
      equal(result.errors.split(separator: "\n").count, 1, "\(result.errors)")
    }
    _ = try Executable.run(arguments("out", ["--executions", "64"]))
    let more = ["--executions", "128", "--resume"]
    refuses(try Executable.run(arguments("out", more + ["--seed", "2"])), "the state of another campaign: babbench")
    try folder.write(FuzzRunTests.twoPeers.replacing("500ms", with: "600ms"), to: "two.yaml")
    refuses(try Executable.run(arguments("out", more)), "without an attack the scenario no longer plays as it did")
    let state = try String(contentsOfFile: folder.path + "/out/state.json", encoding: .utf8)
    try folder.write(state.replacing(#""babbench":"0"#, with: #""babbench":"9"#), to: "out/state.json")
    refuses(try Executable.run(arguments("out", more)), "wrote this, and this is")
    try folder.write(String(state.prefix(100)), to: "out/state.json")
    refuses(try Executable.run(arguments("out", more)), "--resume cannot continue from this state")
    let alone = ["fuzz", "run", folder.path + "/two.yaml", "--when", "client in lobby", "--from", "client", "--resume"]
    try equal(Executable.run(alone).status, 64)
  }

  @Test("Decoders go on where they were killed")
  func parsers() throws {
    func arguments(_ out: String, _ more: [String] = []) -> [String] {
      parser(["brittle", "att", "scenario"], out, ["--executions", "3000"] + more)
    }
    func output(_ result: Executable.Result) -> [Substring] {
      result.output.split(separator: "\n").compactMap { line in
        ["ok", "fail"].contains { line.hasPrefix($0) } ? line.split(separator: ",").dropLast().joined().prefix(99) : nil
      }
    }
    let whole = try Executable.run(arguments("whole"), program: "echobench")
    equal(whole.status, 1, "\(whole.errors)")
    var more: [String] = []
    for _ in 0..<3 {
      let talk = try Executable.start(arguments("parts", more), program: "echobench")
      Thread.sleep(forTimeInterval: Double.random(in: 0.1...1.5))
      kill(talk.process.processIdentifier, SIGKILL)
      talk.process.waitUntilExit()
      more = ["--resume"]
    }
    let last = try Executable.run(arguments("parts", more), program: "echobench")
    equal(last.status, 1)
    equal(output(last), output(whole))
    try equal(text("parts/brittle-1/input"), text("whole/brittle-1/input"))
    try expectSameReports()
  }

  private func parser(_ names: [String], _ out: String, _ more: [String]) -> [String] {
    ["fuzz", "parser"] + names + ["--out", folder.path + "/" + out] + more
  }

  private func expectSameReports() throws {
    for name in ["result.json", "junit.xml", "index.html"] {
      let (one, other) = (try text("parts/" + name), try text("whole/" + name))
      equal(one.replacing("/parts", with: ""), other.replacing("/whole", with: ""), "\(name)")
    }
  }

  /// No octets are an input like others: what is kept of them is told to the next process too.
  @Test("Decoders that keep the empty input come to the same in two goes")
  func emptyInput() throws {
    _ = try Executable.run(parser(["att"], "whole", ["--executions", "2000"]))
    _ = try Executable.run(parser(["att"], "parts", ["--executions", "1000"]))
    _ = try Executable.run(parser(["att"], "parts", ["--executions", "2000", "--resume"]))
    try expectSameReports()
    try expect(text("parts/state.json").contains(#""corpus":["","#) || text("parts/state.json").contains(#","","#))
  }
}
