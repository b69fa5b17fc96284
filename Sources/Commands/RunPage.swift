import Bench
import Conformance
import Judging
import SimKernel
import RunTimelines

/// `babbench run --html`: watches one run and draws it when it is judged.
struct RunPage {
  let path: String
  let scenario: Scenario
  let reader: TimelineReader

  init(path: String, scenario: Scenario) {
    self.path = path
    self.scenario = scenario
    reader = TimelineReader(of: protocols.spoken(in: scenario))
  }

  /// - Throws: what kept the file from being complete.
  func write(_ report: RunReport, plan: RunPlan, seed: UInt64) throws {
    let page = TimelinePage(
      timeline: reader.timeline(report.judgement, scenario: scenario), title: report.judgement.header.scenario,
      verdict: report.verdict.name,
      facts: [
        "seed \(seed)", "digest \(report.judgement.outcome.digest.hexadecimal)",
        "\(report.judgement.outcome.endInstant) s",
      ],
      repeatLine: plan.repeatLine(seed: seed), file: plan.path.split(separator: "/").last.map(String.init) ?? plan.path,
      version: Babbench.version)
    try FileSink.write(try page.octets(), to: path)
  }
}
