import Judging
import SimKernel

/// `--junit` of `babbench check`: one test suite for the general rules, one for the protocol; one test case for each
/// rule and oracle.
///
/// Verdicts are written as in `JUnitReport`: inconclusive is an `error` of that type, because a reader that knows only
/// green and red must not show it green; what had nothing to judge is `skipped`. Times are those of the captures.
public enum CheckJUnitReport {
  /// - Throws: what the XML encoder throws; it has no reason to.
  public static func octets(_ report: CheckReport, repeatLine: String) -> [UInt8] {
    let names = CheckNames(report)
    var suites = [suite("rules", report.rules, report, names, repeatLine) { CheckNames.link($0.device) }]
    if let judgement = report.judgement, let name = report.protocolName {
      suites.append(
        suite(name, judgement.oracles, report, names, repeatLine) { judgement.name(of: $0.device) })
    }
    return JUnitDocument(name: "babbench check", suites: suites).octets()
  }

  private static func suite(
    _ kind: String, _ results: [OracleResult], _ report: CheckReport, _ names: CheckNames, _ repeatLine: String,
    _ culprit: (Finding) -> String
  ) -> JUnitDocument.Suite {
    let captures = names.title
    var properties = [("captures", captures), ("verdict", report.verdict.name), ("repeat", repeatLine)]
    if let dialect = report.judgement?.dialect, kind != "rules" { properties.append(("dialect", dialect)) }
    for note in names.notes(report) { properties.append(("note", note)) }
    let folder = captures.map { $0 == "." ? "_" : $0 }
    var unread: [JUnitDocument.Case] = []
    if kind == "rules", report.hasUnreadPDUs {
      var row = JUnitDocument.Case(name: CheckNames.allPDUsAreRead, classname: "\(kind).\(String(folder))")
      row.set(
        .inconclusive, message: "Every PDU of Bluetooth LE in the captures is read.", lines: names.notes(report))
      unread = [row]
    }
    return JUnitDocument.Suite(
      name: "\(kind) on \(captures)", time: report.end.milliseconds, properties: properties.map { ($0.0, $0.1) },
      cases: results.map { result in
        var lines = result.findings.map { "\($0.verdict.name) \(names.line($0, culprit($0)))" }
        if result.suppressedFindings > 0 { lines.append("and \(result.suppressedFindings) more") }
        if let reason = names.reason(result) { lines.append(reason) }
        var row = JUnitDocument.Case(name: result.id, classname: "\(kind).\(String(folder))")
        row.set(result.verdict, message: result.claim, lines: lines)
        return row
      } + unread)
  }
}
