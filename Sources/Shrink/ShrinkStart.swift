package import Bench
package import RunCauses

/// A failing scenario before anything is left out, with the reason that is kept.
package struct ShrinkStart: Sendable {
  /// Without places and without its seed.
  package var tree: YAMLTree
  package var seed: UInt64
  /// Where it comes from, for people.
  package var origin: String
  package var sighting: Sighting
  /// Nil: it fails for the reason even without everything that a control can take away.
  package var control: Control?
  package var trial: Trial
  package var executions: Int
  /// What every smaller run and its control are held to.
  var bounds: TrialBounds

  /// Runs a scenario.
  ///
  /// - Parameter tree: overrides are applied to it already.
  /// - Throws: `ScenarioProblems`, or what the bench throws when it fails.
  package static func run(_ tree: YAMLTree, seed: UInt64, on bench: TrialBench) throws -> (YAMLTree, Trial) {
    let tree = tree.withoutLocations.removing(TreePath(["seed"]))
    let scenario = try bench.read(ScenarioText.text(of: tree)).get()
    return (tree, try Trial(scenario, seed: seed, bounds: nil, on: bench))
  }

  /// Finds the control for a reason.
  ///
  /// - Parameters:
  ///   - run: what `run` gave.
  ///   - sighting: one of the run's.
  package init(
    _ run: (tree: YAMLTree, trial: Trial), seed: UInt64, origin: String, sighting: Sighting, on bench: TrialBench
  ) throws {
    tree = run.tree
    trial = run.trial
    self.seed = seed
    self.origin = origin
    self.sighting = sighting
    executions = 1
    bounds = TrialBounds(run.trial, nil)
    for control in Control.allCases where control.applied(to: tree) != tree {
      executions += 1
      let trial = try control.trial(tree, seed: seed, bounds: nil, on: bench)
      if let trial, !trial.shows(sighting.reason) {
        self.control = control
        bounds = TrialBounds(run.trial, trial)
        return
      }
    }
  }
}
