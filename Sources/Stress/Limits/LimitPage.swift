import Conformance
import Judging

/// The limits of a protocol's scenarios as one Markdown page with plots: the same octets for the same answers.
package enum LimitPage {
  /// - Parameter answers: of all questions; the pictures of `figureFile` are beside the page.
  package static func text(_ answers: [LimitAnswer]) -> String {
    var lines = [
      "# Limits", "",
      "Written by `babbench limits --write Docs`, from \(answers.reduce(0) { $0 + $1.worlds }) worlds. For each question it"
        + " looks, by bisection, for the value at which a claim ceases to hold.",
      "“Holds up to” is the last value at which these worlds prove it, “fails from” the first at which they prove the"
        + " opposite, each with 95 % certainty for all looks together (exact intervals of Clopper and Pearson); what"
        + " lies between is too close to the limit for this number of worlds.",
      "The same build gives the same page. It is about the phones, rooms and engines of this bench"
        + " ([Fidelity.md](Fidelity.md)), and about nothing else: what a real phone does has to be measured"
        + " ([stats.md](stats.md), `babbench calibrate`).", "",
      "| question | claim | holds up to | fails from | worlds |", "|---|---|---:|---:|---:|",
    ]
    for answer in answers {
      let limit = answer.limit
      lines.append(
        "| [\(answer.question.title)](#\(answer.question.name)) | \(claim(answer)) | \(limit.holds) | \(limit.fails) |"
          + " \(answer.worlds) |")
    }
    for answer in answers { lines += section(answer) }
    return lines.joined(separator: "\n") + "\n"
  }

  package static func figureFile(_ answer: LimitAnswer) -> String { "limits-\(answer.question.name).svg" }

  /// The cells of a table of answers, its header first: for terminals.
  package static func cells(_ answers: [LimitAnswer]) -> [[String]] {
    [["question", "claim", "holds up to", "fails from", "worlds"]]
      + answers.map {
        [$0.question.name, $0.question.claim, $0.limit.holds, $0.limit.fails, String($0.worlds)]
      }
  }

  private static func claim(_ answer: LimitAnswer) -> String {
    answer.question.claim.replacing("<", with: "&lt;").replacing("|", with: "\\|")
  }

  private static func section(_ answer: LimitAnswer) -> [String] {
    let question = answer.question
    let measure = answer.measure
    var lines = [
      "", "## \(question.name)", "", "\(question.title): \(answer.range) of `\(answer.plan.search?.key ?? "")`.", "",
      "```", Shell.line(["babbench"] + question.words), "```", "",
    ]
    if let bracket = question.bracket {
      let word = answer.isWhereExpected.map { $0 ? "it is" : "it is not" } ?? "it is not known"
      lines += ["\(bracket.reason) So the limit is between \(bracket.low) and \(bracket.high): \(word).", ""]
    }
    var heading = ["value", "worlds", "claim holds in", "of all worlds", "verdict pass"]
    if let measure { heading += ["p50 \(measure.measure.name)", "p99 \(measure.measure.name)"] }
    lines.append("| " + heading.joined(separator: " | ") + " |")
    lines.append("|" + String(repeating: "---:|", count: heading.count))
    for row in answer.rows {
      var cells = [
        row.text, String(row.cell.worlds), String(row.result.tally.holds),
        row.result.interval.map {
          "\(MeasureText.percent(low: $0.low)) … \(MeasureText.percent(high: $0.high))"
        } ?? "–", String(row.cell.passes),
      ]
      if let (place, measure) = measure {
        cells += [500, 990].map { permille in
          let samples = row.cell.measures[place].samples
          return MeasureText.text(samples.quantile(permille: permille, step: measure.unit.step), measure.unit)
        }
      }
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines + ["", "![\(question.title)](\(figureFile(answer)))"]
  }
}
