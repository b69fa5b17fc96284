import Bench
import Campaigns
import Explore
import Foundation
import Judging
import Shrink
import SimKernel

/// Plays drawn worlds as far as it is asked to, or can.
struct ExploreRun: Sendable {
  let bench: Bench
  let draw: WorldDraw
  let seeds: SeedRange
  /// In whose place worlds are read.
  let file: String
  var jobs = 1
  /// No world begins after so much wall-clock time.
  var budget: SimDuration?
  /// Kinds of trace records and HCI commands are noted too.
  var notesTraces = false
  var modesPermille = 0
  var capturesPermille = 0
  var shard = Shard.all

  init(bench: Bench, draw: WorldDraw, file: String, seeds: SeedRange) {
    self.file = file
    self.bench = bench
    self.draw = draw
    self.seeds = seeds
  }

  struct Ending {
    var tally: ExploreTally
    var played: CampaignEnding
    var wallMilliseconds: Int
  }

  /// Plays one world after the other.
  /// - Parameter scratch: a folder for captures.
  func trial(scratch: String) -> WorldTrial {
    var trial = WorldTrial(draw, on: Self.trials(on: bench, file: file))
    trial.notesTraces = notesTraces
    trial.modesPermille = modesPermille
    trial.capturesPermille = capturesPermille
    trial.captures = CaptureTrial(folder: scratch, protocols: protocols.traffic)
    return trial
  }

  /// Reads texts as a file, and judges as `run` does.
  /// - Parameter file: in whose place they are read.
  static func trials(on bench: Bench, file: String) -> TrialBench {
    TrialBench(
      read: { text in
        ScenarioReader.read(
          text: text, file: file, language: .shipped, profiles: .besides(file),
          programs: .besides(file, environment: Environment.inherited))
      },
      judge: { scenario, options, readers in try bench.judge(scenario, options, readers: readers) })
  }

  func play(state: StateFile?, scratch: ScratchFolders) throws -> Ending {
    var progress = try CampaignProgress(reading: state) ?? CampaignProgress(ExploreTally())
    let clock = CampaignClock(budget: budget, earlier: progress.milliseconds)
    let size = shard.size(of: seeds.count)
    let line = ProgressLine("worlds", of: size)
    let (plan, seeds, shard) = (self, seeds, shard)
    try Trials("worlds", jobs: jobs, clock: clock).play(
      &progress, to: size, state: state, shown: { line.show(done: $0, bad: $1.failed) },
      makePlayer: {
        let trial = plan.trial(scratch: scratch.next())
        return { [trial] in trial.play(seeds.seed(at: shard.index(at: $0))) }
      },
      take: { tally, _, outcome in tally.add(outcome) })
    Console.endProgress()
    progress.milliseconds = clock.milliseconds
    try state?.write(progress)
    return Ending(
      tally: progress.tally, played: clock.ending("worlds", asked: size, judged: progress.next),
      wallMilliseconds: progress.milliseconds)
  }
}
