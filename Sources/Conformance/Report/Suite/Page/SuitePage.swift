import AppSeam
import Judging
import Mustache
import SimKernel

/// `report.html`: a run of the suite as one file for people, on a desk, on a phone and on paper.
///
/// Needs no network and no other file; only the links to traces, captures and logs lead out of it, into the output
/// folder.
public enum SuitePage {
  /// - Throws: what the template package throws when a template is wrong; ours are tested.
  public static func octets(_ run: SuiteRun) throws -> [UInt8] {
    PageText.register()
    let template = try MustacheTemplate(string: PageTemplate.text)
    return Array(template.render(page(run)).utf8)
  }

  private static func page(_ run: SuiteRun) -> [String: Any] {
    let verdict = run.verdict
    var page: [String: Any] = [
      "style": PageStyle.text, "script": PageScript.text, "version": run.version, "kind": verdict.name,
      "verdict": verdict == .none ? "nothing judged" : verdict.name,
      "names": run.implementations.map(\.name).joined(separator: ", "), "repeat": run.repeatLine,
      "caseCount": run.cases.count, "counts": counts(run), "helped": helped(run), "remarks": remarks(run),
      "implementations": run.implementations.indices.map { implementation(run, $0) },
      "cases": run.cases.indices.map { PageCase(run, $0).values },
    ]
    let judged = run.judgedOnSubject
    page["subject"] = "\(judged.count) of \(judged.of) judged on their subject"
    if run.wallTimes.totalMilliseconds > 0 {
      let milliseconds = run.wallTimes.totalMilliseconds
      let seconds = SimInstant(nanoseconds: Int64(milliseconds) * 1_000_000).milliseconds
      page["wall"] = run.wallTimes.startedAt + (run.wallTimes.startedAt.isEmpty ? "" : ", ") + "\(seconds) s"
    }
    let matrix = PageMatrix(run)
    page["columns"] = matrix.columns.map { column in
      ["iut": run.implementations[column.implementation].name, "dialect": column.dialect.rawValue]
    }
    page["groups"] = matrix.groups
    page["purposeCount"] = matrix.purposes.count
    page["baseline"] = baseline(run)
    page["causes"] = causes(run)
    return page
  }

  private static func counts(_ run: SuiteRun) -> [[String: Any]] {
    run.tally.rows.filter { $0.count > 0 || $0.assessment == .pass || $0.assessment == .fail }.map { row in
      [
        "kind": row.assessment.rawValue, "count": row.count, "words": row.assessment.words,
        "symbol": row.assessment.symbol,
      ]
    }
  }

  /// What cases came to with help, so that the verdict above is no riddle where they alone failed.
  private static func helped(_ run: SuiteRun) -> [[String: Any]] {
    run.helpedTally.rows.filter { $0.count > 0 }.map { row in
      let words = row.assessment == .assumedPass ? row.assessment.words : row.assessment.words + " with help"
      return ["kind": row.assessment.rawValue, "count": row.count, "words": words]
    }
  }

  private static func remarks(_ run: SuiteRun) -> [String] {
    var remarks: [String] = []
    if run.planned == 0 { remarks.append("Nothing was selected: this run has shown nothing.") }
    if run.planned > 0, run.verdict == .none { remarks.append("No case applies: this run has shown nothing.") }
    if run.notRun > 0 { remarks.append("\(run.notRun) of \(run.planned) cases were not run.") }
    let count = run.idleWaivers.count
    if count > 0 { remarks.append(count == 1 ? "One waiver does nothing." : "\(count) waivers do nothing.") }
    if !run.selection.select.isEmpty { remarks.append("Only: " + run.selection.select.joined(separator: ", ")) }
    if run.judged.onlyPublished { remarks.append("By published clauses alone: no decision of the bench was judged.") }
    if !run.selection.skip.isEmpty { remarks.append("Without: " + run.selection.skip.joined(separator: ", ")) }
    return remarks
  }

  private static func implementation(_ run: SuiteRun, _ index: Int) -> [String: Any] {
    let implementation = run.implementations[index]
    let idle = run.idleWaivers.filter { $0.implementation == index }
    let waivers = implementation.waivers.map { waiver in
      var row: [String: Any] = ["pattern": waiver.pattern, "reason": waiver.reason]
      row["idle"] = idle.first { $0.waiver == waiver }?.why
      return row
    }
    let statement = implementation.ics
    return [
      "name": implementation.name, "role": implementation.role.rawValue,
      "origin": implementation.origin + (implementation.profile.map { ", profile " + $0 } ?? ""),
      "dialects": implementation.dialects.map(\.rawValue).joined(separator: ", "), "waivers": waivers,
      "ics": statement == run.app(of: implementation)?.everything
        ? "every ICS item" : statement.items.map(\.name).joined(separator: ", "),
    ]
  }

  /// Nil without a baseline.
  private static func baseline(_ run: SuiteRun) -> [String: Any]? {
    guard let baseline = run.baseline, let comparison = run.comparison else { return nil }
    var anchors: [CaseKey: String] = [:]
    for (index, report) in run.cases.enumerated() where !report.isSecondPass {
      anchors[run.key(of: report)] = "#" + anchor(index)
    }
    func row(_ key: CaseKey, _ change: Baseline.Change? = nil) -> [String: Any] {
      var row: [String: Any] = ["text": key.text]
      row["href"] = anchors[key]
      row["was"] = change?.was.words
      row["wasKind"] = change?.was.rawValue
      row["now"] = change?.now.words
      row["nowKind"] = change?.now.rawValue
      return row
    }
    func list(_ title: String, _ rows: [[String: Any]], _ kind: String) -> [String: Any] {
      [
        "title": title, "count": rows.count, "rows": rows, "kind": rows.isEmpty ? "none" : kind,
        "hasRows": !rows.isEmpty,
      ]
    }
    return [
      "path": baseline.path,
      "lists": [
        list("regressions", comparison.regressions.map { row($0.key, $0) }, "fail"),
        list("repairs", comparison.repairs.map { row($0.key, $0) }, "pass"),
        list("new", comparison.new.map { row($0) }, "none"),
        list("vanished", comparison.vanished.map { row($0) }, "none"),
      ],
    ]
  }

  /// What to fix, and in which order, each shown by its first case; nil when there is nothing.
  private static func causes(_ run: SuiteRun) -> [String: Any]? {
    let causes = run.causes
    if causes.isEmpty { return nil }
    let firstDecision = causes.firstIndex(where: run.isDecision)
    let rows = causes.prefix(causeLimit).enumerated().map { index, cause -> [String: Any] in
      let report = run.cases[cause.cases[0]]
      let why = report.result.finding.map { "expected \($0.expected); saw \($0.actual)" }
      var row: [String: Any] = [
        "anchor": anchor(cause.cases[0]), "kind": report.assessment.rawValue, "purpose": report.purpose.id,
        "verdict": "\(report.assessment.symbol) \(run.tally(of: cause))", "title": run.title(of: cause),
        "where": "\(report.result.id.dialect.rawValue) · \(run.implementations[report.implementation].name)",
        "why": why ?? report.remarks.first ?? "",
      ]
      if index == firstDecision { row["heading"] = RootCause.decisionHeading }
      return row
    }
    var page: [String: Any] = ["rows": rows]
    if causes.count > rows.count { page["more"] = causes.count - rows.count }
    return page
  }

  private static let causeLimit = 40

  /// The id of a case in the page, `c0`, `c1` …
  static func anchor(_ index: Int) -> String { "c\(index)" }
}

extension Assessment {
  /// One character, so that the matrix can be read without colours.
  var symbol: String {
    switch self {
    case .pass: "✓"
    case .fail: "✗"
    case .assumedPass: "h"
    case .blocked: "b"
    case .inconclusive: "?"
    case .error: "!"
    case .notApplicable: "–"
    case .waived: "w"
    case .unexpectedPass: "‼"
    }
  }
}
