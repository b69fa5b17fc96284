import Bench
import Campaigns
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
  /// Digests of the files of the scenario's programs (`ShardNote.programs`).
  var programs: [String: String] = [:]

  /// The outcomes so far.
  private struct Tally: Codable {
    /// That of the file of the scenario.
    var scenarioDigest: String
    /// Those of the files of its programs.
    var programs: [String: String]
    /// Worlds that are not played because their cell is decided.
    var skipped = 0
    /// Cells that a search has chosen.
    var chosen: [[String]] = []
    /// Octets of `worlds.csv`.
    var rows = 0
    var worlds: CampaignTally
  }

  private typealias Progress = CampaignProgress<Tally>

  struct Ending {
    var plan: StressPlan
    var tally: CampaignTally
    /// How many were judged, with those that were left out on purpose.
    var played: CampaignEnding
    var wallMilliseconds: Int
  }

  init(bench: Bench, path: String, plan: StressPlan) {
    self.bench = bench
    self.path = path
    self.plan = plan
  }

  mutating func play() throws -> Ending {
    let known = try known()
    for values in known?.tally.chosen ?? [] { plan.grid.append(values) }
    var progress =
      known
      ?? Progress(Tally(scenarioDigest: plan.scenarioDigest, programs: programs, worlds: plan.emptyTally))
    let rows = try output.map { try RowFile(path: $0.path(of: "worlds.csv"), kept: known?.tally.rows) }
    if known == nil { try rows?.append(WorldRow.heading(plan)) }
    let clock = CampaignClock(budget: budget, earlier: progress.milliseconds)
    let line = ProgressLine("worlds", of: plan.search == nil ? plan.size : nil)
    func keepRows(_ tally: inout Tally) throws {
      try rows?.flush()
      tally.rows = rows?.length ?? 0
    }
    while !clock.mustStop, progress.next < plan.size || chooseCell(&progress) {
      let (bench, path, plan) = (bench, path, plan)
      try Trials("worlds", jobs: jobs, clock: clock).play(
        &progress, to: stretch(from: progress.next), state: state, prepareState: keepRows,
        shown: { line.show(done: $0, bad: $1.worlds.worlds - $1.worlds.count(.pass)) },
        makePlayer: {
          var worlds = StressWorlds(bench: bench, path: path, plan: plan)
          return { place in
            let result = worlds.play(plan.shard.index(at: place))
            return (result, WorldRow.text(result, plan))
          }
        },
        take: { (tally: inout Tally, _, result: (world: WorldResult, row: String)) in
          tally.worlds.add(
            result.world, cell: plan.grid.world(result.world.index).cell, measures: plan.measures, claims: plan.claims)
          try rows?.append(result.row)
        })
      leaveDecidedCell(&progress)
    }
    Console.endProgress()
    progress.milliseconds = clock.milliseconds
    try keepRows(&progress.tally)
    try state?.write(progress)
    let played = clock.ending(
      "worlds", asked: plan.size, judged: progress.tally.worlds.worlds + progress.tally.skipped)
    // Whole as far as it goes; what is missing, the result says, and `--resume` goes on from there.
    try rows?.finish()
    return Ending(
      plan: plan, tally: progress.tally.worlds, played: played, wallMilliseconds: progress.milliseconds)
  }

  /// Where an earlier process ended.
  /// - Throws: `NoResumption`, also where a file of the campaign has changed since then.
  private func known() throws -> Progress? {
    guard let known = try Progress(reading: state) else { return nil }
    guard known.tally.scenarioDigest == plan.scenarioDigest else { throw isChanged("the scenario") }
    let names = Set(known.tally.programs.keys).union(programs.keys).sorted()
    if let name = names.first(where: { known.tally.programs[$0] != programs[$0] }) { throw isChanged(name) }
    return known
  }

  private func isChanged(_ what: String) -> NoResumption {
    NoResumption(description: "\(path): \(what) has changed since then; choose another --out")
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
    guard plan.isLook(progress.next % seeds), plan.isDecided(progress.tally.worlds.cells[cell]) else { return }
    let end = (cell + 1) * seeds
    progress.tally.skipped += end - progress.next
    progress.next = end
  }

  /// Adds the next cell of a search; false when there is none.
  private mutating func chooseCell(_ progress: inout Progress) -> Bool {
    guard let search = plan.search, let value = search.next(after: plan.points(progress.tally.worlds)) else {
      return false
    }
    let values = [search.setting(value)]
    plan.grid.append(values)
    progress.tally.chosen.append(values)
    progress.tally.worlds.appendCell(claims: plan.claims.count)
    return true
  }
}
