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
    let notes = names.notes(report).map(ConsoleTable.oneLine)
    var page: [String: Any] = [
      "style": PageStyle.text + CheckTemplate.style, "version": version, "kind": verdict.name,
      "verdict": verdict == .none ? "nothing judged" : verdict.name, "repeat": repeatLine,
      "names": names.title, "findingCount": CheckPageFindings.count(report),
      "captures": report.captures.indices.map { capture(report, $0, names) },
      "linkCount": report.links.count, "records": report.captures.map(\.records).reduce(0, +),
      "span": SimDuration(nanoseconds: report.end.nanoseconds).microseconds,
      "timeline": CheckTimeline.svg(report, names),
      "groups": CheckPageFindings(report, names, limit: findingLimit).groups,
    ]
    let reasons = names.reasons(report).map(ConsoleTable.oneLine)
    if !reasons.isEmpty { page["reasons"] = ["lines": reasons] }
    if !notes.isEmpty { page["notes"] = ["lines": notes, "count": notes.count] }
    if report.captures.count > 1 { page["clocks"] = true }
    if !report.links.isEmpty { page["links"] = ["rows": report.links.prefix(linkLimit).map { link($0, names) }] }
    if report.links.count > linkLimit { page["moreLinks"] = report.links.count - linkLimit }
    page["streams"] = streams(report, names)
    page["services"] = services(report, names)
    let further = CheckPageFindings.kept(report) - findingLimit
    if further > 0 { page["moreFindings"] = further }
    page["rules"] = folded("general rules", report.rules, names)
    if let judgement = report.judgement, let name = report.protocolName {
      page["protocol"] = [
        "name": name, "dialect": judgement.dialect ?? "not found",
        "oracles": folded("oracles of \(name)", judgement.oracles, names),
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

  /// Nil when there are none.
  private static func streams(_ report: CheckReport, _ names: CheckNames) -> [String: Any]? {
    if report.streams.isEmpty { return nil }
    let rows = report.streams.prefix(linkLimit).map { stream -> [String: Any] in
      [
        "index": stream.index, "place": names.place(file: stream.file, interfaceName: stream.interfaceName),
        "client": stream.client, "server": stream.server, "from": stream.openedAt.microseconds,
        "to": stream.endedAt?.microseconds ?? "–", "begins": stream.isFromStart ? "here" : "earlier",
        "clientOctets": stream.clientOctets, "serverOctets": stream.serverOctets, "gaps": stream.gaps,
        "end": stream.ending,
      ]
    }
    let more = report.streams.count - rows.count + report.furtherStreams
    return more > 0 ? ["rows": rows, "more": more] : ["rows": rows]
  }

  private static func services(_ report: CheckReport, _ names: CheckNames) -> [String: Any]? {
    if report.services.isEmpty { return nil }
    let rows = report.services.prefix(linkLimit).map { service -> [String: Any] in
      [
        "name": ConsoleTable.oneLine(service.name), "host": ConsoleTable.oneLine(service.host), "port": service.port,
        "place": names.place(file: service.file, interfaceName: service.interfaceName),
        "addresses": service.addresses.joined(separator: " "), "state": service.isThere ? "announced" : "taken back",
      ]
    }
    let more = report.services.count - rows.count
    return more > 0 ? ["rows": rows, "more": more] : ["rows": rows]
  }

  private static func link(_ link: CheckReport.Link, _ names: CheckNames) -> [String: Any] {
    var row: [String: Any] = [
      "index": link.index, "capture": names.file(link.file), "handle": link.handleOrAccessAddress,
      "central": link.central, "peripheral": link.peripheral, "from": link.openedAt.microseconds,
      "to": link.closedAt?.microseconds ?? "–", "begins": link.isFromStart ? "here" : "earlier",
      "mtu": link.attMTU.map(String.init) ?? "–", "encrypted": link.isEncrypted ? "yes" : "no",
      "pdus": link.attPDUs, "gaps": link.gaps, "parameters": parameters(link), "radio": radio(link),
    ]
    if let name = link.peerName { row["peerName"] = ConsoleTable.oneLine(name) }
    return row
  }

  /// Interval, latency and timeout.
  private static func parameters(_ link: CheckReport.Link) -> String {
    guard let interval = link.interval else { return "–" }
    let latency = link.peripheralLatency.map(String.init) ?? "?"
    let timeout = link.supervisionTimeout.map { String(Int($0) * 10) } ?? "?"
    return "\(StatsText.interval(interval)) / \(latency) / \(timeout)"
  }

  private static func radio(_ link: CheckReport.Link) -> String {
    let data = link.dataLength.map { "\($0)" } ?? "–"
    return "\(CheckNames.phy(link.phy)) / \(data)"
  }

  /// The table of those that have no finding, with a headline that counts them by their verdicts.
  private static func folded(_ what: String, _ results: [OracleResult], _ names: CheckNames) -> [String: Any] {
    let quiet = results.filter { $0.findings.isEmpty && $0.suppressedFindings == 0 }
    let verdicts: [(Verdict, String)] = [(.inconclusive, "inconclusive"), (.pass, "pass"), (.none, "nothing to judge")]
    let counts = verdicts.compactMap { verdict, words in
      let count = quiet.count { $0.verdict == verdict }
      return count == 0 ? nil : "\(count) \(words)"
    }
    let rows = verdicts.flatMap { verdict, _ in quiet.filter { $0.verdict == verdict } }
    return [
      "summary": "\(quiet.count) of \(results.count) \(what) have no finding: \(counts.joined(separator: ", "))",
      "rows": rows.map { result in
        var row: [String: Any] = [
          "kind": result.verdict.name, "verdict": result.verdict == .none ? "nothing to judge" : result.verdict.name,
          "id": result.id, "claim": result.claim, "clause": result.clause, "judged": result.judged,
          "open": result.open,
        ]
        if let reason = names.reason(result) { row["reason"] = reason }
        return row
      },
    ]
  }
}
