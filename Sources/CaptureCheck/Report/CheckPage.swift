import BluetoothWire
import CaptureFormats
import Judging
import Mustache
import SimKernel

/// `--html` of `babbench check`: one file for people, without a request to any network.
public enum CheckPage {
  /// Findings and links shown at most; the JSON has all that was kept.
  private static let findingLimit = 400
  private static let linkLimit = 400

  /// - Throws: what the template package throws when a template is wrong; ours are tested.
  public static func octets(_ report: CheckReport, version: String, repeatLine: String) throws -> [UInt8] {
    PageText.register()
    let template = try MustacheTemplate(string: CheckTemplate.text)
    return Array(template.render(page(report, version, repeatLine)).utf8)
  }

  private static func page(_ report: CheckReport, _ version: String, _ repeatLine: String) -> [String: Any] {
    let names = CheckNames(report)
    let verdict = report.verdict
    var page: [String: Any] = [
      "style": PageStyle.text + CheckTemplate.style, "version": version, "kind": verdict.name,
      "verdict": verdict == .none ? "nothing judged" : verdict.name, "repeat": repeatLine,
      "names": names.title,
      "captures": report.captures.indices.map { capture(report, $0, names) },
      "linkCount": report.links.count, "records": report.captures.map(\.records).reduce(0, +),
      "span": SimDuration(nanoseconds: report.end.nanoseconds).microseconds,
      "timeline": CheckTimeline.svg(report, names), "rules": results(report.rules),
      "notes": names.notes(report).map(ConsoleTable.oneLine),
    ]
    if report.captures.count > 1 { page["clocks"] = true }
    if !report.links.isEmpty { page["links"] = ["rows": report.links.prefix(linkLimit).map { link($0, names) }] }
    if report.links.count > linkLimit { page["moreLinks"] = report.links.count - linkLimit }
    let findings = findings(report, names)
    page["findings"] = Array(findings.prefix(findingLimit))
    page["hasFindings"] = !findings.isEmpty
    if findings.count > findingLimit { page["moreFindings"] = findings.count - findingLimit }
    if let judgement = report.judgement, let name = report.protocolName {
      page["protocol"] = [
        "name": name, "dialect": judgement.dialect ?? "not found", "oracles": results(judgement.oracles),
        "devices": judgement.participants.map { ["name": $0.name, "role": $0.role, "address": $0.address] },
      ]
    }
    return page
  }

  private static func capture(_ report: CheckReport, _ file: Int, _ names: CheckNames) -> [String: Any] {
    let capture = report.captures[file]
    return [
      "name": names.file(file), "format": capture.format?.rawValue ?? "–", "types": CheckNames.linkTypes(capture),
      "records": capture.records, "span": capture.span.microseconds, "clock": CheckNames.clock(report, file),
    ]
  }

  private static func link(_ link: CheckReport.Link, _ names: CheckNames) -> [String: Any] {
    [
      "index": link.index, "capture": names.file(link.file), "handle": link.handleOrAccessAddress,
      "central": link.central, "peripheral": link.peripheral, "from": link.openedAt.microseconds,
      "to": link.closedAt?.microseconds ?? "–", "begins": link.isFromStart ? "here" : "earlier",
      "mtu": link.attMTU.map(String.init) ?? "–", "encrypted": link.isEncrypted ? "yes" : "no",
      "pdus": link.attPDUs, "gaps": link.gaps,
    ]
  }

  private static func results(_ results: [OracleResult]) -> [[String: Any]] {
    results.map { result in
      [
        "kind": result.verdict.name, "verdict": result.verdict == .none ? "nothing to judge" : result.verdict.name,
        "id": result.id, "claim": result.claim, "clause": result.clause, "judged": result.judged, "open": result.open,
        "findings": result.findings.count + result.suppressedFindings,
      ]
    }
  }

  /// In the order of the results; each says where to look in Wireshark.
  private static func findings(_ report: CheckReport, _ names: CheckNames) -> [[String: Any]] {
    var rows: [[String: Any]] = []
    func add(_ results: [OracleResult], _ culprit: (Finding) -> String) {
      for result in results {
        for finding in result.findings {
          rows.append([
            "kind": finding.verdict.name, "verdict": finding.verdict.name, "id": finding.oracle,
            "anchor": "f\(rows.count)", "time": finding.instant.microseconds,
            "place": finding.record.map { names.place(PacketPlace(record: $0)) } ?? "the end of the captures",
            "culprit": culprit(finding), "expected": finding.expected, "actual": finding.actual,
            "clause": finding.clause,
          ])
        }
      }
    }
    add(report.rules) { CheckNames.link($0.device) }
    if let judgement = report.judgement { add(judgement.oracles) { judgement.name(of: $0.device) } }
    return rows
  }
}
