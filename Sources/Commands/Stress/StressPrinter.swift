import Campaigns
import Judging
import SimKernel
import Stress

/// Lays a campaign out for a person at a terminal.
struct StressPrinter {
  let report: StressReport
  let paint: Paint

  /// Causes and cells that are listed here; the files have all.
  private static let limit = 20

  private var plan: StressPlan { report.plan }
  private var tally: CampaignTally { report.tally }

  var text: String {
    var lines = [heading]
    lines += counts + table(cellTable) + table(measureTable) + claimLines + causeLines + changeLines
    if let limit = report.limitLine { lines.append(limit) }
    lines.append("verdict " + word(report.verdict))
    lines.append("digest " + tally.digestText)
    lines.append("repeat " + report.repeatLine)
    return lines.joined(separator: "\n")
  }

  private var heading: String {
    var text = "scenario \(plan.scenario): seeds \(plan.grid.seedText)"
    if plan.grid.cells.count > 1 { text += " in \(plan.grid.cells.count) cells" }
    if plan.shard != .all { text += ", shard \(plan.shard)" }
    return text
  }

  private var counts: [String] {
    var text = CountedNoun.text(tally.worlds, "world")
    for verdict in Verdict.allCases where tally.count(verdict) > 0 {
      text += ", \(tally.count(verdict)) \(verdict.name)"
    }
    var lines = [text]
    if report.skipped > 0 {
      lines.append("\(CountedNoun.text(report.skipped, "world")) not needed: the claims of their cells were decided")
    }
    if report.missing > 0 { lines.append("\(report.missing) of \(plan.size) worlds are missing") }
    return lines
  }

  private func table(_ rows: [[String]]) -> [String] {
    if rows.count < 2 { return [] }
    let text = ConsoleTable.table(rows, rightAligned: Array(1..<rows[0].count))
    return [""] + text.split(separator: "\n").map(String.init)
  }

  private var cellTable: [[String]] {
    guard plan.grid.cells.count > 1 else { return [] }
    let places = report.headline
    var rows = [["cell", "worlds", "pass"] + places.map { "p99 " + plan.measures[$0].name }]
    for (index, cell) in tally.cells.enumerated().prefix(Self.limit) {
      rows.append(
        [plan.grid.name(of: index), String(cell.worlds), MeasureText.text(cell.passShare, .share)]
          + places.map { MeasureText.quantile(990, of: cell.measures[$0].samples, plan.measures[$0].unit) })
    }
    if tally.cells.count > Self.limit { rows.append(["and \(tally.cells.count - Self.limit) more"]) }
    return rows
  }

  private var measureTable: [[String]] {
    var rows = [["measure", "samples", "p50", "p90", "p99", "worst", "in world"]]
    for (place, measure) in plan.measures.enumerated() {
      let all = report.samples(place)
      guard all.count > 0 else { continue }
      let quantiles = [500, 900, 990].map { MeasureText.quantile($0, of: all, measure.unit) }
      let worst = tally.worst[place].first
      rows.append(
        [measure.name, String(all.count)] + quantiles
          + [MeasureText.text(worst?.value, measure.unit), worst.map { report.name(ofWorld: $0.world) } ?? ""])
    }
    return rows
  }

  private var claimLines: [String] {
    [""]
      + report.claims.map { cell, claim, result in
        "claim \(report.name(of: claim, in: cell)): \(word(result.verdict)), \(StressReport.detail(result))"
      }
  }

  private var causeLines: [String] {
    let causes = report.causes
    var lines: [String] = []
    for (text, cause) in causes.prefix(Self.limit) {
      lines.append("\(cause.count) × \(text)")
      if let reason = report.reasons[cause.example] {
        lines.append("  \(report.name(ofWorld: cause.example)), known: \(reason)")
      }
      if !cause.detail.isEmpty { lines.append("  smallest, \(report.name(ofWorld: cause.example)): \(cause.detail)") }
      lines.append("  " + report.worldLine(cause.example))
    }
    if causes.count > Self.limit { lines.append("and \(causes.count - Self.limit) more causes") }
    return lines
  }

  private var changeLines: [String] {
    guard let comparison = report.comparison else { return [] }
    let lines = report.changeLines
    return [
      "compared with \(report.baseline): \(CountedNoun.text(comparison.worlds, "world")), \(comparison.different) went differently, "
        + (lines.isEmpty ? "no change beyond chance" : CountedNoun.text(lines.count, "change") + " beyond chance")
    ] + lines.map { ($0.isWorse ? paint("worse ", .red) : paint("better ", .green)) + $0.text }
  }

  private func word(_ verdict: Verdict) -> String { RunPrinter(paint: paint).word(verdict) }
}
