package import Bench
import RunReports
import SimKernel

/// A scenario in the course of its reduction.
package struct Variant: Hashable, Sendable {
  package var tree: YAMLTree
  package var seed: UInt64
}

/// What became of one smaller scenario.
package struct Attempt: Sendable {
  package enum Outcome: Sendable {
    /// The reader refuses it.
    case invalid
    /// It fails for the reason, and does not where the control takes the cause away.
    case keeps(seed: UInt64, Trial)
    /// It fails for the reason, and does so also where the control takes the cause away: another cause.
    case failsAnyway
    /// It fails for other reasons, the first of which is this one.
    case failsOtherwise(String)
    case passes
    /// It ran much longer than the original.
    case tooLong
    /// It is rougher than the original in this, and was not run.
    case rougher(String)
    /// The bench itself failed.
    case broken(String)
  }

  package var outcome: Outcome
  /// Runs that it took.
  package var executions: Int

  var isKept: Bool {
    if case .keeps = outcome { return true }
    return false
  }

  /// Why the part that this attempt leaves out is needed, for people; nil when that says nothing.
  var words: String? {
    switch outcome {
    case .invalid, .keeps: nil
    case .failsAnyway: "fails in the control too"
    case .failsOtherwise(let text): "fails otherwise: \(text)"
    case .passes: "passes"
    case .tooLong: "runs too long"
    case .rougher(let what): "would be rougher: \(what)"
    case .broken(let text): "breaks the bench: \(text)"
    }
  }
}

/// What an attempt is held to; the same for all of them.
struct Standard: Sendable {
  var reason: Reason
  var control: Control?
  var bounds: TrialBounds
  var roughness: Roughness
  var bench: TrialBench

  /// Tries one scenario with one seed after the other, until it keeps the reason.
  func attempt(_ tree: YAMLTree, seeds: [UInt64]) -> Attempt {
    var executions = 0
    guard case .success(let scenario) = bench.read(ScenarioText.text(of: tree)) else {
      return Attempt(outcome: .invalid, executions: 0)
    }
    if let what = roughness.excess(of: scenario, tree) { return Attempt(outcome: .rougher(what), executions: 0) }
    var outcome = Attempt.Outcome.passes
    do {
      for seed in seeds {
        let trial = try Trial(scenario, seed: seed, bounds: bounds, on: bench)
        executions += 1
        if bounds.stopped(trial, of: scenario) {
          outcome = .tooLong
        } else if !trial.shows(reason) {
          if let first = trial.sightings.first { outcome = .failsOtherwise(first.text) }
        } else if try showsInSilence(scenario, seed: seed, &executions) {
          outcome = .failsAnyway
        } else if let control {
          executions += 1
          let other = try control.trial(tree, seed: seed, bounds: bounds, on: bench)
          if let other, !other.shows(reason) {
            return Attempt(outcome: .keeps(seed: seed, trial), executions: executions)
          }
          outcome = .failsAnyway
        } else {
          return Attempt(outcome: .keeps(seed: seed, trial), executions: executions)
        }
      }
    } catch {
      outcome = .broken("\(error)")
    }
    return Attempt(outcome: outcome, executions: executions)
  }

  private func showsInSilence(_ scenario: Scenario, seed: UInt64, _ executions: inout Int) throws -> Bool {
    guard let silence = bench.silence else { return false }
    executions += 1
    var quiet = bench
    quiet.judge = silence
    return try Trial(scenario, seed: seed, bounds: bounds, on: quiet).shows(reason)
  }
}
