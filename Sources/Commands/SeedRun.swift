import Bench
import Campaigns
import Conformance
import Measures

/// Runs one seed: once for its verdict and files, once more when determinism is to be checked.
struct SeedRun {
  var bench: Bench
  var plan: RunPlan
  var scenario: Scenario

  /// - Parameters:
  ///   - list: of a folder that only one run has: what an earlier one has left there goes.
  ///   - circumstances: keeps what explains what is wrong; nil: nobody asks.
  func run(
    seed: UInt64, output: OutputFolder?, list: RunList? = nil, circumstances: CircumstanceReader? = nil
  ) throws -> RunReport {
    let options = RunOptions(seed: seed)
    let files = try output.map {
      try RunFiles(folder: $0, writesCaptures: plan.writesCaptures, scenario: scenario, file: plan.path, list: list)
    }
    let meter = output == nil && scenario.claims.isEmpty ? nil : MeasureReader(protocols)
    let page = plan.page.map { RunPage(path: $0, scenario: scenario, file: plan.path) }
    let events = plan.traceEvents.map { RunPage(path: $0, scenario: scenario, file: plan.path) }
    let readers =
      (files?.readers ?? []) + (meter.map { [$0] } ?? []) + (page.map { [$0.reader] } ?? [])
      + (events.map { [$0.reader] } ?? []) + (circumstances.map { [$0] } ?? [])
    let judgement = try bench.judge(scenario, options, readers: readers)
    var report = try RunReport(judgement, meter?.measures, of: scenario)
    report.circumstances = circumstances?.circumstances.without(protocols.spoken(in: scenario).chart.ordinary)
    if plan.checksDeterminism {
      report.divergence = try DeterminismCheck(bench: bench, scenario: scenario).divergence(from: judgement, options)
    }
    try files?.complete(report, repeatLine: plan.repeatLine(seed: seed))
    try page?.write(report, repeatLine: plan.repeatLine(seed: seed))
    try events?.writeEvents(report)
    return report
  }
}
