import Bench
import Conformance
import Foundation
import Judging
import Shrink
import SimKernel
import Testing

/// Worlds in which the reference was accused, each with its cause as a comment. Nobody is to blame in them; and the
/// engine that the comment names is still found there.
@Suite("Worlds in which the reference was accused")
struct WorldRegressionTests {
  static let seeds: ClosedRange<UInt64> = 1...12

  @Test("Nobody is accused, and something is judged", arguments: try RegressionWorld.all())
  func nobody(_ world: RegressionWorld) throws {
    for seed in Self.seeds {
      let judgement = try world.judge(seed: seed)
      let told = judgement.findings.map { "\($0.oracle): expected \($0.expected), saw \($0.actual)" }
      #expect(told.isEmpty, "\(world.name), seed \(seed)")
      #expect(judgement.oracles.contains { $0.judged > 0 }, "\(world.name), seed \(seed): nothing was judged")
    }
  }

  @Test("The engine that a world names is found in it", arguments: try RegressionWorld.all())
  func bites(_ world: RegressionWorld) throws {
    let (device, engine, oracle) = try #require(world.bite, "\(world.name) has no line “# Bites: device=engine Oracle”")
    let found = try Self.seeds.contains { seed in
      try world.judge(seed: seed, settings: ["devices.\(device).engine=\(engine)"]).findings
        .contains { $0.oracle == oracle }
    }
    #expect(found, "\(engine) as \(device) is not found by \(oracle)")
  }
}

/// A scenario of `Tests/Regressions/worlds`.
struct RegressionWorld: CustomTestStringConvertible {
  let path: String
  let text: String

  var name: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }
  var testDescription: String { name }

  /// Of the comment `# Bites: device=engine Oracle`.
  var bite: (device: String, engine: String, oracle: String)? {
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("# Bites: ") }) else { return nil }
    let words = line.dropFirst("# Bites: ".count).split(separator: " ")
    guard words.count == 2, let equals = words[0].firstIndex(of: "=") else { return nil }
    return (
      String(words[0][..<equals]), String(words[0][words[0].index(after: equals)...]), String(words[1])
    )
  }

  static func all() throws -> [RegressionWorld] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Regressions/worlds")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    precondition(!files.isEmpty, "no world in \(folder.path)")
    return try files.sorted().map { file in
      let path = folder.appendingPathComponent(file).path
      return RegressionWorld(path: path, text: try String(contentsOfFile: path, encoding: .utf8))
    }
  }

  func judge(seed: UInt64, settings: [String] = []) throws -> Judgement {
    let scenario = try ScenarioFile.load(
      path, language: ExploreBench.language, overrides: settings.compactMap { ScenarioOverride($0) }
    ).get()
    return try ExploreBench.real.judge(scenario, RunOptions(seed: seed), [])
  }
}
