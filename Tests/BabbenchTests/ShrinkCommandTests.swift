import ArgumentParser
@testable import Campaigns
import Expectations
import Foundation
import Testing

@testable import Commands

@Suite("babbench shrink", .shippedEdition)
struct ShrinkCommandTests {
  private static let failing = """
    devices:
      host: { engine: ranking-reversed }
      client: { count: 2 }
    game: { lines: 3, autoplay: yes }
    steps:
      - host: start hosting
      - all clients: join
      - when: all clients in lobby
        within: 5s
        host: { set scenario: coffee-shop }
      - host: start lobby game
    expect:
      - that: everyone is FINISHED
        within: 60s
    """

  private func shrink(_ folder: TemporaryFolder, _ arguments: [String] = []) throws -> (
    Int32, told: String, bad: String
  ) {
    var told: [String] = []
    var bad: [String] = []
    let streams = OutputStreams(tell: { told.append($0) }, complain: { bad.append($0) })
    let all = [folder.path + "/game.yaml", "--output", folder.path + "/small.yaml"] + arguments
    let code = try ShrinkCommand.parse(all).execute(on: .real, for: streams)
    return (code, told.joined(separator: "\n"), bad.joined(separator: "\n"))
  }

  @Test("Writes a smaller file, which fails with run and is valid; threads change nothing")
  func writes() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.failing, to: "game.yaml")
    let result = try shrink(folder, ["--jobs", "1"])
    expect(result.0 == 0 && result.bad.isEmpty, "\(result)")
    let written = try folder.read("small.yaml")
    expect(written.contains("engine: ranking-reversed") && !written.contains("FINISHED"))
    expect(result.told.contains("it passes with reference engines") && result.told.contains("repeat babbench run "))
    let small = folder.path + "/small.yaml"
    try equal(RunCommand.parse([small]).execute(on: .real, for: .nobody), 1)
    try equal(ValidateCommand.parse([small]).execute(on: .real, for: .nobody), 0)
    try equal(shrink(folder, ["--jobs", "3"]).told, result.told)
    try equal(folder.read("small.yaml"), written)
  }

  @Test("A run that passes, a reason that does not exist and faulty files have one line and their exit code")
  func refusals() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.failing, to: "game.yaml")
    let passing = try shrink(folder, ["--set", "devices.host.engine=reference"])
    expect(passing.0 == 2 && passing.bad.contains("does not fail with seed 1; there is nothing to shrink"))
    let reason = try shrink(folder, ["--reason", "9"])
    expect(reason.0 == 64 && reason.bad.contains("--reason 9 does not exist"))
    let engine = try shrink(folder, ["--set", "devices.host.engine=nothing"])
    expect(engine.0 == 64 && engine.bad.contains("nothing"))
    try folder.write("devices: { host: { phon: x } }", to: "game.yaml")
    let faulty = try shrink(folder)
    expect(faulty.0 == 64 && faulty.bad.contains("game.yaml:1:"))
    for lines in [passing, reason, engine, faulty] { equal(lines.bad.split(separator: "\n").count, 1) }
    try equal(folder.files(), ["game.yaml"])
    try equal(ShrinkCommand.parse(["no-such-scenario"]).execute(on: .real, for: .nobody), 64)
  }

  @Test("Limits on the command line are read, and wrong ones refused")
  func limits() throws {
    expect(ShrinkBudget(argument: "60s") == .seconds(60) && ShrinkBudget(argument: "7") == .executions(7))
    for text in ["", "0", "0s", "-1", "x", "1.5"] { expect(ShrinkBudget(argument: text) == nil) }
    equal(ShrinkBudget.executions(of: []), ShrinkBudget.defaultExecutions)
    equal(ShrinkBudget.executions(of: [.executions(9), .seconds(1), .executions(5)]), 5)
    for arguments in [
      ["--jobs", "0"], ["--seeds-per-step", "0"], ["--reason", "0"], ["--set", "x"], ["--budget", "x"],
    ] {
      #expect(throws: (any Error).self) { try ShrinkCommand.parse(["x"] + arguments) }
    }
    let folder = try TemporaryFolder()
    try folder.write(Self.failing, to: "game.yaml")
    let result = try shrink(folder, ["--budget", "3"])
    expect(result.0 == 0 && result.told.contains("stopped before nothing more could be left out"))
  }

  @Test("A fixed engine is the control; one that is none is refused, and a session or a case has none")
  func mended() throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.failing, to: "game.yaml")
    let result = try shrink(folder, ["--mended", "reference", "--budget", "40"])
    expect(result.0 == 0 && result.told.contains("it passes with reference, the fixed engine"), "\(result)")
    try expect(folder.read("small.yaml").contains("It passes with reference, the fixed engine."))
    for engine in ["ranking-reversed", "no-such-engine", "/no/such/program"] {
      let refused = try shrink(folder, ["--mended", engine])
      expect(refused.0 == 64 && refused.bad.hasPrefix("error: --mended: "), "\(refused)")
      expect(refused.bad.contains(engine))
    }
    // The game names no other engine, so this one is replaced by itself.
    try expect(shrink(folder, ["--mended", "ranking-reversed"]).bad.contains("fails for the same reason"))
    #expect(throws: (any Error).self) { try ShrinkCommand.parse(["session.jsonl", "--mended", "reference"]) }
    let tested = ["--iut", "reference", "--case", "BAB/HOST/START/BV-01-C"]
    #expect(throws: (any Error).self) { try ShrinkCommand.parse(tested + ["--mended", "reference"]) }
  }

  @Test("A written file finds the profiles of the scenario it was made from")
  func profiles() throws {
    let folder = try TemporaryFolder()
    let source = ShrinkSource(path: folder.path + "/a/game.yaml", settings: [], output: folder.path + "/small.yaml")
    _ = try OutputFolder(creating: folder.path + "/a")
    try folder.write("devices: { host: { phone: p.yaml#x }, client: { phone: { preset: p.yaml } } }", to: "a/game.yaml")
    let text = "\(try source.tree())"
    expect(text.contains(folder.path + "/a/p.yaml#x") && text.contains(folder.path + "/a/p.yaml\""))
  }
}
