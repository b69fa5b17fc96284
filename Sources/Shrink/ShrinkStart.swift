package import Bench
package import RunReports

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
  /// What no smaller scenario may exceed.
  let roughness: Roughness

  /// Runs a scenario.
  ///
  /// - Parameter tree: overrides are applied to it already.
  /// - Throws: `ScenarioProblems`, or what the bench throws when it fails.
  package static func run(_ tree: YAMLTree, seed: UInt64, on bench: TrialBench) throws -> (YAMLTree, Trial) {
    let tree = tree.withoutLocations.removing(TreePath(["seed"]))
    let scenario = try bench.read(ScenarioText.text(of: tree)).get()
    return (tree, try Trial(scenario, seed: seed, bounds: nil, on: bench))
  }

  /// Finds the control for a reason. `mended` is the control if it is given; nothing is looked for then.
  ///
  /// - Parameters:
  ///   - run: what `run` gave.
  ///   - sighting: one of the run's.
  /// - Throws: `MendedProblem`; what the bench throws.
  package init(
    _ run: (tree: YAMLTree, trial: Trial), seed: UInt64, origin: String, sighting: Sighting, mended: Mended? = nil,
    on bench: TrialBench
  ) throws {
    tree = run.tree
    trial = run.trial
    self.seed = seed
    self.origin = origin
    self.sighting = sighting
    executions = 1
    bounds = TrialBounds(run.trial, nil)
    roughness = Roughness(try bench.read(ScenarioText.text(of: tree)).get(), tree)
    if let mended {
      executions += 1
      let trial = try Self.trial(of: mended, tree, seed: seed, sighting, on: bench)
      control = .mended(mended)
      bounds = TrialBounds(run.trial, trial)
      return
    }
    for control in Control.searched where control.applied(to: tree) != tree {
      executions += 1
      let trial = try control.trial(tree, seed: seed, bounds: nil, on: bench)
      if let trial, !trial.shows(sighting.reason) {
        self.control = control
        bounds = TrialBounds(run.trial, trial)
        return
      }
    }
  }

  /// The run with the fixed engine, which must not fail for the reason.
  private static func trial(
    of mended: Mended, _ tree: YAMLTree, seed: UInt64, _ sighting: Sighting, on bench: TrialBench
  ) throws -> Trial {
    if Mended.replaced(in: tree) == nil {
      throw MendedProblem(description: "no device runs a program or names an engine that \(mended.name) could replace")
    }
    switch bench.read(ScenarioText.text(of: mended.applied(to: tree))) {
    case .failure(let problems):
      let words = problems.list.first?.message ?? "it cannot be played"
      throw MendedProblem(description: "the scenario refuses \(mended.name): \(words)")
    case .success(let scenario):
      let trial = try Trial(scenario, seed: seed, bounds: nil, on: bench)
      if trial.shows(sighting.reason) {
        throw MendedProblem(
          description: "the run fails for the same reason with \(mended.name); give an engine without the defect")
      }
      return trial
    }
  }
}

/// An engine that was given as the fixed one, and is not.
package struct MendedProblem: Error, CustomStringConvertible {
  package var description: String
}
