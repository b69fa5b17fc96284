import Bench
import Conformance
import Judging
import RunReports

/// What the bench knows that explains what is wrong with one run of many, in a line; campaigns keep no circumstances,
/// so the run is played once more.
enum KnownReason {
  /// Runs of one campaign that are played once more for this.
  static let limit = 10

  /// - Returns: nil where nothing is wrong, nothing that is known explains it, or the run cannot be played.
  static func text(of seed: UInt64, _ plan: RunPlan, _ scenario: Scenario, on bench: Bench) -> String? {
    var plan = plan
    plan.checksDeterminism = false
    let run = SeedRun(bench: bench, plan: plan, scenario: scenario)
    let report = try? run.run(seed: seed, output: nil, explains: true)
    return report.flatMap { text(of: $0, scenario) }
  }

  /// - Parameter report: that is explained.
  static func text(of report: RunReport, _ scenario: Scenario) -> String? {
    report.known(in: protocols.spoken(in: scenario)).first?.reason
  }
}
