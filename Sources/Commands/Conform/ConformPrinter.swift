import AppSeam
import Campaigns
import Conformance
import Judging
import SimKernel

/// Lays a run of the suite out for a person.
struct ConformPrinter {
  var paint: Paint
  /// Where the files of cases are.
  var folder: String?
  /// Every cause has its line, however many they are.
  var showsAll = false

  // MARK: Before

  /// What would be run.
  func plan(_ suite: Suite, _ shard: Shard) -> String {
    let items = suite.items.enumerated().filter { shard.contains($0.offset) }.map(\.element)
    var lines = items.map { item in
      let reason = suite.notApplicable(item)
      let name = suite.implementations[item.implementation].name
      let line = "\(item.purpose.id)  \(item.id.dialect.rawValue)  seed \(item.id.seed)  \(name)"
      return reason.map { paint("\(line)  not applicable: \($0)", .dim) } ?? line
    }
    let applicable = items.count { suite.notApplicable($0) == nil }
    lines.append(
      items.isEmpty ? "0 cases: nothing was selected" : "\(CountedNoun.text(items.count, "case")), \(applicable) apply")
    return lines.joined(separator: "\n")
  }

  // MARK: After

  /// Longer, and nobody reads it: the report has everything.
  static let lineLimit = 40
  private static let tableLimit = 18
  private static let remarkLimit = 6

  /// What to fix first, then how much there is of everything; at most `lineLimit` lines unless all causes are wanted.
  func text(of run: SuiteRun) -> String {
    let table = table(run)
    let remarks = cut(waived(run) + remarks(run), to: Self.remarkLimit, "remarks")
    let end = totals(run)
    let room = Self.lineLimit - table.count - remarks.count - end.count
    return (causes(run, room) + table + remarks + end).joined(separator: "\n")
  }

  /// The causes, those that help most in full, the others in a line each.
  private func causes(_ run: SuiteRun, _ room: Int) -> [String] {
    let causes = run.causes
    let unsteady = run.cases.filter { $0.cannotBeRepeated && !$0.assessment.isBad }
    let firstDecision = causes.firstIndex(where: run.isDecision)
    func heading(_ index: Int) -> [String] {
      index == firstDecision ? [paint(RootCause.decisionHeading + ":", .dim)] : []
    }
    let blocks = causes.lazy.enumerated().map { index, cause in
      let first = run.cases[cause.cases[0]]
      // What a platform knows says more than the name of a case.
      let isCase = cause.cases.count == 1 && (first.result.reason == nil || first.result.omission != nil)
      return heading(index) + (isCase ? failure(first, run) : block(cause, run)) + [""]
    }
    let others = unsteady.lazy.map { failure($0, run) + [""] }
    let rest = causes.map { line(of: $0, run) } + unsteady.map { title($0, run) }
    var lines: [String] = []
    var shown = 0
    // The last block is shown only if what is left needs no line, the others if all that is left has one.
    while shown < rest.count {
      let block = shown < causes.count ? blocks[shown] : others[shown - causes.count]
      if lines.count + block.count + min(rest.count - shown - 1, 1) > room { break }
      lines += block
      shown += 1
    }
    var short: [String] = []
    for (index, line) in rest.enumerated().dropFirst(shown) { short += heading(index) + [line] }
    if showsAll { return lines + short }
    // The heading of nothing, and a heading among what is cut, say nothing.
    let room = max(1, room - lines.count)
    let hasHeading = firstDecision.map { $0 >= shown && $0 - shown + 1 < room - 1 } ?? false
    return lines + cut(hasHeading ? short : Array(rest[shown...]), to: room, "causes")
  }

  /// Lines, and in the place of those beyond a limit how many they are.
  private func cut(_ lines: [String], to limit: Int, _ noun: String) -> [String] {
    guard lines.count > limit else { return lines }
    let hint = folder == nil ? "; with --out they are all in the report" : "; the report has them all"
    let flag = noun == "causes" ? ", --all-causes shows them here" : ""
    return lines.prefix(limit - 1) + ["and \(lines.count - limit + 1) more \(noun)\(hint)\(flag)"]
  }

  private func waived(_ run: SuiteRun) -> [String] {
    run.cases.filter { $0.assessment == .waived }.map { report in
      "\(word(.waived))  \(title(report, run)): \(report.waiver?.reason ?? "")"
    }
  }

  private func totals(_ run: SuiteRun) -> [String] {
    let tally = run.tally.rows.filter { $0.count > 0 }.map { "\($0.count) \($0.assessment.words)" }
    let none = run.notRun > 0 ? "nothing was judged" : "nothing was selected"
    var lines = [
      CountedNoun.text(run.tally.total, "case") + ": "
        + (tally.isEmpty ? none : tally.joined(separator: ", "))
    ]
    let helped = run.helpedTally.rows.filter { $0.count > 0 }.map { "\($0.count) \($0.assessment.words)" }
    let judged = run.judgedOnSubject
    if judged.count < judged.of { lines.append("judged on their subject: \(judged.count) of \(judged.of)") }
    if !helped.isEmpty {
      lines.append("run again with missing steps taken by the bench: " + helped.joined(separator: ", "))
    }
    if run.notRun > 0 { lines.append("\(run.notRun) cases were not begun") }
    lines += run.unasked.map { "nothing was judged of \(run.implementations[$0].name): no case of it was selected" }
    let isOnlyWaived = run.verdict == .none && run.tally.count(of: .waived) > 0
    if isOnlyWaived { lines.append("nothing passes: all that was judged fails, and is waived") }
    lines.append("verdict " + RunPrinter(paint: paint).word(run.verdict))
    lines.append("repeat " + run.repeatLine)
    return lines
  }

  // MARK: Causes

  private func name(of cause: RootCause, _ run: SuiteRun) -> String {
    let name = run.implementations.count > 1 ? run.implementations[cause.implementation].name + " " : ""
    return name + ConsoleTable.oneLine(run.title(of: cause))
  }

  private func line(of cause: RootCause, _ run: SuiteRun) -> String {
    "\(word(run.cases[cause.cases[0]].assessment))  \(name(of: cause, run)): \(run.tally(of: cause))"
  }

  /// One cause of several cases, shown by the first of them.
  private func block(_ cause: RootCause, _ run: SuiteRun) -> [String] {
    let first = run.cases[cause.cases[0]]
    var lines = [line(of: cause, run), row("first", title(first, run))]
    if !cause.cause.text.isEmpty, let text = run.requirement(cause.cause.clause) {
      lines.insert(row("requires", text), at: 1)
    }
    return lines + details(first)
  }

  /// Everything that helps with one case that did not pass.
  private func failure(_ report: CaseReport, _ run: SuiteRun) -> [String] {
    let omission = report.result.omission.map { "; it \($0)" } ?? ""
    var lines = ["\(word(report.assessment))  \(title(report, run))\(omission)"]
    let cause = report.result.cause ?? Cause("", clause: "")
    // What a cause names no clause for is not what the case's clause requires.
    let clause = cause.text.isEmpty ? report.result.finding?.clause ?? "" : cause.clause
    if let text = run.requirement(clause) {
      lines.append(row("requires", "\(clause): \(text)"))
    } else {
      lines.append(row("tests", report.purpose.purpose))
    }
    return lines + details(report)
  }

  private func details(_ report: CaseReport) -> [String] {
    var lines: [String] = []
    if let finding = report.result.finding {
      lines.append(row("expected", finding.expected))
      lines.append(row("saw", finding.actual))
      let place = report.chart?.divergingEvent.map { ": " + $0 } ?? lastStep(report)
      lines.append(row("diverges", "at \(finding.instant.short) s" + place))
    }
    lines += breakdown(report)
    lines += report.remarks.map { row($0 == report.result.reason ? "reason" : "remark", $0) }
    lines += report.files.all.map { file in row("file", folder.map { $0 + "/" + file } ?? file) }
    return lines + [row("repeat", report.repeatLine)]
  }

  /// How the program broke down; what `saw` says already is left out.
  private func breakdown(_ report: CaseReport) -> [String] {
    guard let failure = report.result.failure else { return [] }
    let rows = Breakdown(failure).rows.filter { $0.name == "last output" || $0.name == "stderr" }
    return rows.map { row($0.name, $0.text) }
  }

  private func row(_ name: String, _ text: String) -> String {
    "  " + name + String(repeating: " ", count: 12 - name.count) + ConsoleTable.oneLine(text)
  }

  private func lastStep(_ report: CaseReport) -> String {
    report.result.steps.last { !$0.text.hasPrefix("✗") }.map { ", after “\($0.text)”" } ?? ""
  }

  private func title(_ report: CaseReport, _ run: SuiteRun) -> String {
    let name = run.implementations.count > 1 ? " on \(run.implementations[report.implementation].name)" : ""
    let seed = report.purpose.seeds.count > 1 ? " seed \(report.result.id.seed)" : ""
    return "\(report.purpose.id) \(report.result.id.dialect.rawValue)\(seed)\(name)\(report.help)"
  }

  /// One line per implementation, dialect and group; without the group, and then without the dialect, where that would
  /// be too many.
  private func table(_ run: SuiteRun) -> [String] {
    let kinds = Assessment.allCases.filter { run.tally.count(of: $0) > 0 }
    guard !kinds.isEmpty else { return [] }
    let columns = ["implementation", "dialect", "group"]
    var table: [String] = []
    for count in stride(from: columns.count, to: 0, by: -1) {
      var rows = [columns.prefix(count) + kinds.map(\.words)].map(Array.init)
      for (name, reports) in groups(run, count) {
        let cells = kinds.map { kind in
          let count = reports.count { $0.assessment == kind }
          return count == 0 ? "" : String(count)
        }
        rows.append(name + cells)
      }
      let text = ConsoleTable.table(rows, rightAligned: Array(count..<count + kinds.count))
      table = text.split(separator: "\n").map(String.init)
      if table.count <= Self.tableLimit { return table }
    }
    return cut(table, to: Self.tableLimit, "implementations")
  }

  /// Cases that stand together and have the first so many of implementation, dialect and group in common.
  private func groups(_ run: SuiteRun, _ count: Int) -> [(name: [String], reports: [CaseReport])] {
    var groups: [(name: [String], reports: [CaseReport])] = []
    for report in run.cases where !report.isSecondPass {
      let words = [
        run.implementations[report.implementation].name, report.result.id.dialect.rawValue, report.purpose.group,
      ]
      let name = Array(words.prefix(count))
      if let index = groups.lastIndex(where: { $0.name == name }), count < words.count || index == groups.count - 1 {
        groups[index].reports.append(report)
      } else {
        groups.append((name, [report]))
      }
    }
    return groups
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
      "baseline: \(CountedNoun.text(comparison.regressions.count, "regression")), "
        + "\(CountedNoun.text(comparison.repairs.count, "repair")),"
        + " \(comparison.new.count) new, \(comparison.vanished.count) vanished")
    if run.failsOnRegressionsOnly, let verdict = run.regressionVerdict {
      lines.append("regressions alone: \(RunPrinter(paint: paint).word(verdict))")
    }
    return lines
  }

  private func word(_ assessment: Assessment) -> String {
    switch assessment {
    case .pass: paint(assessment.words, .green)
    case .fail, .unexpectedPass, .error: paint(assessment.words, .red)
    case .assumedPass, .blocked, .inconclusive, .waived: paint(assessment.words, .yellow)
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
