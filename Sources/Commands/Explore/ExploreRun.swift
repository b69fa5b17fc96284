import Bench
import Explore
import Foundation
import Judging
import Shrink
import SimKernel

/// Plays drawn worlds as far as it is asked to, or can.
struct ExploreRun {
  let bench: Bench
  let draw: WorldDraw
  let seeds: SeedRange
  var jobs = 1
  /// No world begins after so much wall-clock time.
  var budget: SimDuration?

  init(bench: Bench, draw: WorldDraw, seeds: SeedRange) {
    self.bench = bench
    self.draw = draw
    self.seeds = seeds
  }

  struct Ending {
    var tally: ExploreTally
    /// Worlds that were not played.
    var missing: Int
    var wallMilliseconds: Int
  }

  var trial: WorldTrial { WorldTrial(draw, on: Self.trials(on: bench)) }

  /// Reads texts as a file of this folder, and judges as `run` does.
  static func trials(on bench: Bench) -> TrialBench {
    TrialBench(
      read: { text in
        ScenarioReader.read(
          text: text, file: "world.yaml", language: .shipped, profiles: .besides("world.yaml"),
          programs: .besides("world.yaml", environment: Environment.inherited))
      },
      judge: { scenario, options, readers in try bench.judge(scenario, options, readers: readers) })
  }

  func play() throws -> Ending {
    var tally = ExploreTally()
    let began = ContinuousClock.now
    let deadline = budget.map { began + .nanoseconds($0.nanoseconds) }
    let meter = RateMeter(total: seeds.count)
    let (seeds, bench, draw) = (seeds, bench, draw)
    let next = try OrderedWorkers.run(
      0..<seeds.count, jobs: jobs,
      shouldStop: { Interruption.isRequested || deadline.map { ContinuousClock.now >= $0 } ?? false },
      makeWorker: {
        let trial = WorldTrial(draw, on: Self.trials(on: bench))
        return { trial.play(seeds.seed(at: $0)) }
      },
      take: { (place: Int, outcome: WorldOutcome) in
        tally.add(outcome)
        meter.show(done: place + 1, failed: tally.failed)
      })
    Console.endProgress()
    return Ending(
      tally: tally, missing: seeds.count - next,
      wallMilliseconds: Int((ContinuousClock.now - began) / .milliseconds(1)))
  }
}
