import BluetoothWire
import Judging
import SimKernel

/// The findings of a check for its page: a group for each rule and oracle, every finding with its packets.
struct CheckPageFindings {
  /// Findings of one rule whose packets are shown without a click.
  private static let unfolded = 2

  private let report: CheckReport
  private let names: CheckNames
  private let sceneOfRecord: [Int: PacketScene]
  private var left: Int
  private var anchor = 0
  private(set) var groups: [[String: Any]] = []

  /// - Parameter limit: findings at most.
  init(_ report: CheckReport, _ names: CheckNames, limit: Int) {
    self.report = report
    self.names = names
    left = limit
    sceneOfRecord = Dictionary(report.scenes.map { ($0.packet.place.record, $0) }) { first, _ in first }
    for result in report.rules { add(result) { names.link($0.device, report.links) } }
    guard let judgement = report.judgement else { return }
    for result in judgement.oracles { add(result) { judgement.name(of: $0.device) } }
  }

  /// All that were found.
  static func count(_ report: CheckReport) -> Int {
    all(report).map { $0.findings.count + $0.suppressedFindings }.reduce(0, +)
  }

  /// Those that the report has.
  static func kept(_ report: CheckReport) -> Int { all(report).map(\.findings.count).reduce(0, +) }

  private static func all(_ report: CheckReport) -> [OracleResult] {
    report.rules + (report.judgement?.oracles ?? [])
  }

  private mutating func add(_ result: OracleResult, _ culprit: (Finding) -> String) {
    let shown = result.findings.prefix(left)
    guard !shown.isEmpty else { return }
    left -= shown.count
    let count = result.findings.count + result.suppressedFindings
    var group: [String: Any] = [
      "kind": result.verdict.name, "verdict": result.verdict.name, "id": result.id, "claim": result.claim,
      "clause": result.clause, "judged": result.judged, "open": result.open,
      "counted": CountedNoun.text(count, "finding"),
      "findings": shown.enumerated().map { row($1, culprit($1), isOpen: $0 < Self.unfolded) },
    ]
    if count > shown.count { group["further"] = count - shown.count }
    groups.append(group)
  }

  private mutating func row(_ finding: Finding, _ culprit: String, isOpen: Bool) -> [String: Any] {
    var row: [String: Any] = [
      "kind": finding.verdict.name, "verdict": finding.verdict.name, "anchor": "f\(anchor)",
      "time": finding.instant.microseconds,
      "place": finding.record.map { names.place(PacketPlace(record: $0)) } ?? "the end of the captures",
      "culprit": culprit, "expected": finding.expected, "actual": finding.actual, "clause": finding.clause,
    ]
    anchor += 1
    guard let scene = finding.record.flatMap({ sceneOfRecord[$0] }) else { return row }
    let lines = scene.before.map { line($0) } + [line(scene.packet, isIt: true)] + scene.after.map { line($0) }
    let more = scene.octetCount > scene.octets.count ? "\n… \(scene.octetCount - scene.octets.count) more octets" : ""
    var parts: [String: Any] = [
      "lines": lines, "layers": scene.layers.joined(separator: "\n"),
      "octets": OctetText.dump(scene.octets, limit: scene.octets.count) + more,
    ]
    if isOpen { parts["unfold"] = " open" }
    row["scene"] = parts
    return row
  }

  private func line(_ line: PacketScene.Line, isIt: Bool = false) -> [String: Any] {
    var row: [String: Any] = [
      "number": line.place.number, "time": line.instant.microseconds, "direction": line.direction, "text": line.text,
    ]
    if report.captures.count > 1 { row["file"] = names.file(line.place.file) }
    if isIt { row["it"] = true }
    return row
  }
}
