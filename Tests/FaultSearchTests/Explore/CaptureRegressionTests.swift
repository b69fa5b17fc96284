import Bench
import Conformance
import Expectations
import Foundation
import Judging
import Shrink
import Testing

@testable import Explore

/// Worlds whose captures accused somebody whom the run did not, each with its cause as a comment. The sets of files
/// that `babbench explore` draws of them from the seeds that the comment names accuse nobody now; and the engine that
/// it names is still found in the same sets.
@Suite("Worlds whose captures accused the reference")
struct CaptureRegressionTests {
  @Test("No set says more than the run, and something is judged", arguments: try RegressionWorld.all("captured"))
  func nobody(_ world: RegressionWorld) throws {
    expect(!world.seeds.isEmpty, "\(world.name) has no line “# Seeds: 17 40”")
    for seed in world.seeds {
      let verdict = try Self.verdict(world, seed: seed)
      equal(verdict.sightings.map { "\($0.cause.text): \($0.detail)" }, [], "\(world.name), seed \(seed)")
      expect(verdict.judged > 0, "\(world.name), seed \(seed): nothing was judged")
    }
  }

  @Test("The engine that a world names is found in its sets", arguments: try RegressionWorld.all("captured"))
  func bites(_ world: RegressionWorld) throws {
    let (device, engine, oracle) = try required(world.bite, "\(world.name) has no line “# Bites: device=engine Oracle”")
    let found = try world.seeds.contains { seed in
      try Self.verdict(world, seed: seed, settings: ["devices.\(device).engine=\(engine)"], isKnown: false).sightings
        .contains { $0.cause.kind == .capture && $0.cause.rule == oracle }
    }
    expect(found, "\(engine) as \(device) is not found by \(oracle)")
  }

  /// - Parameter isKnown: what the run says is left out.
  private static func verdict(
    _ world: RegressionWorld, seed: UInt64, settings: [String] = [], isKnown: Bool = true
  ) throws -> CaptureTrial.Verdict {
    let scenario = try world.scenario(settings: settings)
    let judgement = try ExploreBench.real.judge(scenario, RunOptions(seed: seed), [])
    let folder = FileManager.default.temporaryDirectory.path + "/explore-tests-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let trial = CaptureTrial(folder: folder, protocols: ExploreBench.protocols.compactMap(\.traffic))
    return try trial.verdict(
      on: scenario, seed: seed, judgement, known: isKnown ? WorldTrial.findings(judgement) : [], judgesApps: true,
      on: ExploreBench.real)
  }
}
