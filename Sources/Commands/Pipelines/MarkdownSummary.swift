import Campaigns
import Judging
import SimKernel

/// A page in Markdown for a person who looks at a job: what to fix first, and the lines that repeat it.
struct MarkdownSummary {
  /// Longer pages are cut by those who show them.
  private static let shown = 20

  let report: PipelineReport

  var text: String {
    let sign = report.isGreen ? "✅" : "❌"
    var lines = ["## \(sign) babbench \(words(report.title)): \(words(report.verdict))", ""]
    if !report.facts.isEmpty { lines += [report.facts.map(words).joined(separator: ", "), ""] }
    if !report.problems.isEmpty {
      lines += ["| what to fix first | how much |", "|---|---|"]
      for problem in report.problems.prefix(Self.shown) {
        lines.append("| \(words(problem.title))\(problem.isKnown ? " (known)" : "") | \(words(problem.extent)) |")
      }
      lines.append("")
      for problem in report.problems.prefix(Self.shown) { lines += details(problem) }
      if report.problems.count > Self.shown {
        lines += ["\(report.problems.count - Self.shown) more causes are in the report.", ""]
      }
    }
    if !report.remarks.isEmpty { lines += report.remarks.prefix(Self.shown).map { "- " + words($0) } + [""] }
    if report.remarks.count > Self.shown {
      lines += ["\(report.remarks.count - Self.shown) more lines are in the report.", ""]
    }
    lines += ["Repeat it:", "", code(report.repeatLine), "", ""]
    return lines.joined(separator: "\n")
  }

  private func details(_ problem: PipelineReport.Problem) -> [String] {
    ["<details><summary>\(words(problem.title))</summary>", ""]
      + problem.details.map { "- " + words($0) }
      + [
        "", code(([problem.repeatLine] + (problem.why.map { [$0] } ?? [])).joined(separator: "\n")), "", "</details>",
        "",
      ]
  }

  /// A block of lines to type.
  private func code(_ text: String) -> String {
    // What somebody else has named must not end the block.
    let fence = text.contains("```") ? "~~~~" : "```"
    return "\(fence)sh\n\(ShownText.lines(text))\n\(fence)"
  }

  /// Text of others as text, in a cell of a table too.
  private func words(_ text: String) -> String {
    var result = ""
    for character in ShownText.oneLine(text) {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "|", "\\", "`", "*", "_", "[", "]", "#", "~": result += "\\" + String(character)
      default: result.append(character)
      }
    }
    return result
  }
}
