import Bench
import Campaigns
import Conformance
import RunReports
import Stress

/// Runs one seed: once for its verdict and files, once more when determinism is to be checked, and once more when
/// something is wrong and is to be explained, since a run that passes need not keep what explains it.
struct SeedRun {
  var bench: Bench
  var plan: RunPlan
  var scenario: Scenario

  /// - Parameters:
  ///   - list: of a folder that only one run has: what an earlier one has left there goes.
  ///   - explains: what is wrong is put down to what is known of the run.
  func run(
    seed: UInt64, output: OutputFolder?, list: RunList? = nil, explains: Bool = false
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
      + (events.map { [$0.reader] } ?? [])
    let judgement = try bench.judge(scenario, options, readers: readers)
    var report = try RunReport(judgement, meter?.measures, of: scenario)
    if explains { try explain(&report, options) }
    if plan.checksDeterminism {
      report.divergence = try DeterminismCheck(bench: bench, scenario: scenario).divergence(from: judgement, options)
    }
    try files?.complete(report, repeatLine: plan.repeatLine(seed: seed))
    try page?.write(report, repeatLine: plan.repeatLine(seed: seed))
    try events?.writeEvents(report)
    return report
  }

  /// Plays it once more. Where that comes to another digest, as with a program of which each run differs, nothing is
  /// explained: it would be another run. What a program that broke down wrote last is its reason, and one that hangs
  /// would take its time again.
  private func explain(_ report: inout RunReport, _ options: RunOptions) throws {
    guard !report.troubles.isEmpty, report.judgement.outcome.breakdown == nil, !Interruption.isRequested else { return }
    let keeper = RunKeeper()
    let again = try bench.judge(scenario, options, readers: [keeper])
    guard again.outcome.digest == report.judgement.outcome.digest else { return }
    report.explain(by: StoryTeller(keeper.run, of: protocols.spoken(in: scenario), scenario: scenario))
  }
}
