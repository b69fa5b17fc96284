import Foundation
import Judging

/// Numbered trials of a campaign: played on some threads in any order, taken in the order of their numbers.
///
/// So no result depends on timing, and nothing has to be kept of millions.
package struct Trials: Sendable {
  /// What they are called, in the plural: "worlds".
  package var unit: String
  /// Threads.
  package var jobs: Int
  /// What ends them early.
  package var clock: CampaignClock

  package init(_ unit: String, jobs: Int, clock: CampaignClock = CampaignClock()) {
    (self.unit, self.jobs, self.clock) = (unit, jobs, clock)
  }

  /// Plays trials until `clock` says that no further one may begin; those that have begun are finished and taken,
  /// except where their programs were ended for that (`Interruption.hasEndedPrograms`).
  ///
  /// - Parameters:
  ///   - makePlayer: called once on each thread, so that threads share no counted references.
  ///   - take: called in order, one at a time, on any of the threads.
  /// - Returns: the number of the first trial that was not taken.
  /// - Throws: what `take` throws; nothing is taken after that.
  package func play<Outcome: Sendable>(
    _ range: Range<Int>, makePlayer: @escaping @Sendable () -> (Int) -> Outcome,
    take: @escaping (Int, Outcome) throws -> Void
  ) throws -> Int {
    let clock = clock
    return try TrialQueue(range, shouldStop: { clock.mustStop }, take: take).run(jobs: jobs, makePlayer)
  }

  /// Plays so many trials, and shows how far it is.
  ///
  /// - Parameters:
  ///   - isBad: whether an outcome counts as one that did not pass.
  ///   - taken: called with each outcome in order.
  /// - Returns: what they came to; fewer than `count` where they were ended early.
  package func outcomes<Outcome: Sendable>(
    _ count: Int, makePlayer: @escaping @Sendable () -> (Int) -> Outcome,
    isBad: @escaping (Outcome) -> Bool = { _ in false }, taken: @escaping (Int, Outcome) throws -> Void = { _, _ in }
  ) throws -> [Outcome] {
    var outcomes: [Outcome] = []
    var bad = 0
    let line = ProgressLine(unit, of: count)
    defer { Console.endProgress() }
    _ = try play(0..<count, makePlayer: makePlayer) { number, outcome in
      assert(number == outcomes.count, "outcomes are taken in order")
      if isBad(outcome) { bad += 1 }
      outcomes.append(outcome)
      line.show(done: outcomes.count, bad: bad)
      try taken(number, outcome)
    }
    return outcomes
  }

  /// Plays all of so many trials, whatever would end a campaign.
  package static func all<Outcome: Sendable>(
    _ count: Int, jobs: Int, _ play: @escaping @Sendable (Int) -> Outcome
  ) -> [Outcome] {
    var outcomes: [Outcome] = []
    let queue = TrialQueue<Outcome>(0..<count, shouldStop: { false }) { outcomes.append($1) }
    // `take` throws nothing.
    _ = try? queue.run(jobs: jobs) { play }
    return outcomes
  }

  /// Goes on with a campaign that keeps how far it is.
  ///
  /// - Parameters:
  ///   - progress: where it is; afterwards, where it ended.
  ///   - end: the number after the last trial.
  ///   - state: where progress is kept, now and then.
  ///   - prepareState: called before it is kept.
  ///   - shown: what the progress line shows.
  ///   - take: adds an outcome to the tally.
  package func play<Tally: Codable, Outcome: Sendable>(
    _ progress: inout CampaignProgress<Tally>, to end: Int, state: StateFile?,
    prepareState: @escaping (inout Tally) throws -> Void = { _ in }, shown: @escaping (Int, Tally) -> Void,
    makePlayer: @escaping @Sendable () -> (Int) -> Outcome, take: @escaping (inout Tally, Int, Outcome) throws -> Void
  ) throws {
    // What closures capture cannot be `inout`.
    var current = progress
    defer { progress = current }
    _ = try play(current.next..<end, makePlayer: makePlayer) { number, outcome in
      assert(number == current.next, "outcomes are taken in order")
      try take(&current.tally, number, outcome)
      current.next = number + 1
      shown(current.next, current.tally)
      guard let state, state.isDue else { return }
      try prepareState(&current.tally)
      current.milliseconds = clock.milliseconds
      try state.write(current)
    }
  }
}

/// How far a campaign is, between two trials.
package struct CampaignProgress<Tally: Codable>: Codable {
  /// The number of the next trial.
  package var next = 0
  /// Time by the wall clock, of all processes that played a part of it.
  package var milliseconds = 0
  package var tally: Tally

  package init(_ tally: Tally) { self.tally = tally }

  /// Where an earlier process ended; nil: it begins.
  /// - Throws: `NoResumption`.
  package init?(reading state: StateFile?) throws {
    guard let old = try state?.read(Self.self) else { return nil }
    self = old
  }
}
