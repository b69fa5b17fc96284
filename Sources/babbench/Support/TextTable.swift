/// Rows under a heading, columns as wide as they need to be.
struct TextTable {
  enum Alignment { case left, right }

  private var columns: [Alignment]
  private var rows: [[String]]

  init(_ heading: [(title: String, alignment: Alignment)]) {
    columns = heading.map(\.alignment)
    rows = [heading.map(\.title)]
  }

  /// - Precondition: as many cells as the heading has.
  mutating func add(_ cells: [String]) {
    precondition(cells.count == columns.count, "a row has as many cells as the heading")
    rows.append(cells)
  }

  /// The lines, heading first, without blanks at their ends.
  var lines: [String] {
    let widths = columns.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      var line = ""
      for (column, cell) in row.enumerated() {
        if column > 0 { line += "  " }
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        line += columns[column] == .left ? cell + padding : padding + cell
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}
