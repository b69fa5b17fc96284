import CaptureCheck
package import Conformance
import Judging

/// The figures of a protocol as one Markdown page with plots: the same octets for the same answers.
package enum FigurePage {
  /// - Parameters:
  ///   - app: whose figures they are.
  ///   - introduction: a paragraph.
  ///   - answers: of all questions.
  ///   - comparisons: all of them.
  package static func text(
    of app: AppProtocol, _ introduction: String, _ answers: [FigureAnswer], _ comparisons: [FeatureAnswer]
  ) -> String {
    let worlds =
      answers.flatMap(\.tallies).reduce(0) { $0 + $1.worlds }
      + comparisons.flatMap(\.cells).joined().reduce(0) { $0 + $1.worlds }
    var lines = [
      "# Figures of \(app.title)", "",
      "Written by `babbench figures --write Docs`, from \(worlds) worlds; the same build gives the same page. Each sample"
        + " is as [measures.md](measures.md) defines it; a quantile is at most one hundredth too large. The figures are"
        + " about the phones, rooms and engines of this bench ([Fidelity.md](Fidelity.md)), and about nothing else.",
      "", introduction, "",
    ]
    for answer in answers { lines += section(answer, of: app) }
    for comparison in comparisons { lines += section(comparison) }
    return lines.joined(separator: "\n")
  }

  /// The page of a protocol.
  package static func file(of app: AppProtocol) -> String { app.name + ".md" }

  /// A picture beside it.
  package static func figureFile(_ name: String, of app: AppProtocol) -> String { app.name + "-" + name }

  private static func section(_ answer: FigureAnswer, of app: AppProtocol) -> [String] {
    let question = answer.question
    var lines = ["## \(question.title)", "", question.text, ""]
    lines += ["```"] + question.ways.map { Shell.line(["babbench"] + question.words($0)) } + ["```", ""]
    lines += table(answer.table, numbers: 2)
    let passes = zip(question.ways, answer.tallies).map { way, tally in
      "\(way.name) \(tally.count(.pass)) of \(tally.worlds)"
    }
    lines += ["", "Worlds that pass: " + passes.joined(separator: ", ") + ".", ""]
    for (file, title, _) in answer.plots { lines += ["![\(title)](\(figureFile(file, of: app)))", ""] }
    return lines
  }

  private static func section(_ answer: FeatureAnswer) -> [String] {
    let comparison = answer.comparison
    var lines = ["## \(comparison.title)", "", comparison.text, ""]
    if let feature = comparison.features.first, let way = comparison.ways.last {
      lines += ["```", Shell.line(["babbench"] + comparison.words(feature, way)), "```", ""]
    }
    return lines + table(answer.table, numbers: answer.table[0].count) + [""]
  }

  /// - Parameter numbers: the column from which on they are at the right.
  private static func table(_ rows: [[String]], numbers: Int) -> [String] {
    func line(_ cells: [String]) -> String {
      "| " + cells.map { $0.replacing("|", with: "\\|").replacing("<", with: "&lt;") }.joined(separator: " | ") + " |"
    }
    let rule = rows[0].indices.map { $0 < numbers ? "---" : "---:" }
    return [line(rows[0]), "|" + rule.joined(separator: "|") + "|"] + rows.dropFirst().map(line)
  }
}
