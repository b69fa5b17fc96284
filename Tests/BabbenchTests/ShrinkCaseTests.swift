import ArgumentParser
import Expectations
import Foundation
import Testing

@testable import Commands

@Suite("babbench shrink of a case of conform", .shippedEdition)
struct ShrinkCaseTests {
  private static let failing = ["--iut", "start-not-sent-to-last", "--case", "BAB/HOST/START/BV-01-C"]

  private static func shrink(_ arguments: [String]) throws -> ConformTalk {
    try ConformTalk.listen { try ShrinkCommand.parse(arguments).execute(on: .real, for: $0) }
  }

  @Test("Says what was left out and what is needed; the line to repeat it gives the same verdict and digest")
  func repeats() throws {
    let talk = try Self.shrink(Self.failing + ["--dialect", "sdk"])
    expect(talk.status == 0 && talk.complaints.isEmpty)
    expect(talk.lines.contains("left out peers: 3 → 1"))
    expect(talk.output.contains("needed step 4 “IUT's user: startLobbyGame”: without it, the reference fails too"))
    expect(talk.lines.contains { $0.hasPrefix("size: 3 → 1 peer, 6 → 4 steps") })
    let line = try required(talk.lines.last)
    let words = line.split(separator: " ").map(String.init)
    expect(words.prefix(3) == ["repeat", "babbench", "conform"] && words.suffix(2) == ["--stage", "peers=1"])
    let folder = try TemporaryFolder()
    let again = try ConformTalk.run(Array(words.dropFirst(3)) + ["--out", folder.path + "/out"])
    expect(again.status == 1 && again.lines.contains("  remark      played with peers=1"))
    let digest = try required(talk.lines.first { $0.hasPrefix("digest ") }).dropFirst(7)
    try expect(folder.read("out/result.json").contains("\"\(digest)\""))
    equal(again.lines.last, line)
  }

  @Test("What does not fail, does not apply or does not exist has one line and its exit code")
  func refusals() throws {
    let passing = try Self.shrink(["--iut", "reference", "--role", "host", "--case", "BAB/HOST/START/BV-01-C"])
    equal(passing.status, 2)
    equal(passing.complaints, ["error: BAB/HOST/START/BV-01-C does not fail; there is nothing to shrink"])
    let other = try Self.shrink(["--iut", "commits-twice", "--case", "BAB/HOST/START/BV-01-C"])
    expect(other.status == 2 && other.complaints.first?.contains("does not apply to commits-twice, a client") == true)
    let unknown = try Self.shrink(["--iut", "commits-twice", "--case", "BAB/HOST/START/BV-1-C"])
    equal(unknown.status, 64)
    equal(
      unknown.complaints, ["error: BAB/HOST/START/BV-1-C: no such test purpose; did you mean “BAB/HOST/START/BV-01-C”?"]
    )
    let nobody = try Self.shrink(["--iut", "nobody", "--case", "BAB/HOST/START/BV-01-C"])
    expect(nobody.status == 64 && nobody.complaints.count == 1)
    for talk in [passing, other, unknown, nobody] { expect(talk.output.isEmpty) }
  }

  @Test("A budget ends it early, and it says so")
  func budget() throws {
    let talk = try Self.shrink(["--iut", "commits-twice", "--case", "BAB/CLIENT/TURN/BV-10-C", "--budget", "20"])
    expect(talk.status == 0 && talk.output.contains("stopped before nothing more could be left out"))
    equal(talk.lines.last?.contains("--stage without="), true)
  }

  static let halves = [
    ["--iut", "commits-twice"], ["--case", "BAB/HOST/START/BV-01-C"], [], ["two-peers"] + failing,
    failing + ["--output", "x"], failing + ["--reason", "2"], failing + ["--set", "a=b"],
  ]

  @Test("Half a case, and a case with what is for scenarios, are refused", arguments: halves)
  func wrong(arguments: [String]) {
    #expect(throws: (any Error).self) { try ShrinkCommand.parse(arguments) }
  }

  @Test("--stage is refused for what is no part of a stage", arguments: ["peers=0", "radio=loud", "without=x", "x"])
  func stage(word: String) {
    #expect(throws: (any Error).self) {
      try ConformCommand.parse(["--iut", "reference", "--role", "host", "--stage", word])
    }
  }
}
