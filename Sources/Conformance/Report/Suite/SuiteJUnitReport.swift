import AppSeam
import Judging
import SimKernel

/// `junit.xml` of `babbench conform`: one test suite per implementation and group, one test case per case.
///
/// A failure and an unexpected pass are a `failure`; inconclusive and the bench's own fault an `error` of that type,
/// because a reader that knows only green and red must not show them green; waived, blocked and not applicable are
/// `skipped` with the reason, as is a case that was not begun. Each cause is told once, by the first case that fails
/// for it, and the others name that case; a cause that only blocks is a test case of its own, an `error`. Times are of
/// the wall clock; only they differ between equal runs.
public enum SuiteJUnitReport {
  /// - Throws: what the XML encoder throws; it has no reason to.
  public static func octets(_ run: SuiteRun) -> [UInt8] {
    let causes = Causes(run)
    let rows = self.rows(run, causes)
    var suites: [JUnitDocument.Suite] = shortfall(run) + blocking(run, causes)
    for (index, implementation) in run.implementations.enumerated() {
      let mine = rows.filter { $0.implementation == index }
      var groups: [String] = []
      for row in mine where !groups.contains(row.group) { groups.append(row.group) }
      for group in groups {
        suites.append(suite(run, implementation, group, mine.filter { $0.group == group }))
      }
    }
    return JUnitDocument(name: "babbench conform", suites: suites).octets()
  }

  /// What a reader that knows only green and red must not take for green: less was judged than was asked for.
  private static func shortfall(_ run: SuiteRun) -> [JUnitDocument.Suite] {
    var words = run.unasked.map { "nothing was judged of \(run.implementations[$0].name)" }
    if run.notRun > 0 { words.append("\(run.notRun) of \(run.planned) cases were not begun") }
    if words.isEmpty, run.verdict == .none { words = ["nothing was judged"] }
    guard !words.isEmpty else { return [] }
    let text = words.joined(separator: "; ")
    var row = JUnitDocument.Case(name: "all cases", classname: "babbench conform")
    row.error = JUnitDocument.Problem(message: text, type: "inconclusive", text: "repeat: \(run.repeatLine)")
    return [JUnitDocument.Suite(name: "babbench conform", time: "0", properties: [], cases: [row])]
  }

  /// Where each cause is told.
  private struct Causes {
    /// By case: the case that tells its cause; nil where it does itself, or where only `title` does.
    private(set) var teller: [Int: Int] = [:]
    /// By case: the cause in a line.
    private(set) var title: [Int: String] = [:]
    /// Causes that only block.
    private(set) var blocking: [RootCause] = []

    init(_ run: SuiteRun) {
      for cause in run.causes {
        let first = cause.cases[0]
        for place in cause.cases {
          title[place] = run.title(of: cause)
          // What has no cause of its own has nothing in common with others.
          if place != first, !cause.cause.text.isEmpty { teller[place] = first }
        }
        if cause.cases.count == cause.blocked, cause.cases.contains(where: { !run.isExcused(run.cases[$0]) }) {
          blocking.append(cause)
        }
      }
    }
  }

  /// A reader that shows what was skipped as nothing must still see what blocks.
  private static func blocking(_ run: SuiteRun, _ causes: Causes) -> [JUnitDocument.Suite] {
    if causes.blocking.isEmpty { return [] }
    let rows = causes.blocking.map { cause in
      var row = JUnitDocument.Case(
        name: run.title(of: cause), classname: run.implementations[cause.implementation].name.replacing(".", with: "_"))
      row.error = JUnitDocument.Problem(
        message: "blocks \(CountedNoun.text(cause.blocked, "case"))", type: Assessment.blocked.rawValue,
        text: lines(run, run.cases[cause.cases[0]]).joined(separator: "\n"))
      return row
    }
    return [JUnitDocument.Suite(name: "babbench conform: what blocks", time: "0", properties: [], cases: rows)]
  }

  /// One test case, and what its suite adds up.
  private struct Row {
    var implementation: Int
    var group: String
    var element: JUnitDocument.Case
    var milliseconds = 0
    var simulated: Int64 = 0
  }

  /// What was run, in the order of the plan, and then what was not.
  private static func rows(_ run: SuiteRun, _ causes: Causes) -> [Row] {
    var times = run.wallTimes.caseMilliseconds[...]
    var rows = run.cases.enumerated().map { index, report in
      // What a second pass took is in the time of the first.
      let time = report.isSecondPass ? nil : times.popFirst()
      var element = self.case(run, report, title: causes.title[index], teller: causes.teller[index])
      element.time = time.map(seconds)
      return Row(
        implementation: report.implementation, group: report.purpose.group, element: element,
        milliseconds: time ?? 0, simulated: report.result.endInstant.nanoseconds)
    }
    rows += run.notBegun.map { item in
      var element = JUnitDocument.Case(
        name: name(item.id, item.purpose), classname: classname(run, item.implementation, item.id, item.purpose))
      element.skipped = JUnitDocument.Skip(message: "not begun: the run ended before it")
      return Row(implementation: item.implementation, group: item.purpose.group, element: element)
    }
    return rows
  }

  private static func seconds(_ milliseconds: Int) -> String {
    (SimInstant.zero + .milliseconds(Int64(milliseconds))).milliseconds
  }

  private static func suite(
    _ run: SuiteRun, _ implementation: SuiteRun.Implementation, _ group: String, _ rows: [Row]
  ) -> JUnitDocument.Suite {
    let simulated = SimInstant(nanoseconds: rows.map(\.simulated).reduce(0, +))
    return JUnitDocument.Suite(
      name: "\(implementation.name) \(group)", time: seconds(rows.map(\.milliseconds).reduce(0, +)),
      properties: [
        ("babbench", run.version), ("implementation", implementation.name), ("role", implementation.role.rawValue),
        ("origin", implementation.origin), ("simulated seconds", simulated.milliseconds), ("repeat", run.repeatLine),
      ], cases: rows.map(\.element))
  }

  private static func name(_ id: CaseID, _ purpose: TestPurpose) -> String {
    "\(id.purpose) \(id.dialect.rawValue)" + (purpose.seeds.count > 1 ? " seed \(id.seed)" : "")
  }

  /// Readers take what stands before the last dot for a folder.
  private static func classname(_ run: SuiteRun, _ index: Int, _ id: CaseID, _ purpose: TestPurpose) -> String {
    let name = run.implementations[index].name.replacing(".", with: "_")
    return "\(name).\(id.dialect.rawValue).\(purpose.group)"
  }

  /// - Parameters:
  ///   - title: of its cause.
  ///   - teller: the case that tells it.
  private static func `case`(_ run: SuiteRun, _ report: CaseReport, title: String?, teller: Int?) -> JUnitDocument.Case
  {
    let id = report.result.id
    var row = JUnitDocument.Case(
      name: name(id, report.purpose) + report.help,
      classname: classname(run, report.implementation, id, report.purpose))
    let problem = JUnitDocument.Problem(
      message: report.result.finding.map { "expected \($0.expected); saw \($0.actual)" } ?? report.purpose.purpose,
      type: report.assessment.rawValue, text: words(run, report, title, teller).joined(separator: "\n"))
    if run.isExcused(report) {
      row.skipped = JUnitDocument.Skip(message: "\(report.assessment.words), and no better in the baseline")
      return row
    }
    switch report.assessment {
    case .pass: break
    case .assumedPass: row.skipped = JUnitDocument.Skip(message: "passes\(report.help)")
    case .fail, .unexpectedPass: row.failure = problem
    case .blocked: row.skipped = JUnitDocument.Skip(message: "blocked: " + (title ?? report.purpose.purpose))
    case .inconclusive, .error: row.error = problem
    case .waived: row.skipped = JUnitDocument.Skip(message: "waived: \(report.waiver?.reason ?? "")")
    case .notApplicable:
      row.skipped = JUnitDocument.Skip(message: "not applicable: \(report.result.notApplicable ?? "")")
    }
    if report.assessment.isBad, report.assessment != .blocked, !report.logExcerpt.isEmpty {
      row.log = report.logExcerpt
    }
    return row
  }

  /// What a case says that is not the first of its cause: where to read on.
  private static func words(_ run: SuiteRun, _ report: CaseReport, _ title: String?, _ teller: Int?) -> [String] {
    guard let title, let teller, run.cases[teller].assessment != .blocked else { return lines(run, report) }
    let first = run.cases[teller]
    return ["cause: \(title)", "told by: \(name(first.result.id, first.purpose))", "repeat: \(report.repeatLine)"]
  }

  /// Everything a person needs who has nothing but this file.
  private static func lines(_ run: SuiteRun, _ report: CaseReport) -> [String] {
    var lines = report.result.failure.map { Breakdown($0).lines } ?? []
    lines.append("purpose: \(report.purpose.purpose)")
    if let finding = report.result.finding {
      if let text = run.requirement(finding.clause) { lines.append("requirement: \(finding.clause) \(text)") }
      lines.append("expected: \(finding.expected)")
      lines.append("actual: \(finding.actual)")
      lines.append("at: \(finding.instant) s")
      if let event = report.chart?.divergingEvent { lines.append("first diverging event: \(event)") }
    }
    lines += report.remarks
    lines += report.result.steps.map { "\($0.instant) \($0.text)" }
    lines += report.files.all.map { "file: \($0)" }
    lines.append("repeat: \(report.repeatLine)")
    return lines
  }
}
