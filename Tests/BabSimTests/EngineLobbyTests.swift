import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import BabSim

@Suite("The engines make a lobby")
struct EngineLobbyTests {
  @Test("Two peers reach the lobby in every dialect", arguments: Dialect.all)
  func twoPeers(dialect: Dialect) {
    let harness = EngineHarness.lobby(dialect: dialect, clients: 1)
    harness.run(for: .seconds(2))
    equal(harness.host.roster, ["host", "peer-1"])
    equal(harness.devices[1].roster, ["host", "peer-1"])
    equal(harness.devices[1].linkState, "CONNECTED")
    equal(harness.devices[1].lobby, harness.host.lobby)
  }

  @Test("A full lobby that joins at once shows the same lobby everywhere", arguments: Dialect.all)
  func fullLobby(dialect: Dialect) {
    let harness = EngineHarness.lobby(dialect: dialect, clients: dialect.capacity - 1)
    harness.user(0, .setLobbyScenario("the-heist"))
    harness.user(0, .setLobbyDifficulty("hard"))
    harness.run(for: .seconds(5))
    equal(harness.host.roster?.count, dialect.capacity)
    equal(harness.host.lobby?.scenarioID, "the-heist")
    for client in harness.clients {
      equal(client.lobby, harness.host.lobby)
      equal(client.roster, harness.host.roster)
      expect(client.violations.isEmpty && client.refusals.isEmpty)
    }
    expect(harness.host.violations.isEmpty && harness.host.refusals.isEmpty)
    expect(harness.host.advertisement == nil, "a full host does not advertise")
  }

  @Test("One more than the capacity never gets in", arguments: Dialect.all)
  func onePeerTooMany(dialect: Dialect) {
    let harness = EngineHarness.lobby(dialect: dialect, clients: dialect.capacity)
    harness.run(for: .seconds(60))
    let rosters = harness.devices.flatMap { device in
      device.reports.compactMap { if case .roster(let roster) = $0 { roster.count } else { nil } }
    }
    equal(rosters.max(), dialect.capacity)
    equal(harness.clients.filter { $0.linkState == "CONNECTED" }.count, dialect.capacity - 1)
  }

  @Test("A full host ends one connection more at once and cleanly")
  func connectionTooMany() {
    let harness = EngineHarness.lobby(dialect: .guide, clients: 7)
    harness.run(for: .seconds(5))
    let address = BluetoothAddress(kind: .random, bits: 0xC0FFEE)
    let effects = harness.host.engine.handle(.connected(LinkID(99), peer: address), at: harness.now)
    expect(effects.contains(.disconnect(LinkID(99))))
    equal(harness.host.roster?.count, 8)
  }

  @Test("A late joiner is told the lobby, the roles and who is ready")
  func lateJoiner() {
    let harness = EngineHarness.lobby(dialect: .guide, clients: 1)
    harness.user(0, .setLobbyScenario("ensemble"))
    harness.run(for: .seconds(2))
    harness.user(1, .requestRole("role-2"))
    harness.run(for: .seconds(1))
    harness.user(1, .setReady(true))
    harness.run(for: .seconds(1))
    let late = harness.addClient(.guide, 2)
    harness.user(late, .joinHost)
    harness.run(for: .seconds(2))
    let device = harness.devices[late]
    equal(device.lobby, harness.host.lobby)
    expect(device.reports.contains(.role(player: "peer-1", role: "role-2")))
    expect(device.reports.contains(.ready(player: "peer-1", true)))
    equal(device.phase, "ROLE_SELECTION")
    equal(harness.devices[1].phase, "WAITING")
  }

  @Test("No two players get the same role, and nobody is ready without one")
  func roles() {
    let harness = EngineHarness.lobby(dialect: .sdk, clients: 2)
    harness.user(0, .setLobbyScenario("coffee-shop"))
    harness.run(for: .seconds(2))
    harness.user(1, .requestRole("barista"))
    harness.user(2, .requestRole("barista"))
    harness.user(0, .setReady(true))
    harness.run(for: .seconds(1))
    let roles = harness.host.reports.filter { if case .role = $0 { true } else { false } }
    equal(roles.count, 1, "whoever is heard first")
    expect(
      roles.allSatisfy {
        [.role(player: "peer-1", role: "barista"), .role(player: "peer-2", role: "barista")].contains($0)
      })
    expect(!harness.host.reports.contains(.ready(player: "host", true)))
    equal(harness.host.refusals.count, 1)
  }

  @Test("A game with roles starts only when every player is ready with a role")
  func startNeedsEverybody() {
    let harness = EngineHarness.lobby(dialect: .guide, clients: 1)
    harness.user(0, .setLobbyScenario("coffee-shop"))
    harness.run(for: .seconds(2))
    harness.user(0, .assignRole(player: "host", role: "barista"))
    harness.user(0, .setReady(true))
    harness.user(1, .requestRole("customer"))
    harness.run(for: .seconds(1))
    harness.user(0, .startMultiplayerGame)
    equal(harness.host.phase, "WAITING")
    harness.user(1, .setReady(true))
    harness.run(for: .seconds(1))
    harness.user(0, .startMultiplayerGame)
    harness.run(for: .seconds(1))
    equal(harness.host.phase, "ACTIVE")
    equal(harness.devices[1].phase, "ACTIVE")
    equal(harness.devices[1].received(.gameStarted).count, 1)
  }

  @Test("The plain start needs a scenario and a client")
  func plainStart() {
    let alone = EngineHarness.lobby(dialect: .guide, clients: 0)
    alone.user(0, .setLobbyScenario("coffee-shop"))
    alone.user(0, .startLobbyGame)
    equal(alone.host.phase, "LOBBY")
    let harness = EngineHarness.lobby(dialect: .guide, clients: 1)
    harness.run(for: .seconds(2))
    harness.user(0, .startLobbyGame)
    equal(harness.host.phase, "LOBBY")
    harness.user(0, .setLobbyScenario("coffee-shop"))
    harness.user(0, .startLobbyGame)
    harness.run(for: .seconds(1))
    equal(harness.devices.map(\.phase), ["ACTIVE", "ACTIVE"])
    expect(harness.host.advertisement == nil)
  }

  @Test("A stranger is turned away from a running game, cleanly, and gives up")
  func strangerInGame() {
    let harness = EngineHarness.lobby(dialect: .guide, clients: 2)
    harness.user(0, .setLobbyScenario("coffee-shop"))
    harness.run(for: .seconds(2))
    harness.user(0, .startLobbyGame)
    harness.user(2, .leave)
    harness.run(for: .seconds(1))
    let stranger = harness.addClient(.guide, 3)
    harness.user(stranger, .joinHost)
    harness.run(for: .seconds(20))
    equal(harness.host.roster, ["host", "peer-1"])
    expect(harness.host.refusals.contains("the game has begun"))
    equal(harness.devices[stranger].linkState, "DISCONNECTED")
    equal(harness.devices[stranger].ending, "refused by the host")
  }

  @Test("A client of another dialect finds no host", arguments: [Dialect.sdk, .app])
  func otherDialect(dialect: Dialect) {
    let harness = EngineHarness()
    harness.populate(dialect: .guide, clients: 0)
    harness.addClient(dialect, 1)
    harness.user(1, .joinHost)
    harness.run(for: .seconds(20))
    equal(harness.host.roster, ["host"])
    equal(harness.devices[1].linkState, (dialect.scanTimeout == nil ? "CONNECTING" : "DISCONNECTED"))
    equal(harness.devices[1].ending, (dialect.scanTimeout == nil ? nil : "no host found"))
  }

  @Test("A lobby of eight joins at the smallest ATT_MTU")
  func smallestATTMTU() {
    let harness = EngineHarness()
    harness.hostATTMTU = 23
    harness.populate(dialect: .guide, clients: 7)
    harness.run(for: .seconds(10))
    for device in harness.devices { equal(device.lobby?.players.count, 8) }
  }

  @Test("A link that never joins is given up, and its seat is free again")
  func silentLink() {
    let harness = EngineHarness.lobby(dialect: .guide, clients: 0)
    let address = BluetoothAddress(kind: .random, bits: 0xC0FFEE)
    _ = harness.host.engine.handle(.connected(LinkID(1), peer: address), at: harness.now)
    let late = harness.now + .seconds(15)
    let effects = harness.host.engine.handle(.timer(EngineTimer.join(LinkID(1))), at: late)
    expect(effects.contains(.disconnect(LinkID(1))))
  }

  @Test("Raw framing loses every packet that is longer than a value, as its source does")
  func rawFraming() {
    var dialect = Dialect.guide
    dialect.framing = .raw
    let harness = EngineHarness.lobby(dialect: dialect, clients: 1)
    harness.run(for: .seconds(10))
    equal(harness.devices[1].linkState, "CONNECTING")
    expect(harness.host.refusals.contains { $0.hasPrefix("not a packet") })
  }

  @Test("Heartbeats go both ways when they are asked for")
  func heartbeats() {
    let harness = EngineHarness.lobby(dialect: .guide, clients: 2) { $0.heartbeatInterval = .seconds(1) }
    harness.run(for: .seconds(11))
    expect(harness.host.received(.heartbeat).count >= 16)
    expect(harness.devices[1].received(.heartbeat).count >= 8)
  }
}
