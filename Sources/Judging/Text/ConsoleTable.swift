import SimKernel

/// Tables for a terminal: cells in one line each, columns side by side, verdicts in colour.
public enum ConsoleTable {
  /// Text from packets must not drive the terminal: control characters are shown as escapes.
  public static func oneLine(_ text: String) -> String { ShownText.oneLine(text) }

  package static func coloured(_ word: String) -> String {
    let colour =
      switch word {
      case Verdict.pass.name: "32"
      case Verdict.fail.name: "31"
      case Verdict.inconclusive.name: "33"
      case Verdict.error.name: "35"
      default: "0"
      }
    return "\u{1B}[\(colour)m\(word)\u{1B}[0m"
  }

  /// Columns two spaces apart; the last one is not padded. `style` may replace a cell after its width was taken.
  public static func table(
    _ rows: [[String]], rightAligned: [Int], style: (Int, String) -> String? = { _, _ in nil }
  ) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? oneLine($0[column]).count : 0 }.max() ?? 0
    }
    var text = ""
    for (number, row) in rows.enumerated() {
      var cells: [String] = []
      for (column, raw) in row.enumerated() {
        let cell = oneLine(raw)
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        let shown = number == 0 ? cell : style(column, cell) ?? cell
        let isLast = column == row.count - 1
        cells.append(rightAligned.contains(column) ? padding + shown : shown + (isLast ? "" : padding))
      }
      text += cells.joined(separator: "  ") + "\n"
    }
    return text
  }
}
