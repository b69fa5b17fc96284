import Bench
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
  var isResumed = false

  init(bench: Bench, draw: WorldDraw, file: String, seeds: SeedRange) {
    self.file = file
    self.bench = bench
    self.draw = draw
    self.seeds = seeds
  }

  /// How far it is, between two worlds.
  private struct Progress: Codable {
    /// The next place of the shard.
    var next = 0
    var wallMilliseconds = 0
    var tally = ExploreTally()
  }

  struct Ending {
    var tally: ExploreTally
    /// Worlds that were not played.
    var missing: Int
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
    var progress = try isResumed ? state?.read(Progress.self) ?? Progress() : Progress()
    let began = ContinuousClock.now
    let earlier = progress.wallMilliseconds
    func elapsed() -> Int { earlier + Int((ContinuousClock.now - began) / .milliseconds(1)) }
    let deadline = budget.map { began + .nanoseconds($0.nanoseconds) }
    let size = shard.size(of: seeds.count)
    let meter = RateMeter(total: size)
    let (plan, first) = (self, progress.next)
    let (seeds, shard) = (seeds, shard)
    progress.next = try OrderedWorkers.run(
      first..<size, jobs: jobs,
      shouldStop: { Interruption.isRequested || deadline.map { ContinuousClock.now >= $0 } ?? false },
      makeWorker: {
        let trial = plan.trial(scratch: scratch.next())
        return { [trial] in trial.play(seeds.seed(at: shard.index(at: $0))) }
      },
      take: { (place: Int, outcome: WorldOutcome) in
        progress.tally.add(outcome)
        progress.next = place + 1
        meter.show(done: place + 1, failed: progress.tally.failed)
        if state?.isDue == true {
          progress.wallMilliseconds = elapsed()
          try state?.write(progress)
        }
      })
    Console.endProgress()
    progress.wallMilliseconds = elapsed()
    try state?.write(progress)
    return Ending(
      tally: progress.tally, missing: size - progress.next, wallMilliseconds: progress.wallMilliseconds)
  }
}
