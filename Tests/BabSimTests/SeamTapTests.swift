import AppSeam
import BabSim
import Bench
import BluetoothWire
import Expectations
import SimKernel
import Testing

@Suite("Taps at the seams of a world")
struct SeamTapTests {
  private static let room = """
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
      - client-1: radio off
      - after: 2s
        client-1: radio on
    expect:
      - that: everyone is FINISHED
        within: 60s
    """

  private static let scenario = try! ScenarioReader.read(text: room, file: "tap.yaml", language: .bab()).get()

  private static let engines: EngineFactory = { _, configuration in BabEngines.reference(configuration) }

  /// A run with a tap, and what has passed it.
  private func run(
    _ seam: Seam, stepping: Bool, takes: @escaping (World, TappedUnit) -> Bool = { _, _ in false }
  ) throws -> (outcome: RunOutcome, units: [TappedUnit]) {
    var options = RunOptions(seed: 3)
    options.stepsIdleEvents = stepping
    options.hasTappedDoors = seam == .hci
    let world = World(Self.scenario, options: options, readers: [], engines: Self.engines)
    var units: [TappedUnit] = []
    world.tap(seam) { [unowned world] unit in
      units.append(unit)
      return takes(world, unit)
    }
    try world.prepare()
    let ending = world.play(for: .seconds(600), events: 10_000_000)
    return (world.finish(ending: ending ?? .stopped), units)
  }

  @Test("A tap that takes nothing moves no digest", arguments: Seam.allCases, [false, true])
  func unarmed(seam: Seam, stepping: Bool) throws {
    let plain = try World.run(Self.scenario, options: RunOptions(seed: 3), engines: Self.engines)
    let tapped = try run(seam, stepping: stepping)
    equal(tapped.outcome.digest, plain.digest)
    expect(tapped.outcome.statistics == plain.statistics || stepping)
    equal(Set(tapped.units.map(\.device)), [0, 1, 2])
  }

  @Test("Values that are taken and sent again past the tap arrive; those that are swallowed do not")
  func taken() throws {
    let passed = try run(.fragment, stepping: false) { world, unit in
      world.send([unit], after: .zero)
      return true
    }
    expect(passed.outcome.devices.allSatisfy { $0.valuesReceived > 0 })
    let swallowed = try run(.fragment, stepping: false) { _, unit in unit.device == 1 }
    expect(swallowed.units.contains { $0.device == 1 })
    equal(swallowed.outcome.devices[1].valuesSent, 0)
    expect(swallowed.outcome.devices[2].valuesSent > 0)
  }

  @Test("ATT PDUs pass without L2CAP header, frames with it, HCI packets with their indicator")
  func shapes() throws {
    let frame = try required(try run(.l2cap, stepping: false).units.first { $0.octets[2...3] == [4, 0] })
    equal(Int(frame.octets[0]), frame.octets.count - L2CAP.headerLength)
    let pdus = try run(.att, stepping: false).units
    expect(pdus.contains { $0.octets.first == ATT.Opcode.handleValueNotification.rawValue })
    let packets = try run(.hci, stepping: false).units
    equal(packets.first?.octets, [1, 3, 0x0C, 0], "HCI_Reset is the first command (Vol 4, Part E, 7.3.2)")
  }

  @Test("Playing stops at the event at which a condition begins to hold")
  func state() throws {
    let condition = try ScenarioReader.condition(
      "all clients in lobby", source: "--when", of: Self.scenario, language: .bab()
    ).get()
    let world = World(Self.scenario, options: RunOptions(seed: 3), readers: [], engines: Self.engines)
    try world.prepare()
    expect(world.play(until: condition))
    let state = world.now
    expect(world.play(until: condition))
    equal(world.now, state)
    let never = try ScenarioReader.condition(
      "host has at least 9 links", source: "--when", of: Self.scenario, language: .bab()
    ).get()
    expect(!world.play(until: never))
  }
}
