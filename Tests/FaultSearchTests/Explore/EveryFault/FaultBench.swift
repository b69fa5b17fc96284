import BabSuite
import BeamSuite
import Bench
import Bystanders
import Conformance
import Explore
import SimKernel

/// Plans of small scenarios, made as the command makes them.
struct FaultBench {
  static let twoPeers = """
    devices:
      host: {}
      client: { count: 2 }
    game: { lines: 4, autoplay: { think: 300ms..900ms, accuracy: 80%..100% } }
    steps:
      - host: start hosting
      - all clients: join
      - when: all clients in lobby
        within: 5s
        host: { set scenario: coffee-shop }
      - after: 500ms
        host: start lobby game
    expect:
      - that: everyone is FINISHED
        within: 60s
    """

  let protocols = [AppProtocol.bab, .beamscribe, .bystander]
  let worlds: JudgedWorld.Bench
  let plan: EveryFaultPlan
  /// What the run without a fault shows.
  let undisturbed: FaultedWorld

  init(_ text: String = twoPeers, seed: UInt64 = 1, kinds: [FaultKind] = FaultKind.allCases) throws {
    let language = ScenarioLanguage(protocols)
    worlds = JudgedWorld.Bench(protocols: protocols, language: language)
    let tree = try ScenarioReader.tree(octets: Array(text.utf8), file: "test", language: language, overrides: []).get()
    let read: BaseScenario.Reader = { ScenarioReader.read(text: $0, file: "test", language: language) }
    let original = try read(text).get()
    let end = try World.run(original, options: RunOptions(seed: seed), engines: protocols.engines).endInstant
    let margin = SimDuration.seconds(45)
    let base = try BaseScenario(tree, seed: seed, margin: margin, span: .seconds(600), read: read)
    let reader = PlaceReader(base.scenario, protocols: protocols)
    var scenario = base.scenario
    scenario.meanwhile.append(
      Aside(source: SourceLocation(line: 1, column: 1), instant: end, devices: [], action: .wait, text: "wait"))
    undisturbed = try JudgedWorld(scenario, seed: seed, on: worlds, isHeld: false, readers: [reader]).finish()
    plan = EveryFaultPlan(
      base, seed: seed, places: reader.places, arrivals: reader.arrivals, end: end, margin: margin, kinds: kinds)
  }

  /// A world as a child plays it: from a world that stands before the place.
  func held(_ disturbance: Disturbance, earlier: SimDuration = .nanoseconds(1)) throws -> FaultedWorld {
    let world = try JudgedWorld(plan.scenario, seed: plan.seed, on: worlds, isHeld: true)
    world.play(to: plan.places[disturbance.faults[0].place].instant - earlier)
    world.add(try plan.asides(of: disturbance, on: worlds))
    return world.finish()
  }

  /// A world as its file plays it.
  func filed(_ disturbance: Disturbance, stepsIdleEvents: Bool = false) throws -> RunOutcome {
    let text = plan.base.text(with: disturbance.asides, remarks: ["a test"])
    let scenario = try ScenarioReader.read(text: text, file: "world", language: worlds.language).get()
    var options = RunOptions(seed: scenario.seed)
    options.stepsIdleEvents = stepsIdleEvents
    return try World.run(scenario, options: options, engines: protocols.engines)
  }
}
