import Bench
import Campaigns
import Conformance
import Judging
import RunReports
import SimKernel

/// Watches one run and draws it over time when it is judged.
struct RunPage {
  let path: String
  let scenario: Scenario
  /// The scenario's file, for people.
  let file: String
  let reader: TimelineReader

  /// - Parameter file: a path, or the name of the scenario.
  init(path: String, scenario: Scenario, file: String) {
    self.path = path
    self.scenario = scenario
    self.file = file.split(separator: "/").last.map(String.init) ?? file
    reader = TimelineReader(of: protocols.spoken(in: scenario))
  }

  /// - Parameter repeatLine: the command that repeats the run.
  /// - Throws: what kept the file from being complete.
  func write(_ report: RunReport, repeatLine: String) throws {
    let judgement = report.judgement
    let page = TimelinePage(
      timeline: timeline(report), title: judgement.header.scenario,
      verdict: report.verdict.name,
      facts: [
        "seed \(judgement.header.seed)", "digest \(judgement.outcome.digest.hexadecimal)",
        "\(judgement.outcome.endInstant) s",
      ],
      repeatLine: repeatLine, file: file, version: BenchVersion.current)
    try FileSink.write(try page.octets(), to: path)
  }

  /// The same as trace events.
  func writeEvents(_ report: RunReport) throws {
    try FileSink.write(TraceEvents.octets(timeline(report)), to: path)
  }

  private func timeline(_ report: RunReport) -> RunTimeline {
    reader.timeline(report.judgement.findings, scenario: scenario, troubles: report.troubles)
  }
}
