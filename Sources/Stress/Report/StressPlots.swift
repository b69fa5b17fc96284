import CaptureCheck
import SimKernel

/// What is drawn of a campaign.
enum StressPlots {
  /// Cells that have a line of their own.
  private static let lines = 8

  static func all(_ report: StressReport) -> [StatsPlot] {
    report.headline.filter { report.plan.measures[$0].unit == .time }.compactMap { cumulative(report, $0) }
      + report.headline.filter { report.plan.measures[$0].unit == .time }.compactMap { overKey(report, $0) }
  }

  /// The cumulative distribution of all samples, a line for each cell where there are few.
  private static func cumulative(_ report: StressReport, _ place: Int) -> StatsPlot? {
    let measure = report.plan.measures[place]
    let cells = report.tally.cells.map { $0.measures[place].samples }
    let parts: [(name: String, samples: Distribution)] =
      cells.count > 1 && cells.count <= lines
      ? cells.enumerated().map { (report.plan.grid.cells[$0].values.joined(separator: ", "), $1) }
      : [("all", report.samples(place))]
    return cumulative(
      measure, id: "cdf-" + measure.name, parts: parts, note: report.plan.grid.keys.joined(separator: ", "))
  }

  /// A line for each part that has at least two samples; nil: none has.
  /// - Parameter note: what the parts are; said where there are several.
  static func cumulative(
    _ measure: RunMeasure, id: String, parts: [(name: String, samples: Distribution)], note: String
  ) -> StatsPlot? {
    let drawn = parts.filter { $0.samples.count > 1 }
    guard let least = drawn.map(\.samples.least).min(), let most = drawn.map(\.samples.greatest).max() else {
      return nil
    }
    let count = drawn.map { Int($0.samples.count) }.reduce(0, +)
    return StatsPlot(
      id: id, title: measure.title.capitalizedFirst + ", cumulative",
      note: CountedNoun.text(count, "sample") + (drawn.count > 1 ? "; " + note : ""),
      x: .time("time (logarithmic)", max(1_000, least), most), y: .shares("share of samples"),
      series: drawn.map { StatsPlot.Series(name: $0.name, form: .line, points: points($0.samples, measure.unit)) })
  }

  private static func points(_ samples: Distribution, _ unit: RunMeasure.Unit) -> [(x: Int64, y: Int64)] {
    var seen: UInt64 = 0
    var points: [(x: Int64, y: Int64)] = [(samples.least, 0)]
    for bucket in samples.buckets {
      seen += bucket.count
      let value = Int64(clamping: bucket.value) * unit.step
      points.append((min(max(value, samples.least), samples.greatest), Int64(seen * 1_000 / samples.count)))
    }
    return points
  }

  /// How quantiles go with the only key that varies, its values side by side in their order.
  private static func overKey(_ report: StressReport, _ place: Int) -> StatsPlot? {
    guard report.plan.grid.keys.count == 1, report.tally.cells.count > 1 else { return nil }
    let measure = report.plan.measures[place]
    let values = report.plan.grid.cells.map { $0.values[0] }
    let order = numbers(values).map { numbers in values.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) } }
    let sorted = order ?? Array(values.indices)
    let places =
      numbers(values).map { numbers in sorted.map { numbers[$0] } } ?? sorted.indices.map { Int64($0) * 1_000 }
    let curves = [500, 900, 990].map { permille in
      zip(places, sorted).compactMap { x, cell in
        report.tally.cells[cell].measures[place].samples.quantile(permille: permille, step: measure.unit.step)
          .map { (x: x, y: $0 / 1_000) }
      }
    }
    let series = zip(["p50", "p90", "p99"], curves).map { name, points in
      StatsPlot.Series(name: name, form: .line, points: points, marks: points)
    }
    guard let most = curves.joined().map(\.y).max(), let low = places.first, let high = places.last, low < high
    else { return nil }
    let step = max(1, sorted.count / 8)
    let ticks = stride(from: 0, to: sorted.count, by: step).map { (value: places[$0], label: values[sorted[$0]]) }
    return StatsPlot(
      id: "key-" + measure.name, title: "\(measure.title.capitalizedFirst) by \(report.plan.grid.keys[0])",
      note: "of all samples of a cell",
      x: StatsPlot.Axis(title: report.plan.grid.keys[0], range: low...high, ticks: ticks),
      y: .linear("milliseconds", upTo: most, unit: 1_000) { String($0 / 1_000) }, series: series)
  }

  /// The values as thousandths where all are numbers with one unit.
  private static func numbers(_ values: [String]) -> [Int64]? {
    var units: [String] = []
    let numbers = values.compactMap { value -> Int64? in
      let digits = value.prefix { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") }
      guard let number = Double(digits) else { return nil }
      units.append(String(value.dropFirst(digits.count)))
      return Int64((number * 1_000).rounded())
    }
    return numbers.count == values.count && units.allSatisfy { $0 == units[0] } ? numbers : nil
  }
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
