import Judging
import SimKernel

/// `worlds.csv`: a line for each world.
package enum WorldRow {
  /// The figures of each measure that a line has.
  private static let figures = ["count", "mean", "median", "p99", "worst"]

  package static func heading(_ plan: StressPlan) -> String {
    let names = ["world"] + plan.grid.keys + ["seed", "verdict", "digest", "queueEvents", "cause"]
    return (names + plan.measures.flatMap { measure in figures.map { "\(measure.name).\($0)" } })
      .map(quoted).joined(separator: ",") + "\n"
  }

  package static func text(_ result: WorldResult, _ plan: StressPlan) -> String {
    let (cell, seed) = plan.grid.world(result.index)
    var fields = [String(result.index)] + plan.grid.cells[cell].values.map(quoted)
    fields += [
      String(seed), result.verdict.name, result.digest?.hexadecimal ?? "", String(result.queueEvents),
      quoted(result.causes.first ?? ""),
    ]
    for (place, measure) in plan.measures.enumerated() {
      guard let known = result.figures[place] else {
        fields += ["0", "", "", "", ""]
        continue
      }
      let worst = measure.isBetterWhenLess ? known.greatest : known.least
      fields += [known.mean, known.median, known.p99, worst].reduce(into: [String(known.count)]) {
        $0.append(String($1))
      }
    }
    return fields.joined(separator: ",") + "\n"
  }

  /// RFC 4180: fields with commas or quotation marks are put in quotation marks. A line is a world, so ends of lines
  /// become blanks.
  static func quoted(_ text: String) -> String {
    let text = String(text.map { $0.isNewline ? " " : $0 })
    guard text.contains(where: { $0 == "," || $0 == "\"" }) else { return text }
    return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
