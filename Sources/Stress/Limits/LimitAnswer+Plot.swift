package import CaptureCheck
import Conformance

extension LimitAnswer {
  /// The share of worlds in which the claim holds by the value, with its interval.
  package var plot: StatsPlot? {
    let rows = rows.filter { $0.result.interval != nil }
    guard let search = plan.search, let share = plan.claims.first?.share, rows.count > 1 else { return nil }
    func points(_ value: (ClaimResult) -> Double) -> [(x: Int64, y: Int64)] {
      rows.map { ($0.value, Int64((value($0.result) * 1_000).rounded())) }
    }
    func found(_ result: ClaimResult) -> Double {
      Double(result.tally.holds) / Double(max(1, result.tally.holds + result.tally.fails))
    }
    let (low, high) = (search.range.low, search.range.high)
    let ticks = (0...4).map { low + (high - low) * $0 / 4 }.map { (value: $0, label: search.setting($0)) }
    return StatsPlot(
      id: question.name, title: question.title, note: question.claim,
      x: StatsPlot.Axis(title: search.key, range: low...high, ticks: ticks),
      y: .shares("share of worlds"),
      series: [
        StatsPlot.Series(name: "in the worlds played", form: .line, points: points(found), marks: points(found)),
        StatsPlot.Series(name: "at least, of all", form: .line, points: points { $0.interval?.low ?? 0 }),
        StatsPlot.Series(name: "at most, of all", form: .line, points: points { $0.interval?.high ?? 1 }),
        StatsPlot.Series(
          name: "wanted", form: .line, points: [low, high].map { ($0, Int64(share) / 1_000) }),
      ])
  }
}
