import Conformance
import Expectations
import Judging
import Testing

/// Worlds in which the reference was accused, each with its cause as a comment. Nobody is to blame in them; and the
/// engine that the comment names is still found there.
@Suite("Worlds in which the reference was accused")
struct WorldRegressionTests {
  static let seeds: ClosedRange<UInt64> = 1...12

  @Test("Nobody is accused, and something is judged", arguments: try RegressionWorld.all("worlds"))
  func nobody(_ world: RegressionWorld) throws {
    for seed in Self.seeds {
      let judgement = try world.judge(seed: seed)
      let told = judgement.findings.map { "\($0.oracle): expected \($0.expected), saw \($0.actual)" }
      expect(told.isEmpty, "\(world.name), seed \(seed)")
      expect(judgement.oracles.contains { $0.judged > 0 }, "\(world.name), seed \(seed): nothing was judged")
    }
  }

  @Test("The engine that a world names is found in it", arguments: try RegressionWorld.all("worlds"))
  func bites(_ world: RegressionWorld) throws {
    let (device, engine, oracle) = try required(world.bite, "\(world.name) has no line “# Bites: device=engine Oracle”")
    let found = try Self.seeds.contains { seed in
      try world.judge(seed: seed, settings: ["devices.\(device).engine=\(engine)"]).findings
        .contains { $0.oracle == oracle }
    }
    expect(found, "\(engine) as \(device) is not found by \(oracle)")
  }
}
