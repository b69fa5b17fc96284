import AppSeam
import Bench
import Campaigns
import Conformance
import Foundation
import Judging
import RunReports
import SimKernel

/// The reports of a whole run in `--out`.
struct ConformFiles {
  private let folder: OutputFolder
  private let events: SuiteEventLines
  private let run: SuiteRun

  init(folder: OutputFolder, _ run: SuiteRun) throws {
    self.folder = folder
    self.run = run
    events = SuiteEventLines(sink: try LiveFileSink(path: folder.path(of: "events.jsonl")))
    events.runStarted(run)
  }

  /// - Parameters:
  ///   - number: of the case in the plan, from 0.
  ///   - reports: without help, and with it.
  func caseEnded(_ number: Int, _ reports: [CaseReport]) {
    for report in reports {
      events.caseStarted(number, run.key(of: report))
      events.caseEnded(number, report, in: run)
    }
  }

  /// Writes what is known only at the end.
  /// - Throws: what kept a file from being complete.
  func complete(_ run: SuiteRun) throws {
    events.runEnded(run)
    if let failure = events.failure { throw failure }
    try FileSink.write(SuiteResultReport.octets(run), to: folder.path(of: "result.json"))
    try FileSink.write(SuiteJUnitReport.octets(run), to: folder.path(of: "junit.xml"))
    try FileSink.write(try SuitePage.octets(run), to: folder.path(of: "report.html"))
  }

  /// An earlier `result.json` that has a case of a suite.
  static func baseline(_ path: String, for suite: Suite) throws -> Baseline {
    let baseline = try baseline(path)
    let known = Set(baseline.entries.map(\.key))
    let names = Set(baseline.entries.map(\.key.implementation)).sorted()
    guard suite.items.isEmpty || suite.items.contains(where: { known.contains(suite.key(of: $0)) }) else {
      throw UsageProblem(
        "\(path): this run has no case in common with the baseline"
          + (names.isEmpty ? ", which has none" : ", which is of \(names.joined(separator: ", "))"))
    }
    return baseline
  }

  /// Leaves the cases that do not pass in an earlier `result.json`; all, where all pass.
  static func keep(lastFailed path: String, in suite: inout Suite) throws {
    let earlier = try baseline(path, for: suite)
    let failed = Set(earlier.entries.filter { $0.assessment.isBad }.map(\.key))
    guard !failed.isEmpty else { return }
    let whole = suite
    suite.keep { failed.contains(whole.key(of: $0)) }
    if suite.items.isEmpty {
      throw UsageProblem("\(path): none of the cases that do not pass there is selected")
    }
  }

  static func baseline(_ path: String) throws -> Baseline {
    try Baseline(path: path, octets: Array(UsageProblem.contents(of: path)))
  }
}

/// The files of one case: `cases/<purpose, dialect, seed, implementation>/…`.
struct CaseFiles {
  private let folder: OutputFolder
  /// Relative to the output folder.
  private let name: String
  private let trace: TraceLinesReader
  private let air: AirCaptureReader
  private let network: NetworkCaptureReader
  private let timeline: TimelineReader

  init(_ output: OutputFolder, _ item: Suite.Item, _ implementation: ImplementationUnderTest) throws {
    let words =
      [item.purpose.id, item.id.dialect.rawValue, String(item.id.seed), implementation.name] + item.id.assuming
    // Names that only differ in what a path cannot have are told apart by their number.
    let number = item.implementation == 0 ? "" : ".\(item.implementation + 1)"
    name =
      "cases/" + words.joined(separator: "-").map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" } + number
    folder = try output.folder(name)
    trace = TraceLinesReader(sink: try FileSink(path: folder.path(of: "trace.jsonl")))
    air = try AirCaptureReader(path: folder.path(of: "air.pcapng"))
    network = NetworkCaptureReader(path: folder.path(of: "network.pcapng"))
    timeline = TimelineReader(of: implementation.app)
  }

  var readers: [any TraceReader] { [trace, air, network, timeline] }

  /// - Parameter repeatLine: the command that runs the case alone.
  func complete(_ result: CaseResult, repeatLine: String) throws -> CaseReport.Files {
    if let failure = trace.failure { throw failure }
    if let finding = result.finding {
      air.annotate(
        "\(finding.verdict.name): \(result.id.purpose) (\(finding.clause)): expected \(finding.expected),"
          + " saw \(finding.actual)")
    }
    try air.close()
    try network.close()
    var files = CaseReport.Files(trace: name + "/trace.jsonl", captures: [name + "/air.pcapng"])
    let findings = result.finding.map { [$0] } ?? []
    let page = TimelinePage(
      timeline: timeline.timeline(findings, scenario: nil, troubles: Trouble.all(in: findings)),
      title: result.id.purpose, verdict: result.verdict.name,
      facts: ["digest \(result.digest.hexadecimal)", "\(result.endInstant) s"],
      repeatLine: repeatLine, file: "", version: BenchVersion.current)
    try FileSink.write(try page.octets(), to: folder.path(of: "timeline.html"))
    files.timeline = name + "/timeline.html"
    if !result.log.isEmpty {
      try FileSink.write(Array(result.log.utf8), to: folder.path(of: "iut.log"))
      files.log = name + "/iut.log"
    }
    return files
  }
}
