import AppSeam
import Conformance
import Judging
import SimKernel

/// Lays a run of the suite out for a person.
struct ConformPrinter {
  var paint: Paint
  /// Where the files of cases are.
  var folder: String?

  // MARK: Before

  /// What would be run.
  func plan(_ suite: Suite) -> String {
    var lines = suite.items.map { item in
      let reason = suite.notApplicable(item)
      let name = suite.implementations[item.implementation].name
      let line = "\(item.purpose.id)  \(item.id.dialect.rawValue)  seed \(item.id.seed)  \(name)"
      return reason.map { paint("\(line)  not applicable: \($0)", .dim) } ?? line
    }
    let applicable = suite.items.count { suite.notApplicable($0) == nil }
    lines.append(
      suite.items.isEmpty ? "0 cases: nothing was selected" : "\(suite.items.count) cases, \(applicable) apply")
    return lines.joined(separator: "\n")
  }

  // MARK: After

  func text(of run: SuiteRun) -> String {
    var lines: [String] = []
    for report in run.cases where report.assessment.isBad || report.cannotBeRepeated {
      lines += failure(report, run) + [""]
    }
    for report in run.cases where report.assessment == .waived {
      lines.append("\(word(.waived))  \(title(report, run)): \(report.waiver?.reason ?? "")")
    }
    lines += table(run)
    lines += remarks(run)
    let tally = run.tally.rows.filter { $0.count > 0 }.map { "\($0.count) \($0.assessment.words)" }
    lines.append(
      "\(run.cases.count) cases: " + (tally.isEmpty ? "nothing was selected" : tally.joined(separator: ", ")))
    if run.notRun > 0 { lines.append("\(run.notRun) cases were not begun") }
    lines.append("verdict " + RunPrinter(paint: paint).word(run.verdict))
    lines.append("repeat " + run.repeatLine)
    return lines.joined(separator: "\n")
  }

  /// Everything that helps with one case that did not pass.
  private func failure(_ report: CaseReport, _ run: SuiteRun) -> [String] {
    var lines = ["\(word(report.assessment))  \(title(report, run))"]
    func row(_ name: String, _ text: String) {
      lines.append("  " + name + String(repeating: " ", count: 12 - name.count) + ConsoleTable.oneLine(text))
    }
    if let finding = report.result.finding {
      row("requires", "\(finding.clause): \(run.clauseText(finding.clause) ?? report.purpose.purpose)")
      row("expected", finding.expected)
      row("saw", finding.actual)
      row(
        "diverges",
        "at \(finding.instant.short) s" + (report.chart?.divergingEvent.map { ": " + $0 } ?? lastStep(report)))
    }
    for remark in report.remarks { row("remark", remark) }
    for file in report.files.all { row("file", folder.map { $0 + "/" + file } ?? file) }
    row("repeat", report.repeatLine)
    return lines
  }

  private func lastStep(_ report: CaseReport) -> String {
    report.result.steps.last { !$0.text.hasPrefix("✗") }.map { ", after “\($0.text)”" } ?? ""
  }

  private func title(_ report: CaseReport, _ run: SuiteRun) -> String {
    let name = run.implementations.count > 1 ? " on \(run.implementations[report.implementation].name)" : ""
    let seed = report.purpose.seeds.count > 1 ? " seed \(report.result.id.seed)" : ""
    return "\(report.purpose.id) \(report.result.id.dialect.rawValue)\(seed)\(name)"
  }

  /// One line per implementation, dialect and group.
  private func table(_ run: SuiteRun) -> [String] {
    let kinds = Assessment.allCases.filter { run.tally.count(of: $0) > 0 }
    guard !kinds.isEmpty else { return [] }
    var rows = [["implementation", "dialect", "group"] + kinds.map(\.words)]
    var groups: [(name: String, reports: [CaseReport])] = []
    for report in run.cases {
      let key = [
        run.implementations[report.implementation].name, report.result.id.dialect.rawValue, report.purpose.group,
      ].joined(separator: "\u{0}")
      if groups.last?.name == key {
        groups[groups.count - 1].reports.append(report)
      } else {
        groups.append((key, [report]))
      }
    }
    for group in groups {
      let cells = kinds.map { kind in
        let count = group.reports.count { $0.assessment == kind }
        return count == 0 ? "" : String(count)
      }
      rows.append(group.name.split(separator: "\u{0}").map(String.init) + cells)
    }
    let table = ConsoleTable.table(rows, rightAligned: Array(3..<3 + kinds.count))
    return table.split(separator: "\n").map(String.init)
  }

  private func remarks(_ run: SuiteRun) -> [String] {
    var lines = run.idleWaivers.map {
      "waiver \($0.waiver.pattern) of \(run.implementations[$0.implementation].name): \($0.why)"
    }
    guard let comparison = run.comparison else { return lines }
    for change in comparison.regressions {
      lines.append(paint("regression", .red) + "  \(change.key.text): was \(change.was.words), is \(change.now.words)")
    }
    for change in comparison.repairs {
      lines.append(paint("repair", .green) + "  \(change.key.text): was \(change.was.words), is \(change.now.words)")
    }
    lines.append(
      "baseline: \(comparison.regressions.count) regressions, \(comparison.repairs.count) repairs,"
        + " \(comparison.new.count) new, \(comparison.vanished.count) vanished")
    return lines
  }

  private func word(_ assessment: Assessment) -> String {
    switch assessment {
    case .pass: paint(assessment.words, .green)
    case .fail, .unexpectedPass, .error: paint(assessment.words, .red)
    case .inconclusive, .waived: paint(assessment.words, .yellow)
    case .notApplicable: paint(assessment.words, .dim)
    }
  }
}

extension CaseReport {
  /// Run again, it was another run: to be shown even when the purpose was passed.
  fileprivate var cannotBeRepeated: Bool {
    if case .differs = repetition { true } else { false }
  }
}
