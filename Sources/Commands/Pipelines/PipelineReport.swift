import AppSeam
import Bench
import Campaigns
import Conformance
import Foundation
import Judging
import RunReports
import SimKernel

/// A run as people and servers of CI want to see it: what is wrong, each cause once, and what repeats it.
struct PipelineReport {
  /// One cause.
  struct Problem {
    /// In one line.
    var title: String
    /// How much of the run it concerns: “9 fail, 370 blocked”.
    var extent: String
    /// What was expected, what was seen; a line each.
    var details: [String] = []
    /// The file that a person would open; nil: there is none.
    var file: String?
    var line: Int?
    /// The command that plays it alone.
    var repeatLine: String
    /// The command that shows what led to it.
    var why: String?
    /// It does not make the run fail.
    var isKnown = false
  }

  /// More annotations of one step are not shown by GitHub.
  static let annotationLimit = 10

  /// What was run: “conform my-host”.
  var title: String
  /// The word of the verdict.
  var verdict: String
  var isGreen: Bool
  /// How much there was of what.
  var facts: [String]
  var problems: [Problem]
  /// What else is to be said, a line each.
  var remarks: [String] = []
  var repeatLine: String

  /// Lines of GitHub's workflow commands: an error for what makes the run fail, else a warning.
  var annotations: [String] {
    var lines = problems.prefix(Self.annotationLimit).map { problem in
      var properties = ["title=" + Self.property(problem.title)]
      if let file = problem.file {
        properties.insert("file=" + Self.property(file), at: 0)
        properties.insert("line=\(problem.line ?? 1)", at: 1)
      }
      let text = ([problem.extent] + problem.details + ["repeat: " + problem.repeatLine]).joined(separator: "\n")
      let word = problem.isKnown || isGreen ? "warning" : "error"
      return "::\(word) \(properties.joined(separator: ","))::" + Self.message(text)
    }
    if problems.count > Self.annotationLimit {
      lines.append(
        "::notice::" + Self.message("\(problems.count - Self.annotationLimit) more causes are in the report"))
    }
    return lines
  }

  /// An array of issues, as GitLab reads it; the same cause has the same fingerprint in every run.
  var codeQuality: [UInt8] {
    var text = JSONText(isIndented: true)
    text.beginArray()
    for problem in problems {
      text.beginObject()
      text.member("description", Self.plain(problem.title) + ": " + Self.plain(problem.extent))
      text.member("check_name", "babbench")
      text.member("fingerprint", Self.fingerprint([title, problem.title, problem.file ?? ""]))
      text.member("severity", problem.isKnown || isGreen ? "info" : "major")
      text.key("location")
      text.beginObject()
      // The format knows no issue without a file.
      text.member("path", problem.file ?? "babbench")
      text.key("lines")
      text.beginObject()
      text.member("begin", problem.line ?? 1)
      text.endObject()
      text.endObject()
      text.endObject()
    }
    text.endArray()
    text.endLine()
    return text.octets
  }

  private static func fingerprint(_ words: [String]) -> String {
    var digest = TraceDigest()
    for word in words { digest.combine(text: word) }
    return digest.hexadecimal
  }

  private static func plain(_ text: String) -> String { ShownText.oneLine(text) }

  private static func message(_ text: String) -> String {
    ShownText.lines(text).replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    message(ShownText.oneLine(text)).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}

// MARK: Runs of the suite

extension PipelineReport {
  /// - Parameter files: the descriptions, in the order of the implementations; none where nobody knows them.
  init(_ run: SuiteRun, files: [String]) {
    let names = run.implementations.map(\.name)
    title = "conform " + names.joined(separator: ", ")
    verdict =
      run.failsOnRegressionsOnly
      ? "\((run.regressionVerdict ?? run.verdict).name) on regressions alone, verdict \(run.verdict.name)"
      : run.verdict.name
    isGreen = run.exitCode == .pass
    facts = run.tally.rows.filter { $0.count > 0 }.map { "\($0.count) \($0.assessment.words)" }
    repeatLine = run.repeatLine
    problems = run.causes.map { cause in
      let first = run.cases[cause.cases[0]]
      let isCase = cause.cases.count == 1 && cause.cause.text.isEmpty
      let name = names.count > 1 ? names[cause.implementation] + ": " : ""
      let file = files.indices.contains(cause.implementation) ? files[cause.implementation] : nil
      var problem = Problem(
        title: name + (isCase ? "\(first.purpose.id): \(first.purpose.purpose)" : run.title(of: cause)),
        extent: run.tally(of: cause), repeatLine: first.repeatLine)
      problem.file = file.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
      problem.details = ["first: \(first.purpose.id) \(first.result.id.dialect.rawValue)"]
      if let finding = first.result.finding {
        problem.details += ["expected: \(finding.expected)", "saw: \(finding.actual)"]
      }
      problem.isKnown = cause.cases.allSatisfy { run.isExcused(run.cases[$0]) }
      return problem
    }
    if let comparison = run.comparison {
      remarks += comparison.regressions.map { "regression: \($0.key.text): was \($0.was.words), is \($0.now.words)" }
      remarks += comparison.repairs.map { "repair: \($0.key.text): was \($0.was.words), is \($0.now.words)" }
      remarks.append("\(comparison.new.count) new, \(comparison.vanished.count) vanished since the baseline")
    }
    if run.notRun > 0 { remarks.append("\(run.notRun) of \(run.planned) cases were not begun") }
  }
}

// MARK: Runs of scenarios

extension PipelineReport {
  init(_ report: RunReport, _ scenario: Scenario, _ plan: RunPlan, seed: UInt64) {
    let repeatLine = plan.repeatLine(seed: seed)
    let app = protocols.spoken(in: scenario)
    title = "run \(scenario.name), seed \(seed)"
    verdict = report.verdict.name
    isGreen = report.verdict == .pass
    let outcome = report.judgement.outcome
    facts = ["\(outcome.endInstant) s", "digest \(outcome.digest.hexadecimal)"]
    self.repeatLine = repeatLine
    problems = report.troubles.map { trouble in
      let names = trouble.devices.map { report.judgement.header.name(of: $0) }.joined(separator: ", ")
      var problem = Problem(
        title: trouble.claim + (trouble.clause.isEmpty ? "" : " (\(trouble.clause))"),
        extent: "at \(trouble.instant.short) s" + (names.isEmpty ? "" : ", \(names)"), repeatLine: repeatLine)
      let reason = trouble.reason.map { "reason: " + TroublePrinter.reason($0, in: app) }
      problem.details = (reason.map { [$0] } ?? []) + ["expected: \(trouble.expected)", "saw: \(trouble.actual)"]
      problem.file = Self.place(plan)
      problem.line = trouble.line
      problem.why = plan.whyLine(seed: seed)
      return problem
    }
    if report.divergence != nil { remarks.append("two runs of the seed differ: the bench itself failed") }
  }

  init(_ sweep: SweepPrinter, _ scenario: Scenario) {
    let done = sweep.results.compactMap(\.self)
    title = "run \(scenario.name), \(CountedNoun.text(sweep.results.count, "seed"))"
    verdict = sweep.verdict.name
    isGreen = sweep.verdict == .pass
    facts = Verdict.allCases.reversed().compactMap { verdict in
      let count = done.count { $0.verdict == verdict }
      return count == 0 ? nil : "\(count) \(verdict.name)"
    }
    repeatLine = sweep.plan.repeatLine(seeds: sweep.seeds)
    let file = Self.place(sweep.plan)
    problems = sweep.causes.map { cause in
      let first = cause.seeds[0]
      var problem = Problem(
        title: cause.text, extent: "\(cause.verdict.name) in \(CountedNoun.text(cause.seeds.count, "seed"))",
        repeatLine: sweep.plan.repeatLine(seed: first.seed))
      let others = cause.seeds.dropFirst().prefix(11).map { String($0.seed) }
      problem.details = ["seed \(first.seed): \(first.cause?.detail ?? first.details.first ?? cause.text)"]
      if !others.isEmpty {
        let rest = cause.seeds.count - 1 - others.count
        problem.details.append("seeds too: " + others.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : ""))
      }
      problem.file = file
      problem.line = first.line
      problem.why = sweep.plan.whyLine(seed: first.seed)
      return problem
    }
    if done.count < sweep.results.count {
      remarks.append("interrupted: \(CountedNoun.text(sweep.results.count - done.count, "seed")) not begun")
    }
  }

  /// A scenario of the project that is tested; one that the bench ships is nobody's to open.
  private static func place(_ plan: RunPlan) -> String? {
    plan.scenario == plan.path && FileManager.default.fileExists(atPath: plan.path) ? plan.path : nil
  }
}
