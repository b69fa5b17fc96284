import Conformance
import Expectations
import Foundation
import Shrink
import SimKernel
import Testing
import VirtualRadio

@testable import Bench
@testable import Explore

/// Each key is declared once, and so what is read of it can be written.
@Suite("Models written as scenarios")
struct WrittenModelTests {
  private static let bench = ExploreBench.real

  private static func read(_ tree: YAMLTree) throws -> Scenario {
    try bench.read(ScenarioText.text(of: tree)).get()
  }

  /// The scenario with its room, network, limits, lobbies and phones written from what was read of them.
  /// - Parameter namesRoom: the room is written as changes of its preset, and not of the ideal one.
  private static func written(_ tree: YAMLTree, _ scenario: Scenario, namesRoom: Bool) -> YAMLTree {
    func changed(_ preset: String, _ changes: YAMLTree) -> YAMLTree {
      .map([("preset", .scalar(preset))] + changes.entries.map { ($0.key, $0.value) })
    }
    func replaced(_ key: String, _ new: YAMLTree, in tree: YAMLTree) -> YAMLTree {
      tree.entry(key) == nil ? tree : tree.replacing(TreePath([key]), with: new)
    }
    var tree = replaced("limits", Keys.limits.tree(of: scenario.limits), in: tree)
    tree = replaced("lobbies", Keys.lobbies.tree(of: scenario.lobbies), in: tree)
    if !namesRoom {
      tree = replaced("radio", Keys.room.tree(of: scenario.radio, unlike: .ideal), in: tree)
    } else if let base = RadioEnvironment.preset(named: scenario.radioPreset) {
      tree = replaced(
        "radio", changed(scenario.radioPreset, Keys.room.tree(of: scenario.radio, unlike: base)), in: tree)
    }
    if let network = scenario.network, let base = ScenarioNetwork.named(network.preset) {
      tree = replaced("network", changed(network.preset, Keys.network.tree(of: network, unlike: base)), in: tree)
    }
    let bodies = tree.entry("devices")?.entries ?? []
    for entry in bodies {
      guard let phone = entry.value.entry("phone") else { continue }
      let name = phone.scalar ?? phone.entry("preset")?.scalar ?? "ideal"
      let device = scenario.devices.first { device in
        let name = device.name.prefix { $0 != "@" }
        return name == entry.key || device.group == entry.key && !bodies.contains { $0.key == name }
      }
      guard let base = PhonePreset.named(name), let device else { continue }
      tree = tree.replacing(
        TreePath(["devices", entry.key, "phone"]), with: changed(name, Keys.phone.tree(of: device.phone, unlike: base)))
    }
    return tree
  }

  private static func check(_ tree: YAMLTree, _ name: String) throws {
    let scenario = try read(tree)
    for namesRoom in [true, false] {
      let new = written(tree, scenario, namesRoom: namesRoom)
      let again = try read(new)
      let text = "\(name): \(ScenarioText.text(of: new))"
      expect(again.radio == scenario.radio && again.network == scenario.network, "\(text)")
      expect(again.limits == scenario.limits && again.lobbies == scenario.lobbies, "\(text)")
      equal(again.devices, scenario.devices, "\(text)")
      expect(!namesRoom || again.radioPreset == scenario.radioPreset, "\(text)")
      // What is written of a model that was written is the same text.
      let twice = ScenarioText.text(of: written(new, again, namesRoom: namesRoom))
      equal(twice, ScenarioText.text(of: new))
    }
  }

  @Test("Worlds of drawn seeds are the same after reading, writing and reading", arguments: WorldKind.allCases)
  func drawn(kind: WorldKind) throws {
    let draw = ExploreBench.draw(kind)
    for seed in Part.of(Array(UInt64(1)...400), 16) { try Self.check(draw.world(seed), "seed \(seed)") }
  }

  @Test("Shipped scenarios are the same after reading, writing and reading")
  func shipped() throws {
    let root = Repository.root.appendingPathComponent("Scenarios")
    let names = (FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? []).sorted()
    var count = 0
    for name in names where name.hasSuffix(".yaml") && !name.hasPrefix("programs/") {
      let octets = [UInt8](try Data(contentsOf: root.appendingPathComponent(name)))
      let tree = ScenarioReader.tree(octets: octets, file: name, language: ExploreBench.language, overrides: [])
      try Self.check(try tree.get(), name)
      count += 1
    }
    expect(count > 40, "\(count) scenarios")
  }

  @Test("A world that was written runs as before, in both modes", arguments: WorldKind.allCases, [1, 5, 6] as [UInt64])
  func runs(kind: WorldKind, seed: UInt64) throws {
    let tree = ExploreBench.draw(kind).world(seed)
    let scenario = try Self.read(tree)
    let again = try Self.read(Self.written(tree, scenario, namesRoom: true))
    let digests = try [scenario, again].flatMap { scenario in
      try [false, true].map { isStepped in
        var options = RunOptions(seed: seed)
        options.stepsIdleEvents = isStepped
        return try Self.bench.judge(scenario, options, []).outcome.digest
      }
    }
    equal(Set(digests).count, 1, "\(digests)")
  }

  @Test("A room has its keys in the order of the schema, and only those that say something")
  func text() throws {
    let text = """
      devices: { host: {}, client: {} }
      radio:
        path loss exponent: 2.7
        packet loss: 0.05%
        channel loss: { 37: 5%, 0..10: 30% }
        fading: { kind: log-normal, deviation: 4.5 dB, coherence time: 1500us }
        bursts: { good: 1min, bad: 0.5s, loss in bad: 100% }
        interferers:
          - { name: oven, at: [1, -2.5], rf channels: 3, on: 8ms }
          - { name: point, at: [0, 0, 1], wifi channel: 6, airtime: 12.5% }
      steps: [{ host: start hosting }]
      """
    let room = try Self.bench.read(text).get().radio
    equal(
      ScenarioText.text(of: .map([("radio", Keys.room.tree(of: room, unlike: .ideal))])),
      """
      radio:
        path loss exponent: 2.7
        packet loss: 500 ppm
        channel loss: { 0..10: 30%, 37: 5% }
        fading: { kind: log-normal, coherence time: 1500us, deviation: 4.5 dB }
        bursts: { good: 60s, bad: 500ms, loss in bad: 100% }
        interferers:
          - { name: oven, at: [1, -2.5, 0], rf channels: 3..3, power: 7 dBm, on: 8ms, off: 8ms }
          - { name: point, at: [0, 0, 1], wifi channel: 6, power: 7 dBm, airtime: 12.5%, frame: 1ms }

      """)
    expect(Keys.room.tree(of: .ideal, unlike: .ideal).entries.isEmpty)
  }
}
