import Foundation

/// The table of `Docs/bug-bench.md`.
struct BugTable {
  let rows: [(Defect, [Hunter: Summary])]
  let seconds: Double
  let seeds: Int
  /// After `BugBench table`.
  let words: [String]

  static let begin = "<!-- table: begin -->"
  static let end = "<!-- table: end -->"

  private static let heading = """
    | defect | what is wrong | shows | ours | executions | CPU s | random octets | plain |
    |---|---|---|---|---|---|---|---|

    """

  /// One line of the table.
  static func line(_ defect: Defect, _ summaries: [Hunter: Summary]) -> String {
    guard let ours = summaries[.ours] else { return "" }
    let what = defect.summary + (defect.seen.map { " (\($0))" } ?? "")
    let others = [Hunter.random, .plain].map { beside(ours, summaries[$0]) }
    let cells =
      ["`\(defect.id)`", what, defect.shows, "\(ours.found)/\(ours.count)", count(ours), time(ours)] + others
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private static func count(_ summary: Summary) -> String { (summary.isFound ? "" : "> ") + String(summary.executions) }

  private static func time(_ summary: Summary) -> String {
    (summary.isFound ? "" : "> ") + String(format: "%.2f", summary.seconds)
  }

  /// How many found it, and their CPU time in multiples of the first hunter's.
  private static func beside(_ ours: Summary, _ other: Summary?) -> String {
    guard let other else { return "" }
    let share = "\(other.found)/\(other.count)"
    if !ours.isFound { return share }
    let executions = Double(other.executions) / Double(max(1, ours.executions))
    let bound = other.isFound ? "" : "> "
    return "\(share), \(bound)\(figure(executions)) × executions, \(bound)\(figure(other.seconds / ours.seconds)) × CPU"
  }

  private static func figure(_ value: Double) -> String {
    value >= 10 ? String(Int(value.rounded())) : String(format: "%.1f", value)
  }

  var totals: String {
    let shares = Hunter.allCases.map { hunter in
      "\(hunter.rawValue) \(rows.count { $0.1[hunter]?.isFound ?? false })"
    }
    return "found with most seeds, of \(rows.count): " + shares.joined(separator: ", ")
  }

  /// Puts the table into the page.
  func write() throws {
    var text = ""
    for kind in Defect.Kind.allCases {
      let mine = rows.filter { $0.0.kind == kind }
      if mine.isEmpty { continue }
      text += "### \(kind.rawValue)s\n\n\(Self.heading)"
      text += mine.map { Self.line($0.0, $0.1) + "\n" }.joined() + "\n"
    }
    let page = try String(contentsOf: Places.page, encoding: .utf8)
    guard let begin = page.range(of: Self.begin), let end = page.range(of: Self.end) else { return }
    let command = (["BugBench", "table"] + words).joined(separator: " ")
    let table = "\(Self.begin)\n`\(command)`: \(totals).\n\n\(text)\(Self.end)"
    try page.replacingCharacters(in: begin.lowerBound..<end.upperBound, with: table)
      .write(to: Places.page, atomically: true, encoding: .utf8)
  }
}
