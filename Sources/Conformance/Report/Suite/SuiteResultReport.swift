import AppSeam
import Bench
import Judging
import SimKernel

/// `result.json` of `babbench conform`: Docs/Formats/report.md.
///
/// Two equal runs give the same octets except in the last member, `wallTimes`.
public enum SuiteResultReport {
  /// Grows when a member's meaning changes or one goes away; new members do not count.
  public static let version = 2

  /// The whole file, indented, ending in a line feed.
  public static func octets(_ run: SuiteRun) -> [UInt8] {
    var text = JSONText(isIndented: true)
    text.beginObject()
    text.member("version", version)
    text.member("babbench", run.version)
    text.suiteSummary(run)
    text.suiteSelection(run.selection)
    text.member("onlyPublished", run.judged.onlyPublished)
    text.suiteImplementations(run)
    text.suiteBaseline(run)
    text.suiteCauses(run)
    text.objects("cases", run.cases) { $0.suiteCase($1, run) }
    text.wallTimes(run.wallTimes)
    text.endObject()
    text.endLine()
    return text.octets
  }
}

extension JSONText {
  /// What the run came to; the last line of `events.jsonl` says the same.
  mutating func suiteSummary(_ run: SuiteRun) {
    member("verdict", run.verdict.name)
    member("exitCode", run.exitCode.rawValue)
    member("repeat", run.repeatLine)
    member("planned", run.planned)
    member("notRun", run.notRun)
    suiteTally("counts", run.tally)
    suiteTally("withHelp", run.helpedTally)
  }

  private mutating func suiteTally(_ name: StaticString, _ tally: SuiteRun.Tally) {
    key(name)
    beginObject()
    member("pass", tally.count(of: .pass))
    member("fail", tally.count(of: .fail))
    member("assumedPass", tally.count(of: .assumedPass))
    member("blocked", tally.count(of: .blocked))
    member("inconclusive", tally.count(of: .inconclusive))
    member("error", tally.count(of: .error))
    member("notApplicable", tally.count(of: .notApplicable))
    member("waived", tally.count(of: .waived))
    member("unexpectedPass", tally.count(of: .unexpectedPass))
    endObject()
  }

  mutating func suiteSelection(_ selection: CaseSelection) {
    key("selection")
    beginObject()
    member("select", selection.select)
    member("skip", selection.skip)
    endObject()
  }

  mutating func suiteImplementations(_ run: SuiteRun) {
    key("implementations")
    beginArray()
    for (index, implementation) in run.implementations.enumerated() {
      beginObject()
      member("name", implementation.name)
      member("role", implementation.role.rawValue)
      member("dialects", implementation.dialects.map(\.rawValue))
      member("origin", implementation.origin)
      member("profile", implementation.profile)
      member("ics", implementation.ics.items.map(\.name))
      objects("waivers", implementation.waivers) { json, waiver in
        json.member("pattern", waiver.pattern)
        json.member("reason", waiver.reason)
      }
      objects("idleWaivers", run.idleWaivers.filter { $0.implementation == index }) { json, idle in
        json.member("pattern", idle.waiver.pattern)
        json.member("why", idle.why)
      }
      endObject()
    }
    endArray()
  }

  mutating func suiteKey(_ key: CaseKey) {
    member("implementation", key.implementation)
    member("purpose", key.purpose)
    member("dialect", key.dialect)
    // As text: JSON readers that keep numbers as doubles would round it.
    member("seed", String(key.seed))
  }

  fileprivate mutating func suiteBaseline(_ run: SuiteRun) {
    key("baseline")
    guard let baseline = run.baseline, let comparison = run.comparison else { return null() }
    beginObject()
    member("path", baseline.path)
    changes("regressions", comparison.regressions)
    changes("repairs", comparison.repairs)
    keys("new", comparison.new)
    keys("vanished", comparison.vanished)
    member("otherImplementations", comparison.otherImplementations)
    endObject()
  }

  private mutating func changes(_ name: StaticString, _ changes: [Baseline.Change]) {
    objects(name, changes) { json, change in
      json.suiteKey(change.key)
      json.member("was", change.was.rawValue)
      json.member("now", change.now.rawValue)
    }
  }

  private mutating func keys(_ name: StaticString, _ keys: [CaseKey]) {
    objects(name, keys) { $0.suiteKey($1) }
  }

  /// What to fix, and in which order.
  fileprivate mutating func suiteCauses(_ run: SuiteRun) {
    objects("causes", run.causes) { json, cause in
      json.member("implementation", run.implementations[cause.implementation].name)
      json.member("text", cause.cause.text)
      json.member("clause", cause.cause.clause)
      json.member("clauseText", run.clauseText(cause.cause.clause))
      json.member("clauseOrigin", run.clauseOrigin(cause.cause.clause))
      json.member("cases", cause.cases.count)
      json.member("blocked", cause.blocked)
      json.key("first")
      json.beginObject()
      json.suiteKey(run.key(of: run.cases[cause.cases[0]]))
      json.endObject()
    }
  }

  /// The members of a case but its steps and finding, which `events.jsonl` has as lines of their own.
  mutating func suiteCaseHead(_ report: CaseReport, _ run: SuiteRun) {
    let result = report.result
    suiteKey(run.key(of: report))
    member("assuming", result.id.assuming)
    if report.isSecondPass { member("isSecondPass", true) }
    member("assessment", report.assessment.rawValue)
    member("verdict", result.verdict.name)
    member("notApplicable", result.notApplicable)
    member("waiver", report.waiver?.reason)
    member("remarks", report.remarks)
    suiteBreakdown(result.failure)
    member("sentence", report.purpose.purpose)
    member("clauses", report.purpose.clauses)
    member("checks", result.checks)
    member("digest", result.digest.hexadecimal)
    member("endInstant", result.endInstant.nanoseconds)
    member("timeline", report.files.timeline)
    member("trace", report.files.trace)
    member("captures", report.files.captures)
    member("log", report.files.log)
    member("repeat", report.repeatLine)
  }

  fileprivate mutating func suiteCase(_ report: CaseReport, _ run: SuiteRun) {
    suiteCaseHead(report, run)
    key("finding")
    if let finding = report.result.finding {
      beginObject()
      suiteFinding(finding, report, run)
      endObject()
    } else {
      null()
    }
    objects("steps", report.result.steps) { $0.suiteStep($1) }
  }

  mutating func suiteFinding(_ finding: Finding, _ report: CaseReport, _ run: SuiteRun) {
    member("verdict", finding.verdict.name)
    member("instant", finding.instant.nanoseconds)
    member("clause", finding.clause)
    member("clauseText", run.clauseText(finding.clause))
    member("clauseOrigin", run.clauseOrigin(finding.clause))
    member("expected", finding.expected)
    member("actual", finding.actual)
    member("record", finding.record)
    member("divergingEvent", report.chart?.divergingEvent)
    member("cause", report.result.cause.map(run.title))
  }

  mutating func suiteStep(_ step: CaseResult.Step) {
    member("instant", step.instant.nanoseconds)
    member("record", step.record)
    member("text", step.text)
  }

  fileprivate mutating func wallTimes(_ times: SuiteRun.WallTimes) {
    key("wallTimes")
    beginObject()
    member("startedAt", times.startedAt)
    member("totalMilliseconds", times.totalMilliseconds)
    list("caseMilliseconds", times.caseMilliseconds) { $0.value($1) }
    endObject()
  }
}
