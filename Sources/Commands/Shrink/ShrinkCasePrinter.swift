import AppSeam
import Campaigns
import Conformance
import Judging
import Shrink
import SimKernel

/// Lays out for a person how a case was made smaller.
struct ShrinkCasePrinter {
  var paint: Paint

  /// What fails, before anything is tried.
  func opening(_ result: CaseResult, on engine: String) -> String {
    ["case \(result.id.purpose) \(result.id.dialect.rawValue) seed \(result.id.seed) on \(engine)", reason(result)]
      .joined(separator: "\n")
  }

  func progress(_ shrinker: CaseShrinker) -> String {
    "\(CountedNoun.text(shrinker.executions, "run")): \(CountedNoun.text(shrinker.current.givenStimuli.count, "step"))"
  }

  func closing(_ result: CaseShrinkResult, repeatLine: String) -> String {
    let cut = result.last.id.cut
    var lines = [
      result.hasControl
        ? "control: the reference passes, and passes the smaller case too"
        : paint("no control", .yellow) + ": the reference does not pass this case"
    ]
    if result.peersAfter < result.peersBefore {
      lines.append("left out peers: \(result.peersBefore) → \(result.peersAfter)")
    }
    for part in StageCut.Part.allCases.filter(cut.plain.contains) {
      lines.append("left out \(part.rawValue) of the case: \(part.rawValue)=\(part.plain)")
    }
    lines += result.leftOut.sorted { $0.key < $1.key }.map { "left out step \($0.key) “\(one($0.value))”" }
    lines += result.needs.map { need in
      let number = need.stimulus.map { "step \($0) " } ?? ""
      return paint("needed", .bold) + " \(number)\(one(need.what)): \(one(need.words))"
    }
    lines.append("steps of the smallest case")
    lines += result.last.steps.map { "  \($0.instant.short)  \(one($0.text))" }
    let (before, after) = (result.first, result.last)
    lines.append(
      "size: \(result.peersBefore) → \(CountedNoun.text(result.peersAfter, "peer")), \(before.givenStimuli.count) →"
        + " \(CountedNoun.text(after.givenStimuli.count, "step")),"
        + " \(before.endInstant.short) → \(after.endInstant.short) s")
    lines.append(
      "\(CountedNoun.text(result.executions, "run")); "
        + (result.isSmallest
          ? "nothing more can be left out" : paint("stopped before nothing more could be left out", .yellow)))
    lines.append(reason(after))
    if !result.isRepeatable {
      lines.append(paint("not repeatable", .yellow) + ": played once more, the implementation did something else")
    }
    lines.append("digest \(after.digest.hexadecimal)")
    lines.append("repeat \(repeatLine)")
    return lines.joined(separator: "\n")
  }

  private func reason(_ result: CaseResult) -> String {
    guard let finding = result.finding else { return "reason: none" }
    let cause = result.cause.map(\.text).flatMap { $0.isEmpty ? nil : " (it \($0))" } ?? ""
    return "reason: \(result.isBlocked ? "blocked" : result.verdict.name), \(finding.clause)\(cause): expected"
      + " \(one(finding.expected)); saw \(one(finding.actual))"
  }

  private func one(_ text: String) -> String { ConsoleTable.oneLine(text) }
}
