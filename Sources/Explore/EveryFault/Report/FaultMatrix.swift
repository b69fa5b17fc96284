import AppSeam
import Bench
import Judging
import SimKernel

/// The matrix as a picture: what happens at a place downwards, which fault hits whom across.
///
/// Two drawings side by side, so that the names of the rows stay where a narrow screen scrolls.
struct FaultMatrix {
  /// Rows of devices one by one; with more, devices of a role share a row.
  private static let mostRows = 120
  private static let cellWidth = 34
  private static let cellHeight = 20
  private static let headHeight = 104

  private struct Row {
    var name: String
    var cells: [FaultTally.Count]
  }

  private let rows: [Row]
  private let columns: [(kind: FaultKind, role: String)]

  init(_ report: EveryFaultReport) {
    let tally = report.tally
    let devices = report.plan.scenario.devices
    columns = tally.columns
    let isByRole = tally.rows.count > Self.mostRows
    var rows: [Row] = []
    for (index, row) in tally.rows.enumerated() {
      let who = isByRole ? CountedNoun.one(devices[row.device].role.rawValue) : devices[row.device].name
      let name = "\(who): \(row.kind.short)"
      let cells = Array(tally.cells[index * tally.columns.count..<(index + 1) * tally.columns.count])
      if let old = rows.firstIndex(where: { $0.name == name }) {
        for (place, cell) in cells.enumerated() {
          rows[old].cells[place].judged += cell.judged
          rows[old].cells[place].failed += cell.failed
        }
      } else {
        rows.append(Row(name: name, cells: cells))
      }
    }
    self.rows = rows
  }

  /// Whether there is anything to draw.
  var isEmpty: Bool { rows.isEmpty || columns.isEmpty }

  /// How bad a cell is: the share of its worlds that failed.
  enum Level: String, CaseIterable {
    case none, sound, few, some, many, most

    init(_ cell: FaultTally.Count) {
      let share = cell.judged == 0 ? 0 : cell.failed * 1_000 / cell.judged
      self =
        cell.judged == 0
        ? .none : cell.failed == 0 ? .sound : share <= 10 ? .few : share <= 100 ? .some : share <= 500 ? .many : .most
    }

    var title: String {
      switch self {
      case .none: "no world"
      case .sound: "nothing wrong"
      case .few: "up to 1 % failed"
      case .some: "up to 10 %"
      case .many: "up to half"
      case .most: "more than half"
      }
    }
  }

  var html: String {
    """
    <div class="matrix"><div class="side">\(side)</div><div class="wide">\(field)</div></div>
    <p class="legend">\(Level.allCases.map { "<span><i class=\"box \($0.rawValue)\"></i>\($0.title)</span>" }
      .joined())</p>
    """
  }

  private var height: Int { Self.headHeight + rows.count * Self.cellHeight + 4 }

  private var side: String {
    let width = 14 + (rows.map(\.name.count).max() ?? 0) * 68 / 10
    var svg = Self.begin(width: width, height: height, title: "What happens at a place")
    for (index, row) in rows.enumerated() {
      let y = Self.headHeight + index * Self.cellHeight + 14
      svg += "<text x=\"\(width - 8)\" y=\"\(y)\" text-anchor=\"end\">\(PageText.escaped(row.name))</text>"
    }
    return svg + "</svg>"
  }

  private var field: String {
    // The names of columns lean to the right.
    let width = columns.count * Self.cellWidth + 80
    var svg = Self.begin(width: width, height: height, title: "Worlds by place and fault")
    for (index, column) in columns.enumerated() {
      let (x, y) = (index * Self.cellWidth + Self.cellWidth / 2, Self.headHeight - 8)
      let name = PageText.escaped("\(column.kind.short), \(column.role)")
      svg += "<text transform=\"translate(\(x) \(y)) rotate(-52)\">\(name)</text>"
    }
    for (line, row) in rows.enumerated() {
      for (place, cell) in row.cells.enumerated() { svg += drawing(of: cell, row, line, place) }
    }
    return svg + "</svg>"
  }

  private func drawing(of cell: FaultTally.Count, _ row: Row, _ line: Int, _ place: Int) -> String {
    let (x, y) = (place * Self.cellWidth, Self.headHeight + line * Self.cellHeight)
    let column = columns[place]
    let title = PageText.escaped(
      "\(row.name); \(CountedNoun.one(column.role)) \(column.kind.title): \(cell.failed) of \(cell.judged) worlds failed"
    )
    var svg = "<g class=\"\(Level(cell).rawValue)\"><title>\(title)</title>"
    svg +=
      "<rect x=\"\(x + 1)\" y=\"\(y + 1)\" width=\"\(Self.cellWidth - 2)\" height=\"\(Self.cellHeight - 2)\" rx=\"3\"/>"
    if cell.failed > 0 {
      let text = cell.failed < 10_000 ? String(cell.failed) : "\(cell.failed / 1_000)k"
      svg += "<text x=\"\(x + Self.cellWidth / 2)\" y=\"\(y + 14)\" text-anchor=\"middle\">\(text)</text>"
    }
    return svg + "</g>"
  }

  private static func begin(width: Int, height: Int, title: String) -> String {
    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width)\" height=\"\(height)\""
      + " viewBox=\"0 0 \(width) \(height)\" role=\"img\" aria-label=\"\(title)\">"
  }

  static let style = """
    .matrix{display:flex;align-items:flex-start;font-size:12px}.matrix .side{flex:none;max-width:56%;overflow-x:auto}
    .matrix .wide{flex:1;min-width:0}.matrix svg{display:block}.matrix text{fill:var(--ink);font-size:12px}
    .matrix g text{font-size:11px;font-weight:600}
    .matrix .none rect{fill:none;stroke:var(--line)}.matrix .sound rect{fill:var(--goodbg)}
    .matrix .few rect{fill:var(--maybebg)}.matrix .some rect{fill:var(--oddbg)}.matrix .many rect{fill:var(--badbg)}
    .matrix .most rect{fill:var(--bad)}.matrix .most text{fill:var(--paper)}
    .box{display:inline-block;width:1em;height:1em;border-radius:3px;margin-right:.4em;vertical-align:-.1em}
    .box.none{box-shadow:inset 0 0 0 1px var(--line)}.box.sound{background:var(--goodbg)}
    .box.few{background:var(--maybebg)}.box.some{background:var(--oddbg)}.box.many{background:var(--badbg)}
    .box.most{background:var(--bad)}
    @media(max-width:640px){.matrix text{font-size:11px}}
    @media print{.matrix .side,.matrix .wide{overflow:visible}}

    """
}
