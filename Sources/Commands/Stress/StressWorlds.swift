import AppSeam
import Bench
import Campaigns
import Conformance
import Judging
import RunReports
import Stress

/// Plays worlds of a campaign, one at a time; each thread has one of its own.
struct StressWorlds {
  let bench: Bench
  /// The file of the scenario.
  let path: String
  let plan: StressPlan
  private let measures = MeasureList(protocols)
  /// The cell whose scenario was read last.
  private var cell = -1
  private var scenario: Result<Scenario, any Error>?

  init(bench: Bench, path: String, plan: StressPlan) {
    self.bench = bench
    self.path = path
    self.plan = plan
  }

  mutating func play(_ index: Int) -> WorldResult {
    let (cell, seed) = plan.grid.world(index)
    if cell != self.cell {
      self.cell = cell
      scenario = Result { try bench.load(path, plan.settings + plan.grid.settings(of: cell)) }
    }
    do {
      guard let scenario = try scenario?.get() else { throw BenchFailure("no scenario") }
      let meter = MeasureReader(measures)
      let judgement = try bench.judge(scenario, RunOptions(seed: seed), readers: [meter])
      return result(index, try RunReport(judgement, meter.measures, of: scenario))
    } catch {
      return WorldResult(
        index: index, verdict: .error, digest: nil, queueEvents: 0, causes: ["\(error)"], detail: "", samples: nil,
        measures: plan.measures.count)
    }
  }

  private func result(_ index: Int, _ report: RunReport) -> WorldResult {
    let faults = Self.faults(report)
    return WorldResult(
      index: index, verdict: report.verdict, digest: report.judgement.outcome.digest,
      queueEvents: report.judgement.outcome.statistics.queueEvents, causes: faults.map(\.cause),
      detail: faults.first?.detail ?? "", samples: report.measures, measures: plan.measures.count)
  }

  /// What went wrong, without names of devices, instants and numbers; the first thing first.
  private static func faults(_ report: RunReport) -> [(cause: String, detail: String)] {
    let judgement = report.judgement
    var faults: [(cause: String, detail: String)] = []
    for finding in judgement.findings.filter({ $0.verdict > .pass }).sorted(by: { $0.instant < $1.instant }) {
      let devices = judgement.header.devices
      let known = devices.indices.contains(finding.device)
      let role = known ? " by a \(devices[finding.device].role.rawValue)" : ""
      faults.append(
        (
          "\(finding.oracle) (\(finding.clause))\(role)",
          "\(known ? devices[finding.device].name : "world") at \(finding.instant) s: expected \(finding.expected),"
            + " saw \(finding.actual)"
        ))
    }
    for expectation in judgement.expectations where !expectation.holds {
      let words = expectation.verdict == .fail ? "expected: " : "undecided: "
      faults.append((words + expectation.text, expectation.detail))
    }
    for claim in report.claims {
      if let trouble = claim.trouble { faults.append(("claim: " + trouble.claim, trouble.actual)) }
    }
    if faults.isEmpty, report.verdict > .pass { faults.append(("verdict \(report.verdict.name)", "")) }
    if report.verdict == .none { faults.append(("nothing was judged", "")) }
    return faults
  }
}
