import AppSeam
import BabSim
import BabSuite
import Conformance
import Expectations
import Foundation
import Testing

@testable import Commands

/// `lobby-update-forgotten` fails BV-01-C and passes BV-02-C; `difficulty-not-told` fails BV-08-C; `easy-by-default`
/// fails BV-12-C; all else of these is passed by each of them.
@Suite("babbench conform: verdicts and how they are told", .shippedEdition)
struct ConformVerdictTests {
  private typealias Words = ConformWords

  private func conform(_ description: String, _ arguments: [String]) throws -> ConformTalk {
    let folder = try TemporaryFolder()
    try folder.write(description, to: "iut.yaml")
    return try ConformTalk.run(["--iut", folder.path + "/iut.yaml"] + arguments)
  }

  @Test("The reference passes: exit 0, a table, a verdict, and the line that repeats the run")
  func pass() throws {
    let talk = try ConformTalk.run(Words.referenceHost + Words.select("BV-01-C", "BV-02-C") + ["--seed", "7"])
    equal(talk.status, 0)
    expect(talk.complaints.isEmpty)
    equal(
      talk.lines,
      [
        "implementation  dialect  group  pass", "reference       sdk      LOBBY     2", "2 cases: 2 pass",
        "verdict pass",
        "repeat babbench conform --iut reference --role host --dialect sdk --select BAB/HOST/LOBBY/BV-01-C"
          + " --select BAB/HOST/LOBBY/BV-02-C --seed 7",
      ])
  }

  @Test("A mutant fails: exit 1, and the failure says what is required, expected and seen, where, and how to repeat it")
  func fail() throws {
    let arguments = ["--iut", "lobby-update-forgotten", "--dialect", "sdk"]
    let talk = try ConformTalk.run(arguments + Words.select("BV-01-C", "BV-02-C"))
    equal(talk.status, 1)
    expect(talk.lines.contains("2 cases: 1 pass, 1 fail"))
    expect(talk.lines.contains("verdict fail"))
    let block = talk.block(
      "fail  BAB/HOST/LOBBY/BV-01-C sdk; it sends nothing to one of its centrals since another one came")
    equal(
      block.dropFirst().map { $0.split(separator: " ").first },
      [
        "requires", "expected", "saw", "diverges", "reason", "repeat",
      ])
    let clause = try required(AppProtocol.bab.clause("BAB 5.1.7")).text
    equal(block.dropFirst().first, "  requires    BAB 5.1.7: " + clause + " [published: lobby guide]")
    expect(block.contains { $0.hasPrefix("  diverges    at ") })
  }

  @Test("The line of a failure, given to a shell, comes to the same failure and no other case")
  func repeatLine() throws {
    let folder = try TemporaryFolder()
    try folder.write(Words.description("lobby-update-forgotten"), to: "my host.yaml")
    let talk = try ConformTalk.run(["--iut", folder.path + "/my host.yaml"] + Words.select("BV-01-C", "BV-02-C"))
    let first = talk.block("fail  BAB/HOST/LOBBY/BV-01-C")
    let row = try required(first.last)
    try require(row.hasPrefix("  repeat      babbench conform "))
    let again = try shell(String(row.dropFirst("  repeat      ".count)))
    equal(again.status, 1)
    equal(again.block("fail  BAB/HOST/LOBBY/BV-01-C"), first)
    expect(again.lines.contains("1 case: 1 fail"))
    // And the line of the whole run repeats the whole run.
    let last = try required(talk.lines.last)
    try require(last.hasPrefix("repeat babbench conform "))
    try equal(shell(String(last.dropFirst("repeat ".count))).output, talk.output)
  }

  /// A shell that finds the built babbench.
  private func shell(_ line: String) throws -> ConformTalk {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = Executable.url.deletingLastPathComponent().path + ":" + (environment["PATH"] ?? "")
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardInput = Pipe()
    try process.run()
    var text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if text.hasSuffix("\n") { text.removeLast() }
    return ConformTalk(status: process.terminationStatus, output: text, complaints: [])
  }

  @Test("Two implementations are told apart, twins too, and the heavier one decides")
  func severalImplementations() throws {
    let talk = try ConformTalk.run(
      ["--iut", "lobby-update-forgotten"] + ["--iut", "difficulty-not-told", "--iut", "difficulty-not-told"]
        + ["--dialect", "sdk"] + Words.select("BV-01-C"))
    equal(talk.status, 1)
    expect(talk.lines.contains { $0.hasPrefix("fail  BAB/HOST/LOBBY/BV-01-C sdk on lobby-update-forgotten; it ") })
    expect(talk.lines.contains { $0.hasPrefix("difficulty-not-told (2) ") })
    expect(talk.lines.contains("3 cases: 2 pass, 1 fail"))
  }

  @Test("A waiver turns a failure green, and is shown with its reason")
  func waived() throws {
    let waiver = "waivers:\n  - cases: BAB/HOST/LOBBY/BV-01-C\n    reason: told in the next release\n"
    let talk = try conform(
      Words.description("lobby-update-forgotten", waiver), Words.select("BV-01-C", "BV-02-C"))
    equal(talk.status, 0)
    expect(talk.lines.contains("waived  BAB/HOST/LOBBY/BV-01-C sdk: told in the next release"))
    expect(talk.lines.contains("2 cases: 1 pass, 1 waived"))
    expect(talk.lines.contains("verdict pass"))
  }

  @Test("A waiver for what passes is red, and one that names nothing is told")
  func unexpectedPass() throws {
    let waivers =
      "waivers:\n  - cases: BAB/HOST/LOBBY/BV-02-C\n    reason: old\n  - cases: BAB/HOST/VOTE\n    reason: later\n"
    let talk = try conform(Words.description("reference", waivers), Words.select("BV-01-C", "BV-02-C"))
    equal(talk.status, 1)
    let block = talk.block("unexpected pass  BAB/HOST/LOBBY/BV-02-C")
    expect(block.contains { $0.contains("remove the waiver") })
    expect(talk.lines.contains("waiver BAB/HOST/VOTE of mine: names no case of this run"))
    expect(talk.lines.contains("2 cases: 1 pass, 1 unexpected pass"))
  }

  @Test("--baseline lists what got worse and what got better, and changes no verdict")
  func baseline() throws {
    let folder = try TemporaryFolder()
    let (description, out) = (folder.path + "/iut.yaml", folder.path + "/out")
    let arguments = ["--iut", description] + Words.select("BV-02-C", "BV-08-C", "BV-12-C")
    try folder.write(Words.description("easy-by-default"), to: "iut.yaml")
    try equal(ConformTalk.run(arguments + ["--out", out]).status, 1)
    try folder.write(Words.description("difficulty-not-told"), to: "iut.yaml")
    // Into the same folder: the baseline is read before it is replaced.
    let worse = try ConformTalk.run(arguments + ["--baseline", out + "/result.json", "--out", out])
    equal(worse.status, 1)
    expect(worse.lines.contains("regression  BAB/HOST/LOBBY/BV-08-C sdk seed 1 on mine: was pass, is fail"))
    expect(worse.lines.contains("repair  BAB/HOST/LOBBY/BV-12-C sdk seed 1 on mine: was fail, is pass"))
    expect(worse.lines.contains("baseline: 1 regression, 1 repair, 0 new, 0 vanished"))
    try folder.write(Words.description("reference"), to: "iut.yaml")
    let better = try ConformTalk.run(arguments + ["--baseline", out + "/result.json"])
    equal(better.status, 0)
    expect(better.lines.contains("repair  BAB/HOST/LOBBY/BV-08-C sdk seed 1 on mine: was fail, is pass"))
    expect(better.lines.contains("baseline: 0 regressions, 1 repair, 0 new, 0 vanished"))
  }

  @Test("--fail-fast begins no case after the first bad one, says so, and is never green")
  func failFast() throws {
    let arguments = ["--iut", "difficulty-not-told", "--dialect", "sdk", "--jobs", "1", "--fail-fast"]
    let talk = try ConformTalk.run(arguments + Words.select("BV-07-C", "BV-08-C", "BV-11-C", "BV-12-C"))
    equal(talk.status, 1)
    expect(talk.lines.contains("2 cases: 1 pass, 1 fail"))
    expect(talk.lines.contains("2 cases were not begun"))
    expect(talk.block("fail  BAB/HOST/LOBBY/BV-11-C").isEmpty)
    // A waived failure stops nothing.
    let waiver = "waivers:\n  - cases: BAB/HOST/LOBBY/BV-08-C\n    reason: known\n"
    let waived = try conform(
      Words.description("difficulty-not-told", waiver),
      Words.select("BV-07-C", "BV-08-C", "BV-12-C") + ["--jobs", "1", "--fail-fast"])
    equal(waived.status, 0)
    expect(waived.lines.contains("3 cases: 2 pass, 1 waived"))
  }

  @Test("--check-determinism finds nothing in an engine that is deterministic")
  func deterministic() throws {
    let plain = try ConformTalk.run(Words.referenceHost + Words.select("BV-01-C", "BV-02-C"))
    let checked = try ConformTalk.run(
      Words.referenceHost + Words.select("BV-01-C", "BV-02-C") + ["--check-determinism"])
    equal(checked.status, 0)
    equal(checked.output, plain.output)
  }
}
