import CaptureFormats
import Judging
import SimKernel

/// A report of captures for a terminal: tables, then one line per finding and per note.
public enum CheckText {
  /// Whole lines, the last one ends in a line feed.
  /// - Parameter isColoured: whether to use ANSI colours; the caller knows its terminal.
  public static func text(_ report: CheckReport, isColoured: Bool = false) -> String {
    let names = CheckNames(report)
    var blocks = [captures(report, names)]
    if !report.links.isEmpty { blocks.append(links(report, names)) }
    if !report.streams.isEmpty { blocks.append(streams(report, names)) }
    if !report.services.isEmpty { blocks.append(services(report, names)) }
    let verdicts = verdicts(report, isColoured: isColoured)
    if !verdicts.isEmpty { blocks.append(verdicts) }
    let reasons = names.reasons(report).map { reason in
      let verdict = Verdict.inconclusive.name
      return "\(isColoured ? ConsoleTable.coloured(verdict) : verdict) \(ConsoleTable.oneLine(reason))\n"
    }
    if !reasons.isEmpty { blocks.append(reasons.joined()) }
    let findings = findings(report, names, isColoured: isColoured)
    if !findings.isEmpty { blocks.append(findings) }
    let notes = names.notes(report).map { "note " + ConsoleTable.oneLine($0) + "\n" }.joined()
    if !notes.isEmpty { blocks.append(notes) }
    return blocks.joined(separator: "\n")
  }

  /// Streams and services that are listed; the JSON has all.
  private static let rowLimit = 200

  /// What reports call captures: the last part of each path, or the whole when two have the same.
  public static func shortNames(_ paths: [String]) -> [String] { CheckNames.short(paths) }

  private static func captures(_ report: CheckReport, _ names: CheckNames) -> String {
    var rows = [["capture", "format", "link type", "records", "span/s"]]
    if report.captures.count > 1 { rows[0].append("clock/s") }
    for (file, capture) in report.captures.enumerated() {
      var row = [
        names.file(file), capture.format?.rawValue ?? "–", CheckNames.linkTypes(capture), String(capture.records),
        capture.span.microseconds,
      ]
      if report.captures.count > 1 { row.append(CheckNames.clock(report, file)) }
      rows.append(row)
    }
    return ConsoleTable.table(rows, rightAligned: [3, 4])
  }

  private static func links(_ report: CheckReport, _ names: CheckNames) -> String {
    var rows = [
      [
        "link", "capture", "handle", "central", "peripheral", "from/s", "to/s", "begins", "ATT_MTU", "encrypted",
        "ATT PDUs", "gaps",
      ]
    ]
    for link in report.links {
      rows.append([
        String(link.index), names.file(link.file), link.handleOrAccessAddress, link.central, link.peripheral,
        link.openedAt.microseconds, link.closedAt?.microseconds ?? "–", link.isFromStart ? "here" : "earlier",
        link.attMTU.map(String.init) ?? "–", link.isEncrypted ? "yes" : "no", String(link.attPDUs), String(link.gaps),
      ])
    }
    return ConsoleTable.table(rows, rightAligned: [0, 5, 6, 8, 10, 11])
  }

  private static func streams(_ report: CheckReport, _ names: CheckNames) -> String {
    var rows = [
      [
        "stream", "capture", "client", "server", "from/s", "to/s", "begins", "client octets", "server octets", "gaps",
        "end",
      ]
    ]
    for stream in report.streams.prefix(rowLimit) {
      rows.append([
        String(stream.index), names.place(file: stream.file, interfaceName: stream.interfaceName), stream.client,
        stream.server, stream.openedAt.microseconds, stream.endedAt?.microseconds ?? "–",
        stream.isFromStart ? "here" : "earlier", String(stream.clientOctets), String(stream.serverOctets),
        String(stream.gaps), stream.ending,
      ])
    }
    let further = max(0, report.streams.count - rowLimit) + report.furtherStreams
    return ConsoleTable.table(rows, rightAligned: [0, 4, 5, 7, 8, 9])
      + (further > 0 ? "and \(CountedNoun.text(further, "further stream"))\n" : "")
  }

  private static func services(_ report: CheckReport, _ names: CheckNames) -> String {
    var rows = [["service", "capture", "host", "port", "addresses", "state"]]
    for service in report.services.prefix(rowLimit) {
      rows.append([
        ConsoleTable.oneLine(service.name), names.place(file: service.file, interfaceName: service.interfaceName),
        ConsoleTable.oneLine(service.host), String(service.port), service.addresses.joined(separator: " "),
        service.isThere ? "announced" : "taken back",
      ])
    }
    let further = max(0, report.services.count - rowLimit)
    return ConsoleTable.table(rows, rightAligned: [3])
      + (further > 0 ? "and \(CountedNoun.text(further, "further service"))\n" : "")
  }

  private static func verdicts(_ report: CheckReport, isColoured: Bool) -> String {
    var text = table(report.rules, title: "rule", isColoured: isColoured)
    if let judgement = report.judgement, let name = report.protocolName {
      text += "\nprotocol \(name), dialect \(judgement.dialect ?? "not found")\n"
      text += table(judgement.oracles, title: "oracle", isColoured: isColoured)
    }
    return text
  }

  private static func table(_ results: [OracleResult], title: String, isColoured: Bool) -> String {
    var rows = [["verdict", "judged", "open", title]]
    for result in results where result.verdict != .none {
      rows.append([result.verdict.name, String(result.judged), String(result.open), result.id])
    }
    var text =
      rows.count == 1
      ? ""
      : ConsoleTable.table(rows, rightAligned: [1, 2]) { column, cell in
        column == 0 && isColoured ? ConsoleTable.coloured(cell) : nil
      }
    let idle = results.filter { $0.verdict == .none }.map(\.id)
    if !idle.isEmpty { text += "nothing to judge: \(idle.joined(separator: ", "))\n" }
    return text
  }

  /// `fail Rule at 12.345678 s, file packet 1234, link 3: expected …, saw … (clause)`.
  private static func findings(_ report: CheckReport, _ names: CheckNames, isColoured: Bool) -> String {
    var text = ""
    func add(_ results: [OracleResult], _ culprit: (Finding) -> String) {
      for result in results {
        for finding in result.findings {
          let verdict = isColoured ? ConsoleTable.coloured(finding.verdict.name) : finding.verdict.name
          text += "\(verdict) \(ConsoleTable.oneLine(names.line(finding, culprit(finding))))\n"
        }
        if result.suppressedFindings > 0 { text += "and \(result.suppressedFindings) more of \(result.id)\n" }
      }
    }
    add(report.rules) { CheckNames.link($0.device) }
    if let judgement = report.judgement { add(judgement.oracles) { judgement.name(of: $0.device) } }
    return text
  }
}

/// What things are called in all reports of a check.
struct CheckNames {
  private let files: [String]

  init(_ report: CheckReport) { self.init(paths: report.captures.map(\.path)) }
  init(paths: [String]) { files = Self.short(paths) }

  /// The last part of each path, or the whole when two have the same.
  static func short(_ paths: [String]) -> [String] {
    let last = paths.map { path in path.split(separator: "/").last.map(String.init) ?? path }
    let times = Dictionary(last.map { ($0, 1) }, uniquingKeysWith: +)
    return zip(last, paths).map { name, path in times[name] == 1 ? name : path }
  }

  /// The names of all captures, short enough for a headline.
  var title: String {
    files.count > 3 ? "\(files[0]), \(files[1]) and \(files.count - 2) more" : files.joined(separator: ", ")
  }

  func file(_ index: Int) -> String { files.indices.contains(index) ? files[index] : "capture \(index)" }

  /// `file, Anna wifi`, for an interface that has a name.
  func place(file index: Int, interfaceName: String?) -> String {
    file(index) + (interfaceName.map { ", " + ConsoleTable.oneLine($0) } ?? "")
  }

  /// `file packet 1234`, for Wireshark's packet number.
  func place(_ place: PacketPlace) -> String { "\(file(place.file)) packet \(place.number)" }

  /// Whom a finding of a general rule is about; the advertiser or the adapter is named in its words.
  static func link(_ index: Int) -> String { index < 0 ? "no link" : "link \(index)" }

  /// `link 3 (“Scale”, F0:F1:F2:F3:F4:A0)`: as `link(_:)`, with the device at the other end.
  func link(_ index: Int, _ links: [CheckReport.Link]) -> String {
    guard links.indices.contains(index) else { return Self.link(index) }
    let device = links[index].peerName.map { "“\(ConsoleTable.oneLine($0))”, " } ?? ""
    return "\(Self.link(index)) (\(device)\(links[index].peer))"
  }

  /// `LE 2M`; a dash where it is not known.
  static func phy(_ number: UInt8?) -> String {
    switch number {
    case 1: "LE 1M"
    case 2: "LE 2M"
    case 3: "LE Coded"
    default: "–"
    }
  }

  /// A finding without its verdict.
  func line(_ finding: Finding, _ culprit: String) -> String {
    let record = finding.record.map { ", " + place(PacketPlace(record: $0)) } ?? ""
    return "\(finding.oracle) at \(finding.instant.microseconds) s\(record), \(culprit): expected \(finding.expected),"
      + " saw \(finding.actual) (\(finding.clause))"
  }

  /// Why a rule or an oracle is inconclusive; nil when it is not.
  func reason(_ result: OracleResult) -> String? {
    guard result.verdict == .inconclusive else { return nil }
    if result.open == 0, !result.findings.isEmpty { return "its findings are not certain" }
    let why = result.openReason.map { $0.hasPrefix("nothing") ? "the captures end before it is due" : $0 }
    if result.open == 0 { return why ?? "nothing could be judged" }
    let count = result.open == 1 ? "open once" : "open \(result.open) times"
    let first = result.firstOpen.map { "first at " + place(PacketPlace(record: $0)) } ?? "at the end of the captures"
    return "\(count), \(first)" + (why.map { ": " + $0 } ?? "")
  }

  /// Why the verdict is no better than inconclusive, a line for each reason.
  func reasons(_ report: CheckReport) -> [String] {
    var reasons = (report.rules + (report.judgement?.oracles ?? [])).compactMap { result in
      reason(result).map { "\(result.id): \($0)" }
    }
    reasons += unread(report).map { "\(Self.allPDUsAreRead): \($0)" }
    if let text = unspoken(report) { reasons.append(text) }
    return reasons
  }

  /// By what reports call it that PDUs were not read.
  static let allPDUsAreRead = "AllPDUsAreRead"

  /// Which PDUs were not read, so that what they say was not judged.
  func unread(_ report: CheckReport) -> [String] {
    report.captures.flatMap(\.opaque).filter(\.why.isUnjudgedPDU).map { opaque in
      "\(CountedNoun.text(opaque.records, "record is", "records are")) \(opaque.why)"
    }
  }

  /// That a protocol was asked for and none of it was seen; nil: it was not, or it was.
  func unspoken(_ report: CheckReport) -> String? {
    guard let name = report.protocolName, (report.judgement?.oracles ?? []).allSatisfy({ $0.verdict == .none }) else {
      return nil
    }
    return "protocol \(name): no oracle had anything to judge"
  }

  /// The notes of the captures, of the links, and of the protocol.
  func notes(_ report: CheckReport) -> [String] {
    (report.notes + (report.judgement?.notes ?? [])).map { note in
      (note.place.map { place($0) + ": " } ?? "") + note.text
    }
  }

  static func linkTypes(_ capture: ReadCapture) -> String {
    if capture.links.count == 1 { return capture.links[0].link.words }
    return capture.links.isEmpty ? "–" : capture.links.map { "\($0.link.words) ×\($0.records)" }.joined(separator: ", ")
  }

  /// What was added to a capture's times.
  static func clock(_ report: CheckReport, _ file: Int) -> String {
    guard let clock = report.captures[file].clock else { return file == 0 ? "reference" : "its own" }
    let sign = clock.offset.nanoseconds < 0 ? "" : "+"
    if clock.matches == 0 { return "\(sign)\(clock.offset.microseconds), given" }
    var text = "\(sign)\(clock.offset.microseconds) ± \(clock.uncertainty.microseconds)"
    if clock.driftPPB != 0 { text += ", drift \(clock.driftPPB / 1_000) ppm" }
    return text + ", \(clock.matches) packets in common"
  }
}

extension ReadCapture {
  /// From its earliest to its latest time.
  var span: SimDuration {
    guard let firstNanoseconds, let lastNanoseconds else { return .zero }
    let (span, overflows) = lastNanoseconds.subtractingReportingOverflow(firstNanoseconds)
    return SimDuration(nanoseconds: overflows ? .max : span)
  }
}

extension CaptureLink {
  /// For people.
  var words: String {
    switch self {
    case .h4: "HCI H4"
    case .h4WithDirection: "HCI H4 with direction"
    case .hciUnencapsulated: "HCI without indicator"
    case .linuxMonitor: "Linux monitor"
    case .packetLogger: "PacketLogger"
    case .leLinkLayer: "LE link layer"
    case .leLinkLayerWithHeader: "LE link layer with header"
    case .nordicBLE: "Nordic sniffer"
    case .ppi: "LE link layer with PPI"
    case .ethernet: "Ethernet"
    case .linuxCooked: "Linux cooked"
    case .linuxCooked2: "Linux cooked v2"
    case .rawIP: "IP"
    case .null, .loop: "loopback"
    case .other(let number): "link type \(number)"
    }
  }
}
