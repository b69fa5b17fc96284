import Bench
import InPlaceFuzz
import SimKernel

/// Plays worlds of a plan in the order of their ranks, as many as there is time for.
///
/// The world is played through once for each round; before the places whose worlds the round has, it stands still, and
/// children go on from there. Where programs are under test, or `isFresh` says so, each world begins at the beginning.
package final class FaultCampaign {
  /// Worlds of the first round; each later one has twice as many, up to the largest. What a budget cuts off is never
  /// more than one round, and less than was played before it.
  private static let firstRound = 64
  private static let largestRound = 8_192
  /// Worlds that are played from one stand at least, where the round has them: more than run at a time.
  private static let leastGroup = 24

  package let plan: EveryFaultPlan
  private let bench: JudgedWorld.Bench
  private let stage: FaultStage
  private let server: ForkServer
  private let isFresh: Bool
  private let shouldStop: () -> Bool
  package private(set) var tally: FaultTally
  /// The rank of the next world.
  package private(set) var rank = 0

  /// - Parameters:
  ///   - undisturbed: what the run without a fault shows.
  ///   - jobs: how many children at a time; it changes no result.
  ///   - isFresh: each world begins at the beginning; it changes no result.
  ///   - patience: wall-clock milliseconds of a world.
  ///   - shouldStop: asked between worlds.
  package init(
    _ plan: EveryFaultPlan, undisturbed: FaultedWorld, on bench: JudgedWorld.Bench, jobs: Int, isFresh: Bool,
    patience: UInt32, shouldStop: @escaping () -> Bool
  ) throws {
    self.plan = plan
    self.bench = bench
    let hasPrograms = !plan.scenario.programs.isEmpty
    self.isFresh = isFresh || hasPrograms
    self.shouldStop = shouldStop
    stage = FaultStage(plan, on: bench, patience: patience, room: hasPrograms ? 0 : FuzzPlan.usualMemory)
    server = try ForkServer(stage, jobs: jobs, renews: self.isFresh, shouldStop: shouldStop)
    tally = FaultTally(plan)
    tally.addUndisturbed(undisturbed)
  }

  /// Before any world is made whose children are to be many.
  package static func prepare() { ForkServer.prepare() }

  /// Worlds of the next round, of at most so many in all.
  package func nextRound(of limit: Int) -> Int {
    min(max(Self.firstRound, min(rank, Self.largestRound)), limit - rank)
  }

  /// Plays the next worlds by rank.
  /// - Parameter progress: called now and then with the number of worlds that were played.
  /// - Returns: how many were played; fewer than wanted where `shouldStop` said so.
  @discardableResult
  package func play(_ count: Int, progress: (Int) -> Void) throws -> Int {
    let numbers = (rank..<rank + count).map(plan.number).sorted()
    let worlds = numbers.map(plan.world).enumerated().sorted {
      ($0.element.faults[0].place, $0.offset) < ($1.element.faults[0].place, $1.offset)
    }.map(\.element)
    var played = 0
    stage.standing = isFresh ? nil : try JudgedWorld(plan.scenario, seed: plan.seed, on: bench, isHeld: true)
    var begin = 0
    while begin < worlds.count, !shouldStop() {
      let end = groupEnd(worlds, from: begin)
      let group = Array(worlds[begin..<end])
      stage.standing?.play(to: plan.places[group[0].faults[0].place].instant - .nanoseconds(1))
      if !isFresh { server.dismiss() }
      let results = try server.play(
        group.count, order: { [stage] in stage.order(group[$0].number, in: $1) },
        answer: { FaultedWorld(reading: $0) }, ended: { FaultedWorld(ended: $0) })
      for (disturbance, result) in zip(group, results) {
        guard let result else { continue }
        if let failure = result.benchFailure { throw FuzzObstacle.system(failure) }
        tally.add(disturbance, result)
        played += 1
      }
      begin = end
      progress(rank + played)
    }
    server.dismiss()
    stage.standing = nil
    rank += count
    return played
  }

  /// Where the worlds end that go on from the stand of the first one: those of a place stay together.
  private func groupEnd(_ worlds: [Disturbance], from begin: Int) -> Int {
    var end = min(begin + Self.leastGroup, worlds.count)
    while end < worlds.count, worlds[end].faults[0].place == worlds[end - 1].faults[0].place { end += 1 }
    return end
  }
}
