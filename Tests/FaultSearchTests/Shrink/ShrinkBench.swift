import AppSeam
import BabSuite
import BeamSuite
import Bench
import Bystanders
import Conformance
import Expectations
import Foundation
import SimKernel

@testable import Shrink
import RunReports

/// The bench as `babbench shrink` uses it, without files.
enum ShrinkBench {
  static let protocols: [AppProtocol] = [.bab, .beamscribe, .bystander]
  static let language = ScenarioLanguage(protocols)

  static let real = TrialBench(
    read: { ScenarioReader.read(text: $0, file: "test.yaml", language: language) },
    judge: { scenario, options, readers in
      let judge = protocols.judge(of: scenario)
      _ = try World.run(scenario, options: options, readers: [judge] + readers, engines: protocols.engines)
      return judge.judgement!
    })

  /// The tree of a text.
  static func tree(_ text: String) throws -> YAMLTree {
    try ScenarioReader.tree(octets: Array(text.utf8), file: "test.yaml", language: language, overrides: []).get()
  }

  /// Shrinks a failing scenario; the reason is given by its number from 0.
  static func shrink(
    _ text: String, seed: UInt64 = 1, reason: Int = 0, executions: Int = 2_000, seedsPerStep: Int = 1,
    on bench: TrialBench = real, _ parallel: Parallel = .none
  ) throws -> ShrinkResult {
    let run = try ShrinkStart.run(try tree(text), seed: seed, on: bench)
    guard run.1.sightings.indices.contains(reason) else { throw ShrinkFailure(description: "it does not fail so") }
    let start = try ShrinkStart(run, seed: seed, origin: "a test", sighting: run.1.sightings[reason], on: bench)
    let limits = Shrinker.Limits(executions: executions, seedsPerStep: seedsPerStep)
    return try Shrinker(start, limits: limits, bench: bench, parallel: parallel).run()
  }

  /// The reasons of a scenario file, in order.
  static func reasons(_ text: String) throws -> [Reason] {
    let scenario = try real.read(text).get()
    return try Trial(scenario, seed: scenario.seed, bounds: nil, on: real).sightings.map(\.reason)
  }

  /// An event of two over a network.
  static func event(network: String) -> String {
    """
    name: an event
    protocol: beamscribe
    network: \(network)
    devices:
      host: { at: [0, 0] }
      guest: { at: [2, 0] }
    steps:
      - host: { start event: Keynote }
      - guest: join
      - when: all guests are showing
        within: 20s
        host: { say: Good morning. }
    expect:
      - { that: all guests agree on transcript, within: 30s }
    """
  }

  /// Every scenario that is shipped, except those with programs, which its bench does not start.
  static func shipped() throws -> [(path: String, text: String)] {
    let root = Repository.root.appendingPathComponent("Scenarios")
    let walker = FileManager.default.enumerator(atPath: root.path)
    let names = (walker?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".yaml") && !$0.hasPrefix("programs/") }
      .sorted()
    return try names.map { ($0, try String(contentsOf: root.appendingPathComponent($0), encoding: .utf8)) }
  }

  /// A game of three in which this engine plays its role.
  static func game(of mutant: String) -> String {
    AppProtocol.bab.mutant(mutant)?.role.rawValue == "host" ? game(host: mutant) : game(client: mutant)
  }

  /// A game of three with room for a broken engine.
  static func game(host: String = "reference", client: String = "reference", radio: String = "ideal") -> String {
    """
    name: a game
    radio: \(radio)
    devices:
      host: { engine: \(host), at: [0, 0] }
      client: { count: 2, engine: \(client), around: host, radius: 2 m }
    game:
      lines: 6
      autoplay: { think: 300ms..600ms }
    steps:
      - host: start hosting
      - all clients: join
      - when: all clients in lobby
        within: 5s
        label: lobby full
        host: { set scenario: coffee-shop }
      - after: 500ms
        host: start lobby game
    expect:
      - that: all clients agree on lobby
        after: lobby full
        within: 3s
      - that: everyone is FINISHED
        within: 60s
      - all clients agree on lines
    """
  }
}
