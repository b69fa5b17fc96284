import Judging

extension StressReport {
  /// `measures.csv`: a line for each measure of each cell.
  package func table() -> [UInt8] {
    var text = (["cell"] + plan.grid.keys + ["measure", "unit", "samples", "least"]).map(WorldRow.quoted)
      .joined(separator: ",")
    let quantiles = [100, 250, 500, 750, 900, 950, 990, 999]
    text += quantiles.map { ",p" + ($0 == 999 ? "99.9" : String($0 / 10)) }.joined() + ",greatest\n"
    for (number, cell) in tally.cells.enumerated() {
      for (place, measure) in plan.measures.enumerated() where cell.measures[place].samples.count > 0 {
        let samples = cell.measures[place].samples
        let figures = quantiles.map { samples.quantile(permille: $0, step: measure.unit.step) ?? 0 }
        let fields =
          [String(number)] + plan.grid.cells[number].values.map(WorldRow.quoted)
          + [measure.name, measure.unit.rawValue, String(samples.count), String(samples.least)]
        text += (fields + figures.map(String.init) + [String(samples.greatest)]).joined(separator: ",") + "\n"
      }
    }
    return Array(text.utf8)
  }

  /// `junit.xml`: a test case for each claim in each cell, and one for the comparison with a baseline.
  package func junit() -> [UInt8] {
    var cases = claims.map { cell, claim, result in
      var row = JUnitDocument.Case(name: name(of: claim, in: cell), classname: "babbench stress.\(plan.scenario)")
      let failing =
        claim.subject == .pass ? causes.map { "\($0.cause.count) × \($0.text): \(worldLine($0.cause.example))" } : []
      row.set(result.verdict, message: Self.detail(result), lines: [Self.detail(result)] + failing.prefix(20))
      return row
    }
    if let comparison {
      var row = JUnitDocument.Case(name: "not worse than \(baseline)", classname: "babbench stress.\(plan.scenario)")
      let lines = changeLines.filter(\.isWorse).map(\.text)
      row.set(comparison.isWorse ? .fail : .pass, message: lines.first ?? "", lines: lines)
      cases.append(row)
    }
    if missing > 0 || verdict == .none {
      var row = JUnitDocument.Case(name: "all worlds", classname: "babbench stress.\(plan.scenario)")
      let message = missing > 0 ? "\(missing) of \(plan.size) worlds are missing" : "no world was played"
      row.set(.inconclusive, message: message, lines: [])
      cases.append(row)
    }
    let properties = [
      (name: "worlds", value: String(tally.worlds)), (name: "digest", value: tally.digestText),
      (name: "repeat", value: repeatLine),
    ]
    let suite = JUnitDocument.Suite(
      name: "babbench stress \(plan.scenario)", time: "0", properties: properties, cases: cases)
    return JUnitDocument(name: "babbench stress", suites: [suite]).octets()
  }
}
