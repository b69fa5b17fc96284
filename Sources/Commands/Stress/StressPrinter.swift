import Judging
import Measures
import SimKernel
import Stress

/// Lays a campaign out for a person at a terminal.
struct StressPrinter {
  let plan: StressPlan
  let tally: CampaignTally
  let missing: Int
  let paint: Paint

  /// The line that repeats a world.
  static func repeatLine(of world: Int, _ plan: StressPlan) -> String {
    let (cell, seed) = plan.grid.world(world)
    var run = RunPlan(scenario: plan.scenario, path: "")
    run.settings = plan.settings + plan.grid.settings(of: cell)
    return run.repeatLine(seed: seed)
  }

  /// Causes and cells that are listed here; the files have all.
  private static let limit = 20

  var lines: [String] {
    var lines = [heading]
    lines += counts + table(cellTable) + table(measureTable) + claimLines + causeLines
    lines.append("verdict " + word(plan.verdict(tally, missing: missing)))
    lines.append("digest " + tally.digestText)
    return lines
  }

  private var heading: String {
    let (first, count) = (plan.grid.firstSeed, plan.grid.seedCount)
    var text = "scenario \(plan.scenario): seeds \(first)..\(first + UInt64(count) - 1)"
    if plan.grid.cells.count > 1 { text += " in \(plan.grid.cells.count) cells" }
    if plan.shard != .all { text += ", shard \(plan.shard)" }
    return text
  }

  private var counts: [String] {
    var text = "\(tally.worlds) worlds"
    for verdict in Verdict.allCases where tally.count(verdict) > 0 { text += ", \(tally.count(verdict)) \(verdict.name)" }
    let skipped = plan.size - tally.worlds - missing
    var lines = [text]
    if skipped > 0 { lines.append("\(skipped) worlds were not needed: the claims of their cells were decided") }
    if missing > 0 { lines.append("\(missing) of \(plan.size) worlds are missing") }
    return lines
  }

  private func table(_ rows: [[String]]) -> [String] {
    if rows.count < 2 { return [] }
    let text = ConsoleTable.table(rows, rightAligned: Array(1..<rows[0].count))
    return [""] + text.split(separator: "\n").map(String.init)
  }

  /// What a person looks at first: the app's own times where there are some.
  static func headline(_ measures: [RunMeasure], _ tally: CampaignTally) -> [Int] {
    let wanted = ["lobby", "delivery", "turn", "line"]
    return measures.indices.filter { place in
      wanted.contains(measures[place].name) && tally.cells.contains { $0.measures[place].samples.count > 0 }
    }
  }

  private var cellTable: [[String]] {
    guard plan.grid.cells.count > 1 else { return [] }
    let places = Self.headline(plan.measures, tally)
    var rows = [["cell", "worlds", "pass"] + places.map { "p99 " + plan.measures[$0].name }]
    for (index, cell) in tally.cells.enumerated().prefix(Self.limit) {
      let share = cell.worlds > 0 ? MeasureText.text(Int64(cell.passes * 1_000_000 / cell.worlds), .share) : "–"
      rows.append(
        [plan.grid.name(of: index), String(cell.worlds), share]
          + places.map { place in
            let unit = plan.measures[place].unit
            return MeasureText.text(cell.measures[place].samples.quantile(permille: 990, step: unit.step), unit)
          })
    }
    if tally.cells.count > Self.limit { rows.append(["and \(tally.cells.count - Self.limit) more"]) }
    return rows
  }

  private var measureTable: [[String]] {
    var rows = [["measure", "samples", "p50", "p90", "p99", "worst", "in world"]]
    for (place, measure) in plan.measures.enumerated() {
      var all = Distribution()
      for cell in tally.cells { all.merge(cell.measures[place].samples) }
      guard all.count > 0 else { continue }
      let quantiles = [500, 900, 990].map {
        MeasureText.text(all.quantile(permille: $0, step: measure.unit.step), measure.unit)
      }
      let worst = tally.worst[place].first
      rows.append(
        [measure.name, String(all.count)] + quantiles
          + [MeasureText.text(worst?.value, measure.unit), worst.map { world($0.world) } ?? ""])
    }
    return rows
  }

  /// A world for people: its seed, where there is one cell.
  private func world(_ index: Int) -> String {
    let (cell, seed) = plan.grid.world(index)
    return plan.grid.cells.count > 1 ? "seed \(seed), \(plan.grid.name(of: cell))" : "seed \(seed)"
  }

  private var claimLines: [String] {
    var lines: [String] = []
    for (cell, cellTally) in tally.cells.enumerated() where cellTally.worlds > 0 {
      for (claim, result) in zip(plan.claims, plan.results(of: cellTally)) where claim != plan.claims.last || claim.text != "pass" {
        let name = plan.grid.cells.count > 1 ? " with " + plan.grid.name(of: cell) : ""
        lines.append("claim \(claim.text)\(name): \(word(result.verdict)), \(Self.detail(result))")
      }
    }
    return lines.isEmpty ? [""] : [""] + lines
  }

  static func detail(_ result: ClaimResult) -> String {
    let decided = result.tally.holds + result.tally.fails
    guard decided > 0 else { return "no world has a sample of it" }
    var text = "holds in \(result.tally.holds) of \(decided) worlds"
    if result.tally.unknown > 0 { text += ", unknown in \(result.tally.unknown)" }
    if let interval = result.interval {
      text += "; in \(MeasureText.percent(low: interval.low)) to \(MeasureText.percent(high: interval.high)) of all"
    }
    if result.verdict == .inconclusive, let needed = result.needed, decided < needed {
      text += "; it needs at least \(needed) worlds"
    }
    return text
  }

  private var causeLines: [String] {
    let causes = tally.causes.sorted { ($1.value.count, $0.value.first) < ($0.value.count, $1.value.first) }
    var lines: [String] = []
    for (text, cause) in causes.prefix(Self.limit) {
      lines.append("\(cause.count) × \(text)")
      if !cause.detail.isEmpty { lines.append("  smallest, \(world(cause.example)): \(cause.detail)") }
      lines.append("  " + Self.repeatLine(of: cause.example, plan))
    }
    if causes.count > Self.limit { lines.append("and \(causes.count - Self.limit) more causes") }
    return lines
  }

  private func word(_ verdict: Verdict) -> String { RunPrinter(paint: paint).word(verdict) }
}
