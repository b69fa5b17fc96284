import AppSeam
import Bench
import Conformance
import Expectations
import Foundation
import Judging
import Shrink
import SimKernel
import Testing

@testable import Explore

@Suite("Worlds that are played")
struct WorldTrialTests {
  private static func tally(_ trial: WorldTrial, _ seeds: ClosedRange<UInt64>) -> ExploreTally {
    var tally = ExploreTally()
    for seed in seeds { tally.add(trial.play(seed)) }
    return tally
  }

  @Test("A broken engine is found, and the cause is told once")
  func mutant() throws {
    let draw = ExploreBench.draw(.noisy, ["bab"], engines: [("host", "ghost-kept")])
    let tally = Self.tally(WorldTrial(draw, on: ExploreBench.real), 1...60)
    let causes = tally.causes.filter { $0.cause.rule == "NoGhostsAfterSupervisionTimeout" && $0.cause.role == "host" }
    equal(causes.count, 1)
    equal(causes.first.map { $0.count > 5 }, true)
    equal(tally.verdict, .fail)
  }

  @Test("The same seeds give the same, and parts that are merged give the whole")
  func merging() throws {
    let trial = WorldTrial(ExploreBench.draw(.noisy, ["bab"], engines: [("host", "ghost-kept")]), on: ExploreBench.real)
    let outcomes = (UInt64(1)...40).map(trial.play)
    var whole = ExploreTally()
    for outcome in outcomes { whole.add(outcome) }
    var parts = [ExploreTally](repeating: ExploreTally(), count: 3)
    for (place, outcome) in outcomes.enumerated() { parts[place % 3].add(outcome) }
    var merged = parts[2]
    merged.merge(parts[0])
    merged.merge(parts[1])
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try equal(encoder.encode(merged), encoder.encode(whole))
  }

  @Test("A run that depends on who watches is found")
  func modes() {
    var bench = ExploreBench.real
    bench.judge = { scenario, options, readers in
      var judgement = try ExploreBench.real.judge(scenario, options, readers)
      if readers.contains(where: \.wantsAir) { judgement.outcome.digest.combine(1) }
      return judgement
    }
    var trial = WorldTrial(ExploreBench.draw(.calm, ["bab"]), on: bench)
    trial.modesPermille = 1_000
    let causes = trial.play(1).sightings.map(\.cause)
    expect(causes.contains(WorldCause(.mode, rule: "everything watched")))
    expect(!causes.contains(WorldCause(.mode, rule: "HCI watched")))
  }

  @Test("What the bench fails in and what the reader refuses are causes of their own, and no fail")
  func failures() {
    struct Broken: Error {}
    var bench = ExploreBench.real
    bench.judge = { _, _, _ in throw Broken() }
    let failed = WorldTrial(ExploreBench.draw(.calm, ["bab"]), on: bench).play(1)
    equal(failed.sightings.map(\.cause.kind), [.bench])
    bench.read = { text in
      ScenarioReader.read(text: text + "\nnonsense: 1\n", file: "world.yaml", language: ExploreBench.language)
    }
    let refused = WorldTrial(ExploreBench.draw(.calm, ["bab"]), on: bench).play(1)
    equal(refused.sightings.map(\.cause.kind), [.refusal])
    var tally = ExploreTally()
    tally.add(failed)
    tally.add(refused)
    expect(tally.verdict == .error && tally.causes.count == 2)
  }

  @Test("A world in which a stack is broken on purpose accuses nobody")
  func excused() throws {
    let trial = WorldTrial(ExploreBench.draw(.hostile, ["bab"]), on: ExploreBench.real)
    let excused = (UInt64(1)...40).map(trial.play).filter(\.isExcused)
    expect(!excused.isEmpty)
    expect(excused.allSatisfy { $0.sightings.allSatisfy { $0.cause.kind != .oracle } })
  }

  @Test("The world of a cause becomes smaller and shows it still")
  func shrinking() throws {
    let trial = WorldTrial(ExploreBench.draw(.noisy, ["bab"], engines: [("host", "ghost-kept")]), on: ExploreBench.real)
    let tally = Self.tally(trial, 1...60)
    let entry = try required(tally.causes.first { $0.cause.rule.hasPrefix("NoGhosts") && $0.cause.role == "host" })
    let small = try required(
      try CauseShrink(trial).smallest(
        of: entry.cause, seed: entry.smallest, origin: "a test", executions: 120, parallel: .none,
        shouldStop: { false }, progress: { _ in }))
    expect(small.sizeAfter.lines < small.sizeBefore.lines)
    expect(small.text(repeatLine: "babbench run a.yaml").contains("ghost-kept"))
  }
}
