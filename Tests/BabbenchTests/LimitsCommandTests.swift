import ArgumentParser
import Conformance
import Expectations
import Foundation
import Stress
import Testing

@testable import Commands

@Suite("babbench limits")
struct LimitsCommandTests {
  static let loss = LimitQuestion(
    "loss", "Packet loss", in: "two-peers", settings: ["game.lines=2"], limit: "radio.packet-loss=0%..90%",
    claim: "pass in 50% of worlds", worlds: 12)

  private static func run(
    _ command: LimitsCommand, _ questions: [LimitQuestion]
  ) -> (code: Int32, told: String, complaints: String) {
    var (told, complaints) = ("", "")
    let streams = OutputStreams(tell: { told += $0 + "\n" }, complain: { complaints += $0 + "\n" })
    let code = command.execute(questions, on: .real, for: streams)
    return (code, told, complaints)
  }

  @Test("Every shipped question is a command that the bench takes, with a name of its own")
  func shipped() throws {
    expect(!LimitsCommand.questions.isEmpty)
    equal(Set(LimitsCommand.questions.map(\.name)).count, LimitsCommand.questions.count)
    for question in LimitsCommand.questions {
      let run = try LimitsCommand.parse([]).search(question).prepared(on: .real)
      expect(run.plan.search != nil)
    }
  }

  @Test("It finds the limit, and writes the same page and pictures for any number of jobs")
  func writes() throws {
    var pages: [[String: Data]] = []
    for jobs in ["1", "2"] {
      let folder = try TemporaryFolder()
      let command = try LimitsCommand.parse(["--write", folder.path, "--jobs", jobs])
      let (code, told, _) = Self.run(command, [Self.loss])
      equal(code, 0)
      expect(told.contains("loss      pass in 50% of worlds"))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      equal(names, ["limits-loss.svg", "limits.md"])
      pages.append(
        Dictionary(
          uniqueKeysWithValues: try names.map {
            ($0, try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + $0)))
          }))
    }
    equal(pages[0], pages[1])
    let page = String(decoding: pages[0]["limits.md"] ?? Data(), as: UTF8.self)
    expect(page.contains("babbench stress two-peers --seeds 1..12 --limit radio.packet-loss=0%..90%"))
    expect(page.contains("| 0% | 12 | 12 |"))
    expect(page.contains("| 90% | 12 | 0 |"))
  }

  @Test("A question without an answer is inconclusive")
  func unknown() throws {
    var question = Self.loss
    question.claim = "pass in 99.9% of worlds"
    let (code, told, _) = try Self.run(LimitsCommand.parse([]), [question])
    equal(code, 2)
    expect(told.contains("undecided at 0%"))
  }

  @Test("A limit that a closed form excludes is a fail, and the page says so")
  func excluded() throws {
    let folder = try TemporaryFolder()
    for (high, code, word) in [("90%", 0, "it is."), ("1%", 1, "it is not.")] as [(String, Int32, String)] {
      var question = Self.loss
      question.bracket = .init("0%", high, "A reason.")
      let command = try LimitsCommand.parse(["--write", folder.path])
      let said = Self.run(command, [question])
      equal(said.code, code)
      equal(said.complaints.isEmpty, (code == 0))
      let page = try folder.read("limits.md")
      expect(page.contains("A reason. So the limit is between 0% and \(high): \(word)"))
    }
  }

  @Test("A misspelt name is refused with what was probably meant")
  func misspelt() throws {
    let (code, _, complaints) = try Self.run(LimitsCommand.parse(["los"]), [Self.loss])
    equal(code, 64)
    expect(complaints.contains("no question is called “los”; did you mean “loss”?"))
  }
}
