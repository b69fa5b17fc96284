import Campaigns
import Conformance
import Judging

/// The shards of `babbench conform`.
struct ConformMerge: ShardMerge {
  private let shards: ShardSet
  private let run: SuiteRun
  /// By the number of the case.
  private let reports: [[CaseReport]]
  private let files: [(part: Int, name: String)]
  /// What the whole is compared with, and what is said of it beside its files.
  var asked: MergeOptions?

  init(_ shards: ShardSet) throws {
    self.shards = shards
    let payloads = try shards.payloads(ConformPart.self)
    let first = payloads[0]
    for (part, payload) in zip(shards.parts, payloads) where payload.implementations != first.implementations {
      throw ShardSet.Refusal(
        description: "\(part.folder): the implementations are not those of \(shards.parts[0].folder)")
    }
    var run = SuiteRun(
      protocols, version: BenchVersion.current, selection: first.selection, repeatLine: first.repeatLine,
      implementations: first.implementations, planned: first.planned, cases: [])
    run.judged = first.judged
    var reports: [[CaseReport]] = Array(repeating: [], count: first.planned)
    var times = Array(repeating: 0, count: first.planned)
    var files: [(part: Int, name: String)] = []
    for (index, payload) in payloads.enumerated() {
      let shard = shards.parts[index].note.shard
      for known in payload.cases {
        let all = known.reports.compactMap { $0.report(in: run) }
        guard reports.indices.contains(known.number), shard.contains(known.number), !all.isEmpty,
          all.count == known.reports.count
        else { throw shards.damage(shards.parts[index].path(of: CampaignFolder.part)) }
        reports[known.number] = all
        times[known.number] = known.milliseconds
        files += all.flatMap(\.files.all).map { (part: index, name: $0) }
      }
    }
    if let missing = reports.firstIndex(where: \.isEmpty) {
      throw shards.damage(shards.parts[missing % payloads.count].path(of: CampaignFolder.part))
    }
    try shards.checkFiles(files)
    run.wallTimes = SuiteRun.WallTimes(
      startedAt: payloads.map(\.startedAt).min() ?? "", totalMilliseconds: payloads.map(\.milliseconds).reduce(0, +),
      caseMilliseconds: times)
    self.run = run
    self.reports = reports
    self.files = files
  }

  func write(to output: OutputFolder, for streams: OutputStreams) throws -> Int32 {
    for file in files { try shards.copy(file.name, of: file.part, to: output) }
    let files = try ConformFiles(folder: output, run)
    for (number, reports) in reports.enumerated() { files.caseEnded(number, reports) }
    var run = run
    run.cases = reports.flatMap { $0 }
    run.settleWaivers()
    run.baseline = try asked?.comparison.baseline.map { path in
      let baseline = try ConformFiles.baseline(path)
      let known = Set(baseline.entries.map(\.key))
      guard run.cases.contains(where: { known.contains(run.key(of: $0)) }) else {
        throw UsageProblem("\(path): the shards have no case in common with the baseline")
      }
      return baseline
    }
    run.failsOnRegressionsOnly = asked?.comparison.failOn == .regressions
    try files.complete(run)
    streams.tell(ConformPrinter(paint: .standardOutput, folder: output.path).text(of: run))
    try asked?.pipeline.show(PipelineReport(run, files: []), to: streams)
    return run.exitCode.rawValue
  }
}
