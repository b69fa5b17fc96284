import BabSuite
import BeamSuite
import Bench
import Bystanders
import Conformance
import Shrink

@testable import Explore

/// The bench as `babbench explore` uses it, without files.
enum ExploreBench {
  static let protocols: [AppProtocol] = [.bab, .beamscribe, .bystander]
  static let language = ScenarioLanguage(protocols)

  static let real = TrialBench(
    read: { ScenarioReader.read(text: $0, file: "world.yaml", language: language) },
    judge: { scenario, options, readers in
      let judge = protocols.judge(of: scenario)
      _ = try World.run(scenario, options: options, readers: [judge] + readers, engines: protocols.engines)
      return judge.judgement!
    })

  static func draw(
    _ kind: WorldKind, _ names: [String] = protocols.map(\.name), engines: [(who: String, engine: String)] = []
  ) -> WorldDraw {
    var options = WorldOptions(kind: kind, protocols: names)
    options.engines = engines
    return WorldDraw(options, language: language)
  }
}
