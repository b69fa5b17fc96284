import Bench
import Campaigns
import Conformance
import SimKernel

extension Bench {
  /// The bench as it is shipped: scenario files, the world, the reference engines and the mutants.
  static let real = Bench(
    load: { path, settings in
      let scenario = try ScenarioFile.load(
        path, language: .shipped, overrides: settings.compactMap { ScenarioOverride($0) },
        environment: Environment.inherited
      ).get()
      // Whatever is not done and not expected is not judged either, and must not look as if it had been.
      if scenario.steps.isEmpty, scenario.expectations.isEmpty, scenario.claims.isEmpty {
        throw ScenarioProblems(list: [
          ScenarioProblem(
            file: path, location: SourceLocation(line: 1, column: 1),
            message: "the scenario does nothing and expects nothing; write “steps:” and “expect:”")
        ])
      }
      // A program may report nothing, and cannot be asked then.
      let undecided = scenario.unanswerable(seats: [], file: path)
      if !undecided.isEmpty { throw ScenarioProblems(list: undecided) }
      return scenario
    },
    run: { scenario, options, readers in
      try World.run(
        scenario, options: options, readers: readers,
        engines: protocols.engines, programs: scenario.programs.isEmpty ? nil : ProgramCrew(protocols),
        progress: { instant in
          if Console.showsProgress { Console.progress("\(scenario.name): \(instant) s") }
        })
    })
}
