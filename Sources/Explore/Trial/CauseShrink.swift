import AppSeam
import Bench
import Conformance
import Judging
import RunReports
package import Shrink

/// Makes the world of a cause smaller, as long as it shows that cause.
package struct CauseShrink: Sendable {
  private let trial: WorldTrial

  package init(_ trial: WorldTrial) { self.trial = trial }

  /// Nil where there is nothing to make smaller: what the reader refuses, and what the bench itself fails in.
  /// - Parameters:
  ///   - seed: of a world that shows the cause.
  ///   - origin: the line that plays that world.
  ///   - executions: at most so many runs.
  /// - Throws: what the bench throws when it fails.
  package func smallest(
    of cause: WorldCause, seed: UInt64, origin: String, executions: Int, parallel: Parallel,
    shouldStop: @escaping () -> Bool, progress: @escaping (Shrinker) -> Void
  ) throws -> ShrinkResult? {
    guard ![.refusal, .bench].contains(cause.kind) else { return nil }
    let bench = trial.bench(showing: cause)
    let run = try ShrinkStart.run(trial.tree(seed), seed: seed, on: bench)
    guard let sighting = run.1.sightings.first(where: { Self.shows($0, cause) }) else { return nil }
    let start = try ShrinkStart(run, seed: seed, origin: origin, sighting: sighting, on: bench)
    // A world is found by its one seed, and is not tried with others.
    return try Shrinker(
      start, limits: Shrinker.Limits(executions: executions, seedsPerStep: 1), bench: bench, parallel: parallel,
      shouldStop: shouldStop, progress: progress
    ).run()
  }

  private static func shows(_ sighting: Sighting, _ cause: WorldCause) -> Bool {
    switch sighting.reason {
    case .finding(let oracle, let clause, let role):
      oracle == cause.findingName && clause == cause.clause && role == cause.role
    case .expectation: cause.kind == .expectation && WorldCause.rule(ofExpectation: sighting.text) == cause.rule
    case .wait, .unfinished: false
    }
  }
}

extension WorldCause {
  /// How a finding that stands for it is called.
  var findingName: String { kind == .mode || kind == .capture ? "\(kind.rawValue): \(rule)" : rule }
}

extension WorldTrial {
  /// Judges as runs are judged, and adds what stands for a cause that no run shows by itself.
  fileprivate func bench(showing cause: WorldCause) -> TrialBench {
    guard cause.kind == .mode || cause.kind == .capture else { return bench }
    let trial = self
    var copy = bench
    copy.judge = { scenario, options, readers in
      var judgement = try trial.bench.judge(scenario, options, readers)
      guard let sighting = try trial.sighting(of: cause, scenario, options.seed, judgement) else { return judgement }
      let device = judgement.header.devices.firstIndex { $0.role.rawValue == cause.role }
      let finding = Finding(
        oracle: cause.findingName, verdict: .fail, instant: judgement.outcome.endInstant,
        device: cause.role.isEmpty ? -1 : device ?? -1, clause: cause.clause, expected: "what the run says",
        actual: sighting.detail, record: nil)
      judgement.oracles.append(
        OracleResult(
          id: cause.findingName, claim: cause.text, clause: cause.clause, verdict: .fail, judged: 1, open: 0,
          findings: [finding], suppressedFindings: 0))
      return judgement
    }
    return copy
  }
}
