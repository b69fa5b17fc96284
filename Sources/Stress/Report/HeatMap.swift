import Judging

/// Two keys that vary as a table with a colour for each cell: light is good, dark is bad.
struct HeatMap {
  let title: String
  /// Values of the second key.
  let columns: [String]
  let rows: [(name: String, cells: [(text: String, level: Int, name: String)])]
  let keys: [String]

  /// Nil where the cells are not all combinations of two keys.
  static func all(_ report: StressReport) -> [HeatMap] {
    let grid = report.plan.grid
    guard grid.keys.count == 2 else { return [] }
    let (down, across) = (grid.cells.map { $0.values[0] }.distinct, grid.cells.map { $0.values[1] }.distinct)
    guard down.count * across.count == grid.cells.count, grid.cells.count > 1 else { return [] }
    let passes = HeatMap(report, "Worlds that pass", down, across) { cell in
      cell.passShare.map { (MeasureText.text($0, .share), 1_000_000 - $0) }
    }
    let times = report.headline.map { place in
      let measure = report.plan.measures[place]
      return HeatMap(report, "p99 " + measure.name, down, across) { cell in
        cell.measures[place].samples.quantile(permille: 990, step: measure.unit.step)
          .map { (MeasureText.text($0, measure.unit), $0) }
      }
    }
    return [passes] + times
  }

  private init(
    _ report: StressReport, _ title: String, _ down: [String], _ across: [String],
    figure: (CellTally) -> (text: String, badness: Int64)?
  ) {
    self.title = title
    keys = report.plan.grid.keys
    columns = across
    let figures = report.tally.cells.map(figure)
    let known = figures.compactMap { $0?.badness }
    let (least, most) = (known.min() ?? 0, known.max() ?? 0)
    rows = down.enumerated().map { line, name in
      let cells = across.indices.map { column in
        let index = line * across.count + column
        let level = figures[index].map { most > least ? Int(($0.badness - least) * 100 / (most - least)) : 0 }
        return (figures[index]?.text ?? "–", level ?? 0, report.plan.grid.name(of: index))
      }
      return (name, cells)
    }
  }
}

extension Array where Element: Equatable {
  /// Each once, in the order of the first.
  fileprivate var distinct: [Element] { reduce(into: []) { if !$0.contains($1) { $0.append($1) } } }
}
