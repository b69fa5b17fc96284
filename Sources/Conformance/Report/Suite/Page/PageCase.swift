import AppSeam
import Bench
import Judging
import SimKernel

/// One case of the report: what was tested, how it went, and for what did not pass everything that helps to see why.
struct PageCase {
  private static let logLimit = 16_000
  /// In a larger run only what did not pass is drawn, so that the page stays small enough to open at once.
  static let drawnRun = 60

  private let run: SuiteRun
  private let index: Int
  private let report: CaseReport

  init(_ run: SuiteRun, _ index: Int) {
    self.run = run
    self.index = index
    report = run.cases[index]
  }

  private var result: CaseResult { report.result }

  var values: [String: Any] {
    let purpose = report.purpose
    let assessment = report.assessment
    var values: [String: Any] = [
      "anchor": SuitePage.anchor(index), "kind": assessment.rawValue, "isBad": assessment.isBad,
      "verdict": "\(assessment.symbol) \(assessment.words)", "purpose": purpose.id,
      "dialect": result.id.dialect.rawValue, "iut": run.implementations[report.implementation].name,
      "sentence": purpose.purpose, "search": PageMatrix.search(purpose), "remarks": report.remarks,
      "repeat": report.repeatLine, "initial": purpose.initialCondition, "outcomes": purpose.expectedOutcomes,
      "outcomeTitle": "expected",
      "clauses": purpose.clauses.filter { $0 != result.finding?.clause }.map {
        ["id": $0, "text": run.requirement($0) ?? ""]
      },
    ]
    if purpose.seeds.count > 1 { values["seed"] = String(result.id.seed) }
    values["notApplicable"] = result.notApplicable
    if result.notApplicable == nil {
      values["ran"] = [
        "checks": checks, "end": result.endInstant.milliseconds, "digest": result.digest.hexadecimal,
      ]
    }
    values["breakdown"] = result.failure.map { Breakdown($0).pageValues }
    values["finding"] = finding
    values["steps"] = steps
    if !report.files.all.isEmpty {
      values["files"] = ["list": report.files.all.map { ["href": PageText.reference($0), "name": $0] }]
    }
    let isDrawn = assessment != .pass || run.cases.count <= Self.drawnRun
    if let chart = report.chart, !chart.entries.isEmpty, isDrawn {
      values["chart"] = ChartPicture.svg(chart, verdict: verdictWords)
      values["evidence"] = evidence(chart)
    }
    if assessment != .pass, !report.logExcerpt.isEmpty {
      values["log"] = String(report.logExcerpt.suffix(Self.logLimit))
    }
    return values
  }

  private var verdictWords: String? {
    result.finding.map { "✗ \($0.verdict.name): expected \($0.expected); saw \($0.actual)" }
  }

  private var finding: [String: Any]? {
    guard let finding = result.finding else { return nil }
    let nothing = "none: nothing came until the time was over at \(finding.instant.milliseconds) s"
    let number = finding.record.map { "record \($0) of the trace, at \(finding.instant.milliseconds) s" }
    var values: [String: Any] = [
      "expected": finding.expected, "actual": finding.actual.isEmpty ? "–" : finding.actual,
      "event": report.chart?.divergingEvent ?? number ?? nothing,
    ]
    if let text = run.requirement(finding.clause) {
      values["clause"] = finding.clause
      values["clauseText"] = text
    }
    return values
  }

  /// How many checks held, by the procedure that is shown; those of the initial condition judge nothing.
  private var checks: String {
    let held = max(result.checks, result.steps.count { $0.text.hasPrefix("✓") })
    let before = held - result.checks
    return CountedNoun.text(held, "check") + " held" + (before > 0 ? ", \(before) of the initial condition," : "")
  }

  /// Every line by itself where somebody will look for the one that failed; one text where all went well.
  private var steps: [String: Any]? {
    if result.steps.isEmpty { return nil }
    func line(_ step: CaseResult.Step) -> String { "\(step.instant.milliseconds)  \(step.text)" }
    guard report.assessment.isBad || report.assessment == .waived else {
      return ["plain": result.steps.map(line).joined(separator: "\n")]
    }
    return [
      "lines": result.steps.map { step in
        ["text": line(step), "kind": step.text.hasPrefix("✗") ? "no" : step.text.hasPrefix("✓") ? "ok" : "do"]
      }
    ]
  }

  /// The packet to look at, octet by octet.
  private func evidence(_ chart: Chart) -> [String: Any]? {
    guard let index = chart.evidence, let packet = chart.entries[index].packet else { return nil }
    func name(_ lane: Int) -> String { chart.lanes.indices.contains(lane) ? chart.lanes[lane].name : "nobody" }
    let values = CountedNoun.text(packet.fragments, "value")
    var about = "\(packet.label), from \(name(packet.from)) to \(name(packet.to)): "
    let size = CountedNoun.text(packet.octets.count, "octet")
    about += packet.isPacket ? "\(size) in \(values)" : "\(values), one of them below"
    about += ", sent at \(packet.sentAt) s, "
    about += packet.receivedAt.map { "whole at \($0) s" } ?? "never received"
    if let first = packet.records.min(), let last = packet.records.max() {
      about += first == last ? "; trace record \(first)." : "; trace records \(first) to \(last)."
    }
    // What is no packet may begin with a fragment's header.
    let text = packet.isPacket ? packet.octets[...] : packet.octets.drop { $0 != UInt8(ascii: "{") }
    var evidence: [String: Any] = [
      "title": chart.evidenceShowedIt
        ? "The packet that showed it" : "The newest packet of the implementation before that",
      "about": about, "dump": OctetText.dump(packet.octets), "json": OctetText.layout(Array(text)),
      "hasText": !text.isEmpty,
    ]
    let words = run.app(of: run.implementations[report.implementation])?.chart
    evidence["problem"] = words?.problem(packet.octets, packet.isPacket)
    return evidence
  }
}
