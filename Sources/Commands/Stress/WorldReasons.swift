import Bench
import Campaigns
import Judging
import Stress

/// Plays the smallest world of each cause of a campaign again, for what the bench knows of it.
struct WorldReasons {
  private let bench: Bench
  private let path: String
  private let plan: StressPlan

  init(_ bench: Bench, _ path: String, _ plan: StressPlan) {
    self.bench = bench
    self.path = path
    self.plan = plan
  }

  /// - Returns: what explains them, by the world's number.
  func all(_ report: StressReport) -> [Int: String] {
    let examples = report.causes.map(\.cause).filter {
      $0.verdict != Verdict.error.name && $0.exampleEvents <= KeptWorlds.eventLimit
    }
    var reasons: [Int: String] = [:]
    for world in examples.prefix(KnownReason.limit).map(\.example) where !Interruption.isRequested {
      let (run, seed) = plan.run(of: world, path: path)
      guard let scenario = try? bench.load(path, run.settings) else { continue }
      reasons[world] = KnownReason.text(of: seed, run, scenario, on: bench)
    }
    return reasons
  }
}
