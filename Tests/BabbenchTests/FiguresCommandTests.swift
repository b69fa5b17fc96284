import ArgumentParser
import BabSuite
import Conformance
import Expectations
import Foundation
import Stress
import Testing

@testable import Commands

@Suite("babbench figures", .shippedEdition)
struct FiguresCommandTests {
  private static let loss = FigureQuestion(
    "loss", "How late is a line?", "With loss, and without.", in: "two-peers",
    ways: [
      ComparedWay("no loss", "game.lines=2"), ComparedWay("40 % loss", "game.lines=2", "radio.packet-loss=40%"),
    ], measures: ["turn", "delivery"], worlds: 6)
  private static let sizes = FeatureComparison(
    "sizes", "What works", "A game, and one that nobody hears.",
    ways: [ComparedWay("near"), ComparedWay("deaf", "radio.packet-loss=100%")],
    features: [.init("Two play", in: "two-peers", settings: ["game.lines=2"])], worlds: 2)

  private static func run(
    _ command: FiguresCommand, _ figures: ProtocolFigures
  ) -> (code: Int32, told: String, complaints: String) {
    var (told, complaints) = ("", "")
    let streams = OutputStreams(tell: { told += $0 + "\n" }, complain: { complaints += $0 + "\n" })
    let code = command.execute([(.bab, figures)], on: .real, for: streams)
    return (code, told, complaints)
  }

  @Test(
    "Every shipped question is a command that the bench takes, with measures that are taken")
  func shipped() throws {
    expect(!FiguresCommand.shipped.isEmpty)
    let names = FiguresCommand.shipped.flatMap(\.figures.names)
    equal(Set(names).count, names.count)
    for question in FiguresCommand.shipped.flatMap(\.figures.questions) {
      equal(Set(question.ways.map(\.name)).count, question.ways.count, "\(question.name)")
      for way in question.ways {
        let plan = try StressCommand.parse(Array(question.words(way).dropFirst())).prepared(on: .real).plan
        let known = Set(plan.measures.map(\.name))
        expect(question.measures.allSatisfy(known.contains), "\(question.name)")
      }
      expect((1...question.measures.count).contains(question.drawn), "\(question.name)")
    }
    for comparison in FiguresCommand.shipped.flatMap(\.figures.comparisons) {
      for feature in comparison.features {
        for way in comparison.ways {
          let words = comparison.words(feature, way)
          _ = try StressCommand.parse(Array(words.dropFirst())).prepared(on: .real)
        }
      }
    }
  }

  @Test("It writes the same page and pictures for any number of jobs")
  func writes() throws {
    var pages: [[String: Data]] = []
    for jobs in ["1", "2"] {
      let folder = try TemporaryFolder()
      let command = try FiguresCommand.parse(["--write", folder.path, "--jobs", jobs])
      let figures = ProtocolFigures("What it is about.", questions: [Self.loss], comparisons: [Self.sizes])
      let (code, told, complaints) = Self.run(command, figures)
      equal(code, 0, "\(complaints)")
      expect(told.contains("How late is a line?"))
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
      equal(names, ["bab-loss-turn.svg", "bab.md"])
      pages.append(
        Dictionary(
          uniqueKeysWithValues: try names.map {
            ($0, try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + $0)))
          }))
    }
    equal(pages[0], pages[1])
    let page = String(decoding: pages[0]["bab.md"] ?? Data(), as: UTF8.self)
    let lines = page.split(separator: "\n").map(String.init)
    expect(page.contains("What it is about."))
    expect(lines.contains("babbench stress two-peers --seeds 1..6 --set game.lines=2 --set radio.packet-loss=40%"))
    equal(lines.count { $0.hasPrefix("| turn | no loss |") }, 1)
    equal(lines.count { $0.hasPrefix("| delivery | 40 % loss |") }, 1)
    expect(page.contains("Worlds that pass: no loss 6 of 6, "))
    let features = lines.filter { $0.hasPrefix("| Two play |") }
    equal(features.count, 1)
    equal(features.first?.hasPrefix("| Two play | two-peers | yes: 2 of 2 | no: "), true)
  }

  @Test("Loss makes it later: the slower way has the greater figures")
  func slower() throws {
    let (_, told, _) = Self.run(
      try FiguresCommand.parse(["loss"]), ProtocolFigures("", questions: [Self.loss], comparisons: [Self.sizes]))
    expect(!told.contains("What works"))
    let rows = told.split(separator: "\n").filter { $0.hasPrefix("delivery") }
    equal(rows.count, 2)
    // With 40 % loss the slowest packet takes a second or more; without loss it never does.
    equal(rows.first?.contains(" ms"), true)
  }

  @Test("A measure that no world has a sample of is no answer")
  func missing() throws {
    var question = Self.loss
    question.measures = ["turn", "service"]
    let (code, _, complaints) = Self.run(
      try FiguresCommand.parse([]), ProtocolFigures("", questions: [question]))
    equal(code, 2)
    expect(complaints.contains("loss: no sample of service"))
    question.measures = ["nothing"]
    let unknown = Self.run(try FiguresCommand.parse([]), ProtocolFigures("", questions: [question]))
    expect(unknown.code == 2 && unknown.complaints.contains("loss: unknown measure nothing"))
  }

  @Test("A question that nobody knows is refused, with what it may have been")
  func unknown() throws {
    let (code, _, complaints) = Self.run(
      try FiguresCommand.parse(["lost"]), ProtocolFigures("", questions: [Self.loss]))
    equal(code, 64)
    expect(complaints.contains("loss"))
  }
}
