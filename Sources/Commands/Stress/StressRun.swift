import Bench
import Conformance
import Foundation
import Judging
import SimKernel
import Stress

/// Plays a campaign as far as it is asked to, or can.
struct StressRun {
  let bench: Bench
  /// The file of the scenario.
  let path: String
  /// Grows by cells while a limit is searched.
  private(set) var plan: StressPlan
  var jobs = 1
  /// No world begins after so much wall-clock time.
  var budget: SimDuration?
  var output: OutputFolder?
  var state: StateFile?
  var isResumed = false
  /// Digests of the files of the scenario's programs (`ShardNote.programs`).
  var programs: [String: String] = [:]

  /// How far it is, between two worlds.
  private struct Progress: Codable {
    /// That of the file of the scenario.
    var scenarioDigest: String
    /// Those of the files of its programs.
    var programs: [String: String]
    /// The next place of the shard.
    var next = 0
    /// Worlds that are not played because their cell is decided.
    var skipped = 0
    /// Cells that a search has chosen.
    var chosen: [[String]] = []
    /// Octets of `worlds.csv`.
    var rows = 0
    var wallMilliseconds = 0
    var tally: CampaignTally
  }

  struct Ending {
    var plan: StressPlan
    var tally: CampaignTally
    /// Worlds that were neither played nor left out on purpose.
    var missing: Int
    var wallMilliseconds: Int
  }

  init(bench: Bench, path: String, plan: StressPlan) {
    self.bench = bench
    self.path = path
    self.plan = plan
  }

  mutating func play() throws -> Ending {
    var progress = Progress(scenarioDigest: plan.scenarioDigest, programs: programs, tally: plan.emptyTally)
    var known: Int?
    if isResumed, let old = try state?.read(Progress.self) {
      guard old.scenarioDigest == plan.scenarioDigest else { throw isChanged("the scenario") }
      let names = Set(old.programs.keys).union(programs.keys).sorted()
      if let name = names.first(where: { old.programs[$0] != programs[$0] }) { throw isChanged(name) }
      progress = old
      known = old.rows
      for values in old.chosen { plan.grid.append(values) }
    }
    let rows = try output.map { try RowFile(path: $0.path(of: "worlds.csv"), kept: known) }
    if known == nil { try rows?.append(WorldRow.heading(plan)) }
    let began = ContinuousClock.now
    let earlier = progress.wallMilliseconds
    func elapsed() -> Int { earlier + Int((ContinuousClock.now - began) / .milliseconds(1)) }
    let deadline = budget.map { began + .nanoseconds($0.nanoseconds) }
    let meter = RateMeter(total: plan.search == nil ? plan.size : nil)
    while !Self.mustStop(deadline), progress.next < plan.size || chooseCell(&progress) {
      let end = stretch(from: progress.next)
      let first = progress.next
      let (bench, path, plan) = (bench, path, plan)
      progress.next = try OrderedWorkers.run(
        first..<end, jobs: jobs, shouldStop: { Self.mustStop(deadline) },
        makeWorker: {
          var worlds = StressWorlds(bench: bench, path: path, plan: plan)
          return { place in
            let result = worlds.play(plan.shard.index(at: place))
            return (result, WorldRow.text(result, plan))
          }
        },
        take: { [state] (place: Int, result: (world: WorldResult, row: String)) in
          progress.tally.add(
            result.world, cell: plan.grid.world(result.world.index).cell, measures: plan.measures, claims: plan.claims)
          try rows?.append(result.row)
          progress.next = place + 1
          meter.show(done: place + 1, failed: progress.tally.worlds - progress.tally.count(.pass))
          if state?.isDue == true { try Self.keep(&progress, rows, state, elapsed()) }
        })
      leaveDecidedCell(&progress)
    }
    Console.endProgress()
    try Self.keep(&progress, rows, state, elapsed())
    let missing = plan.size - progress.tally.worlds - progress.skipped
    if missing == 0 { try rows?.finish() }
    return Ending(plan: plan, tally: progress.tally, missing: missing, wallMilliseconds: elapsed())
  }

  private func isChanged(_ what: String) -> NoResumption {
    NoResumption(description: "\(path): \(what) has changed since then; choose another --out")
  }

  private static func mustStop(_ deadline: ContinuousClock.Instant?) -> Bool {
    Interruption.isRequested || deadline.map { ContinuousClock.now >= $0 } ?? false
  }

  /// Up to where is played before somebody looks.
  private func stretch(from place: Int) -> Int {
    guard plan.stopsEarly else { return plan.size }
    let seeds = plan.grid.seedCount
    let cellStart = place / seeds * seeds
    return cellStart + ((place - cellStart + 1)...seeds).first { plan.isLook($0) }!
  }

  private func leaveDecidedCell(_ progress: inout Progress) {
    let seeds = plan.grid.seedCount
    guard plan.stopsEarly, progress.next % seeds != 0 else { return }
    let cell = progress.next / seeds
    guard plan.isLook(progress.next % seeds), plan.isDecided(progress.tally.cells[cell]) else { return }
    let end = (cell + 1) * seeds
    progress.skipped += end - progress.next
    progress.next = end
  }

  /// Adds the next cell of a search; false when there is none.
  private mutating func chooseCell(_ progress: inout Progress) -> Bool {
    guard let search = plan.search, let value = search.next(after: plan.points(progress.tally)) else { return false }
    let values = [search.setting(value)]
    plan.grid.append(values)
    progress.chosen.append(values)
    progress.tally.appendCell(claims: plan.claims.count)
    return true
  }

  private static func keep(
    _ progress: inout Progress, _ rows: RowFile?, _ state: StateFile?, _ elapsed: Int
  ) throws {
    guard let state else { return }
    try rows?.flush()
    progress.rows = rows?.length ?? 0
    progress.wallMilliseconds = elapsed
    try state.write(progress)
  }
}
