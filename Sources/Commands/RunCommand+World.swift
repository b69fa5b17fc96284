import Bench
import Conformance
import SimKernel

extension Bench {
  /// The bench as it is shipped: scenario files, the world, the reference engines and the mutants.
  static let real = Bench(
    load: { path, settings in
      try ScenarioFile.load(
        path, language: .shipped, overrides: settings.compactMap { ScenarioOverride($0) }
      ).get()
    },
    run: { scenario, options, readers in
      try World.run(
        scenario, options: options, readers: readers,
        engines: protocols.engines,
        progress: { instant in
          if Console.showsProgress { Console.progress("\(scenario.name): \(instant) s") }
        })
    })
}
