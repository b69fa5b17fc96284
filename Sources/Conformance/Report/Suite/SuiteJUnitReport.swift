import AppSeam
import Judging
import SimKernel

/// `junit.xml` of `babbench conform`: one test suite per implementation and group, one test case per case.
///
/// A failure and an unexpected pass are a `failure`; inconclusive and the bench's own fault an `error` of that type,
/// because a reader that knows only green and red must not show them green; waived and not applicable are `skipped`
/// with the reason. Times are simulated seconds, so equal runs give equal files.
public enum SuiteJUnitReport {
  /// - Throws: what the XML encoder throws; it has no reason to.
  public static func octets(_ run: SuiteRun) -> [UInt8] {
    var suites: [JUnitDocument.Suite] = []
    for (index, implementation) in run.implementations.enumerated() {
      let mine = run.cases.filter { $0.implementation == index }
      var groups: [String] = []
      for report in mine where !groups.contains(report.purpose.group) { groups.append(report.purpose.group) }
      for group in groups {
        suites.append(suite(run, implementation, group, mine.filter { $0.purpose.group == group }))
      }
    }
    return JUnitDocument(name: "babbench conform", suites: suites).octets()
  }

  private static func suite(
    _ run: SuiteRun, _ implementation: SuiteRun.Implementation, _ group: String, _ reports: [CaseReport]
  ) -> JUnitDocument.Suite {
    let total = reports.map(\.result.endInstant.nanoseconds).reduce(0, +)
    return JUnitDocument.Suite(
      name: "\(implementation.name) \(group)", time: SimInstant(nanoseconds: total).milliseconds,
      properties: [
        ("babbench", run.version), ("implementation", implementation.name), ("role", implementation.role.rawValue),
        ("origin", implementation.origin), ("repeat", run.repeatLine),
      ], cases: reports.map { self.case(run, $0, implementation, group) })
  }

  private static func `case`(
    _ run: SuiteRun, _ report: CaseReport, _ implementation: SuiteRun.Implementation, _ group: String
  ) -> JUnitDocument.Case {
    let id = report.result.id
    let seed = report.purpose.seeds.count > 1 ? " seed \(id.seed)" : ""
    var row = JUnitDocument.Case(
      name: "\(id.purpose) \(id.dialect.rawValue)\(seed)\(report.help)",
      // Readers take what stands before the last dot for a folder.
      classname: "\(implementation.name.replacing(".", with: "_")).\(id.dialect.rawValue).\(group)",
      time: report.result.endInstant.milliseconds)
    let problem = JUnitDocument.Problem(
      message: report.result.finding.map { "expected \($0.expected); saw \($0.actual)" } ?? report.purpose.purpose,
      type: report.assessment.rawValue, text: lines(run, report).joined(separator: "\n"))
    switch report.assessment {
    case .pass: break
    case .assumedPass: row.skipped = JUnitDocument.Skip(message: "passes\(report.help)")
    case .fail, .unexpectedPass: row.failure = problem
    case .blocked, .inconclusive, .error: row.error = problem
    case .waived: row.skipped = JUnitDocument.Skip(message: "waived: \(report.waiver?.reason ?? "")")
    case .notApplicable:
      row.skipped = JUnitDocument.Skip(message: "not applicable: \(report.result.notApplicable ?? "")")
    }
    if report.assessment.isBad, !report.logExcerpt.isEmpty { row.log = JUnitDocument.clean(report.logExcerpt) }
    return row
  }

  /// Everything a person needs who has nothing but this file.
  private static func lines(_ run: SuiteRun, _ report: CaseReport) -> [String] {
    var lines = report.result.failure.map { Breakdown($0).lines } ?? []
    lines.append("purpose: \(report.purpose.purpose)")
    if let finding = report.result.finding {
      lines.append("requirement: \(finding.clause) \(run.requirement(finding.clause) ?? "")")
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
