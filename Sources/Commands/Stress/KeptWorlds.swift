import Bench
import Campaigns
import Judging
import Stress

/// Plays the few worlds of a campaign again that somebody will want to look at, and writes their files.
struct KeptWorlds {
  private let bench: Bench
  private let path: String
  private let plan: StressPlan

  /// Causes whose smallest world is kept.
  private static let causes = 10
  /// Worlds with more queue events have no files: those would be some hundred megabytes and more.
  static let eventLimit = 2_000_000

  init(_ bench: Bench, _ path: String, _ plan: StressPlan) {
    self.bench = bench
    self.path = path
    self.plan = plan
  }

  /// - Returns: the folders in that of the campaign, by world.
  func write(_ report: StressReport, to output: OutputFolder) throws -> [Int: String] {
    // A world that the bench fails in has no files.
    let examples = report.causes.map(\.cause).filter {
      $0.verdict != Verdict.error.name && $0.exampleEvents <= Self.eventLimit
    }.prefix(Self.causes).map(\.example)
    // A shard does not know the worst worlds of all.
    let headline = plan.shard == .all ? report.headline : []
    let worst = headline.compactMap { report.tally.worst[$0].first }.filter {
      $0.queueEvents <= Self.eventLimit
    }.map(\.world)
    var kept: [Int: String] = [:]
    for world in examples + worst where kept[world] == nil && !Interruption.isRequested {
      let name = "worlds/\(world)"
      Console.progress("keeping world \(world)")
      let (run, seed) = plan.run(of: world, path: path)
      let scenario = try bench.load(path, run.settings)
      _ = try SeedRun(bench: bench, plan: run, scenario: scenario).run(seed: seed, output: try output.folder(name))
      kept[world] = name
    }
    Console.endProgress()
    return kept
  }
}
