import Bench
import Expectations
import RunReports
import Testing

@testable import Shrink

/// A control that somebody gives: an engine without the defect.
@Suite("A fixed engine as the control")
struct MendedTests {
  private static func start(_ text: String, _ mended: Mended) throws -> ShrinkStart {
    let run = try ShrinkStart.run(try ShrinkBench.tree(text), seed: 1, on: ShrinkBench.real)
    let sighting = try required(run.1.sightings.first)
    return try ShrinkStart(
      run, seed: 1, origin: "a test", sighting: sighting, mended: mended, on: ShrinkBench.real)
  }

  @Test("It is the control, every smaller scenario passes with it, and the file says so")
  func control() throws {
    let text = ShrinkBench.game(of: "lobby-update-forgotten")
    let mended = Mended(engine: "reference")
    let start = try Self.start(text, mended)
    equal(start.control, .mended(mended))
    let limits = Shrinker.Limits(executions: 300, seedsPerStep: 1)
    let result = try Shrinker(start, limits: limits, bench: ShrinkBench.real).run()
    expect(result.text(repeatLine: "x").contains("# It passes with reference, the fixed engine."))
    let other = mended.applied(to: result.tree)
    expect(other != result.tree)
    let trial = try Trial(
      try ShrinkBench.real.read(ScenarioText.text(of: other)).get(), seed: result.variant.seed, bounds: nil,
      on: ShrinkBench.real)
    expect(!trial.shows(result.start.sighting.reason))
  }

  @Test("An engine that fails for the same reason, is unknown, or has nothing to replace is refused in words")
  func refused() throws {
    func problem(_ text: String, _ engine: String) throws -> String {
      do {
        _ = try Self.start(text, Mended(engine: engine))
        return ""
      } catch let problem as MendedProblem {
        return problem.description
      }
    }
    let broken = ShrinkBench.game(of: "lobby-update-forgotten")
    // A host's engine is none for clients, which name one here.
    try expect(problem(broken, "lobby-update-forgotten").contains("the scenario refuses lobby-update-forgotten: "))
    let alone = broken.replacing("engine: reference, ", with: "")
    try expect(problem(alone, "lobby-update-forgotten").contains("fails for the same reason"))
    try expect(problem(broken, "no-such-engine").contains("the scenario refuses no-such-engine"))
    let bare = ShrinkBench.game(radio: "{ packet loss: 95% }").replacing("engine: reference, ", with: "")
    try expect(problem(bare, "reference").contains("could replace"))
  }

  @Test("A program takes the place of programs, with their seam and limits; else that of named engines")
  func programs() throws {
    let mended = Mended(program: ["/opt/mended", "-q"], name: "mended")
    func applied(_ devices: String) throws -> YAMLTree {
      let tree = YAMLTree(entries: [("devices", try YAMLTree.devices(devices))])
      return try required(mended.applied(to: tree).entry("devices"))
    }
    let program = try applied("host: { app: [./broken, a, b] }\nclient: { engine: commits-twice }")
    equal(program.entry("host")?.entry("app")?.items.map(\.scalar), ["/opt/mended", "-q"])
    equal(program.entry("client")?.entry("engine")?.scalar, "commits-twice")
    let described = try applied("host: { app: { command: ./broken, seam: messages, reports: no } }")
    equal(described.entry("host")?.entry("app")?.entry("command")?.items.map(\.scalar), ["/opt/mended", "-q"])
    equal(described.entry("host")?.entry("app")?.entry("seam")?.scalar, "messages")
    let engine = try applied("host: {}\nclient: { engine: commits-twice, at: [1, 2] }")
    expect(engine.entry("host")?.entry("app") == nil && engine.entry("client")?.entry("engine") == nil)
    equal(engine.entry("client")?.entry("app")?.items.count, 2)
  }
}

extension YAMLTree {
  /// The devices of a text, without reading them as a scenario.
  fileprivate static func devices(_ text: String) throws -> YAMLTree {
    let indented = text.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    return try required(try ShrinkBench.tree("devices:\n" + indented).entry("devices"))
  }
}
