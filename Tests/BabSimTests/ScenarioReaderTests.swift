import AppSeam
import Bench
import BluetoothWire
import Expectations
import Platform
import SimKernel
import Testing
import VirtualRadio

@testable import BabSim

@Suite("Reading scenarios")
struct ScenarioReaderTests {
  private func read(_ text: String, _ overrides: [String] = [], engines: [String] = []) throws -> Scenario {
    let changes = overrides.compactMap { ScenarioOverride($0) }
    equal(changes.count, overrides.count)
    return try ScenarioReader.read(text: text, file: "dir/a.yaml", language: .bab(engines: engines), overrides: changes)
      .get()
  }

  private func problems(_ text: String, _ overrides: [String], engines: [String] = []) -> [String] {
    let changes = overrides.compactMap { ScenarioOverride($0) }
    switch ScenarioReader.read(text: text, file: "a.yaml", language: .bab(engines: engines), overrides: changes) {
    case .success: return []
    case .failure(let problems): return problems.list.map(\.description)
    }
  }

  private let lobby = """
    radio: ideal
    devices:
      client: { count: 4, phone: ideal, around: host, radius: 2 m }
      host: { phone: ideal, at: [1, 2] }
    """

  @Test("What is not written has its default")
  func defaults() throws {
    let scenario = try read("devices: { host: }")
    equal(scenario.name, "a")
    equal(scenario.seed, 1)
    equal(scenario.radioPreset, "ideal")
    equal(scenario.dialect, .sdk)
    equal(scenario.devices.map(\.name), ["host"])
    equal(scenario.devices[0].phone, .ideal)
    expect(scenario.devices[0].clockPartsPerMillion == nil)
    expect(scenario.game.autoplay == nil)
    expect(scenario.steps.isEmpty)
  }

  @Test("A group becomes its members, and the host comes first")
  func groups() throws {
    let scenario = try read(lobby)
    equal(scenario.devices.map(\.name), ["host", "client-1", "client-2", "client-3", "client-4"])
    equal(scenario.devices.map(\.group), ["host", "client", "client", "client", "client"])
  }

  @Test("A circle is laid out in integers: right, up, left, down, two metres from the middle")
  func circle() throws {
    let places = try read(lobby).devices.map(\.position)
    equal(places[0], Position(x: 100, y: 200))
    equal(places[1], Position(x: 300, y: 200))
    equal(places[2], Position(x: 100, y: 400))
    equal(places[3], Position(x: -100, y: 200))
    equal(places[4], Position(x: 100, y: 0))
  }

  @Test("A line is laid out evenly, both ends taken")
  func line() throws {
    let scenario = try read("devices: { host: {}, client: { count: 3, from: [0, 0], to: [1, 3, -1] } }")
    equal(
      scenario.devices.dropFirst().map(\.position),
      [Position(x: 0, y: 0), Position(x: 50, y: 150, z: -50), Position(x: 100, y: 300, z: -100)])
  }

  @Test("An entry with a member's name changes that member only")
  func member() throws {
    let text = "devices: { host: {}, client: { count: 3, phone: android }, client-2: { phone: iphone } }"
    try equal(read(text).devices.map(\.phone.name), ["ideal", "android", "iphone", "android"])
  }

  @Test("Decimals are taken over exactly")
  func decimals() throws {
    let scenario = try read(
      """
      duration: 1.000000001s
      radio: { preset: living-room, path loss exponent: 2.85, packet loss: 0.25%, noise floor: -97.5 dBm }
      devices: { host: { at: [0.01, -2.5 m, 150 cm], clock: -35 ppm, starts: 1.5ms } }
      game: { autoplay: { think: 0.3s..900ms, accuracy: 85.5%, skip: 0.1% } }
      """)
    equal(scenario.duration, .nanoseconds(1_000_000_001))
    equal(scenario.radio.pathLossExponent, 285)
    equal(scenario.radio.packetLoss, Ratio(2_500, 1_000_000))
    equal(scenario.radio.noiseFloor, -9_750)
    equal(scenario.radio.interferers, RadioEnvironment.livingRoom.interferers)
    equal(scenario.devices[0].position, Position(x: 1, y: -250, z: 150))
    equal(scenario.devices[0].clockPartsPerMillion, -35)
    equal(scenario.devices[0].starts, .zero + .microseconds(1_500))
    let habits = try required(scenario.game.autoplay?.players.first)
    equal(habits.thinkTime, .milliseconds(300)...(.milliseconds(900)))
    equal(habits.accuracyPermille, 855...855)
    equal(habits.skipPermille, 1)
  }

  @Test("A step that does several things becomes several, and its label is on the last")
  func steps() throws {
    let scenario = try read(
      lobby + """

        steps:
          - at: 1s
            host: start hosting
            all clients: join
            label: begun
          - when: [all clients in lobby, any client is CONNECTED]
            within: 15s
            host:
              - assign role: { player: client-2, role: barista }
              - set scenario: coffee-shop
          - after: 20us
            label: pause
        expect:
          - { always: host has at most 4 links, after: begun }
          - { that: no client has ended, within: 1min, after: pause }
          - client-1, client-3 not in lobby
        """)
    equal(scenario.steps.map(\.devices), [[0], [1, 2, 3, 4], [0], [0], []])
    equal(scenario.steps.map(\.label), [nil, "begun", nil, nil, "pause"])
    equal(scenario.steps[0].trigger, .at(.zero + .seconds(1)))
    equal(scenario.steps[1].trigger, .after(.zero))
    let full = Condition.all([
      .devices([1, 2, 3, 4], .every, .bab(.inLobby)),
      .devices([1, 2, 3, 4], .any, .bab(.linkState("CONNECTED"))),
    ])
    equal(scenario.steps[2].trigger, .when(full, within: .seconds(15)))
    equal(
      scenario.steps[2].action,
      .user(Step.UserAction(AppAction(BabAction.assignRole(player: "", role: "barista")), about: 2)))
    equal(scenario.steps[3].action, .bab(.setLobbyScenario("coffee-shop")))
    equal(scenario.steps[4].trigger, .after(.microseconds(20)))
    equal(scenario.steps[4].action, .wait)
    equal(scenario.steps[1].text, "all clients: join")
    equal(scenario.steps[0].source, SourceLocation(line: 7, column: 5))
    equal(scenario.expectations[0].deadline, .always(afterStep: 1))
    equal(scenario.expectations[0].condition, .devices([0], .every, .count(.links, .atMost, 4)))
    equal(scenario.expectations[1].deadline, .within(.seconds(60), afterStep: 4))
    equal(scenario.expectations[1].condition, .devices([1, 2, 3, 4], .none, .bab(.sessionEnded)))
    equal(scenario.expectations[2].condition, .devices([1, 3], .none, .bab(.inLobby)))
    equal(scenario.expectations[2].deadline, .atEnd)
  }

  @Test(
    "Conditions read as sentences",
    arguments: [
      ("host is ACTIVE", Condition.Fact.bab(.phase("ACTIVE"))),
      ("host is RECONNECTING", .bab(.linkState("RECONNECTING"))),
      ("host is on turn", .bab(.onTurn)), ("host has ended", .bab(.sessionEnded)), ("host has resumed", .bab(.resumed)),
      ("host is ready", .bab(.ready)), ("host has role thief", .bab(.role("thief"))),
      ("host shows summary", .bab(.summaryShown)),
      ("host agrees on lobby", .bab(.lobbyEqualsHost)), ("host agrees on lines", .bab(.linesEqualHost)),
      ("host agrees on the leaderboard", .bab(.leaderboardEqualsHost)),
      ("host is advertised as \"BAB \"", .advertisedNameContains("BAB ")),
      ("host has exactly 7 links", .count(.links, .exactly, 7)),
      ("host has 1 line", .bab(.count(.committedLines, .exactly, 1))),
      ("host has at least 8 players", .bab(.count(.lobbyPlayers, .atLeast, 8))),
      ("host has violations", .bab(.count(.violations, .atLeast, 1))), ("host has links", .count(.links, .atLeast, 1)),
      ("host has LOBBY_UPDATE packets", .bab(.count(.packets("LOBBY_UPDATE"), .atLeast, 1))),
      ("host has no violations", .bab(.count(.violations, .exactly, 0))),
      ("host has at most 3 refused packets", .bab(.count(.refusals, .atMost, 3))),
      ("host has at least 2 LOBBY_UPDATE packets", .bab(.count(.packets("LOBBY_UPDATE"), .atLeast, 2))),
      ("host has ATT_MTU 23", .count(.attMTU, .exactly, 23)),
      ("host has an ATT_MTU of at least 185", .count(.attMTU, .atLeast, 185)),
    ])
  func conditions(text: String, fact: Condition.Fact) throws {
    let scenario = try read("devices: { host: {} }\nexpect:\n  - '\(text)'\n")
    equal(scenario.expectations.map(\.condition), [.devices([0], .every, fact)])
  }

  @Test("“nobody has violations” holds when none has any")
  func nobody() throws {
    let scenario = try read("devices: { host: {}, client: {} }\nexpect:\n  - nobody has violations\n")
    equal(
      scenario.expectations.map(\.condition), [.devices([0, 1], .none, .bab(.count(.violations, .atLeast, 1)))])
  }

  @Test("An address is random static or public, and a group has none for all")
  func addresses() throws {
    let scenario = try read(
      """
      devices:
        host: { address: public 00:1b:dc:07:32:9A }
        client: { count: 2 }
        client-2: { address: "C0:00:00:00:00:01" }
      """)
    equal(
      scenario.devices.map(\.address),
      [
        BluetoothAddress(kind: .publicDevice, bits: 0x001B_DC07_329A), nil,
        BluetoothAddress(kind: .random, bits: 0xC000_0000_0001),
      ])
  }

  @Test("An interferer is a Wi-Fi station, or on and off by itself")
  func interferers() throws {
    let scenario = try read(
      """
      radio:
        interferers:
          - { name: a, at: [0, 0], wifi channel: 6, airtime: 20%, frame: 500us }
          - { name: b, at: [0, 0], wifi channel: 11, airtime: 0.5% }
          - { name: c, at: [0, 0], rf channels: 3..7, on: 1ms, power: 0 dBm }
      devices: { host: {} }
      """)
    let made = scenario.radio.interferers
    equal(made.map(\.spectrum), [.wifi(6), .wifi(11), .flat(3...7)])
    equal(
      made.map(\.activity),
      [
        .carrierSense(airtimePermille: 200, meanFrame: .microseconds(500)),
        .carrierSense(airtimePermille: 5, meanFrame: .milliseconds(1)),
        .onOff(meanOn: .milliseconds(1), meanOff: .milliseconds(8)),
      ])
    equal(made.map(\.power), [700, 700, 0])
  }

  @Test("Every action becomes what it says")
  func actions() throws {
    let expected: [(String, Step.Action)] = [
      ("start hosting", .bab(.startHosting)), ("join", .bab(.joinHost)),
      ("start lobby game", .bab(.startLobbyGame)), ("start multiplayer game", .bab(.startMultiplayerGame)),
      ("end game", .bab(.endGame)), ("leave", .bab(.leave)), ("ready", .bab(.setReady(true))),
      ("not ready", .bab(.setReady(false))), ("skip line", .bab(.skipLine)), ("start solo", .bab(.startSolo)),
      ("vanish", .fault(.vanish)), ("appear", .fault(.appear)), ("radio off", .fault(.radioOff)),
      ("radio on", .fault(.radioOn)), ("kill", .fault(.kill)), ("reclaim", .fault(.reclaim)),
      ("relaunch", .fault(.relaunch)),
      ("background", .fault(.background)), ("foreground", .fault(.foreground)),
      ("disconnect", .fault(.disconnect(nil))), ("go out of range", .fault(.outOfRange)),
      ("come back", .fault(.comeBack)), ("end message faults", .fault(.messagesOff)),
      ("{ set difficulty: hard }", .bab(.setLobbyDifficulty("hard"))),
      ("{ request role: thief }", .bab(.requestRole("thief"))),
      (
        "{ complete line: { accuracy: 95%, errors: 1, takes: 2.5s } }",
        .bab(.completeLine(accuracyPermille: 950, errorCount: 1, durationMilliseconds: 2_500))
      ),
      ("{ propose vote: SKIP_LINE }", .bab(.proposeVote("SKIP_LINE"))), ("{ vote: no }", .bab(.castVote(false))),
      ("{ generate: a storm }", .bab(.generate(prompt: "a storm"))), ("{ speak: bonjour }", .bab(.speak("bonjour"))),
      ("{ end solo: discard }", .bab(.endSolo(save: false))), ("{ disconnect: client }", .fault(.disconnect(1))),
      ("{ move to: [0, 3 m] }", .fault(.move(Position(x: 0, y: 300)))),
      ("{ use channels: 2..30 }", .fault(.useChannels(2...30))),
      (
        "{ update connection: { connection interval: 50ms, supervision timeout: 3s } }",
        .fault(.updateConnections(ConnectionChange(interval: 40, supervisionTimeout: 300)))
      ),
      (
        "{ message fault: { do: corrupt, to: incoming, every: 3, count: 2 } }",
        .fault(
          .messages(MessageFaultRule(fault: .corrupt, direction: .toDevice, everyNth: 3, count: 2)))
      ),
    ]
    // Each by whoever can do it.
    let text = expected.map { "  - \($0.0 == "join" ? "client" : "host"): \($0.0)\n" }.joined()
    let scenario = try read("devices: { host: {}, client: {} }\nsteps:\n" + text)
    equal(scenario.steps.map(\.action), expected.map(\.1))
  }

  @Test("Overrides change the file before it is decoded")
  func overrides() throws {
    let scenario = try read(
      lobby,
      [
        "radio=convention-hall", "radio.packet-loss=7%", "devices.client.count=2", "devices.host.phone=iphone",
        "devices.host.phone.att-mtu=64", "devices.client-2.engine=mutant-x", "game.lines=20", "dialect=app",
        "seed=0xFF",
        "devices.host.at=[3, 4]",
      ])
    equal(scenario.radioPreset, "convention-hall")
    equal(scenario.radio.packetLoss, .partsPerMillion(70_000))
    equal(scenario.radio.interferers.count, 3)
    equal(scenario.devices.map(\.name), ["host", "client-1", "client-2"])
    equal(scenario.devices[0].phone.name, "iphone")
    equal(scenario.devices[0].phone.att.serverMTU, 64)
    equal(scenario.devices.map(\.engine), ["reference", "reference", "mutant-x"])
    equal(scenario.game.totalLines, 20)
    equal(scenario.devices.map(\.dialect), [.app, .app, .app])
    equal(scenario.seed, 255)
    equal(scenario.devices[0].position, Position(x: 300, y: 400))
  }

  @Test("A wrong override is told by its number")
  func wrongOverrides() {
    equal(
      problems(lobby, ["seed=1", "radoi=ideal"]),
      [
        "error: --set #2: a scenario has no key “radoi”; did you mean “radio”?"
      ])
    equal(
      problems(lobby, ["duration=5"]), ["error: --set #1: “duration” “5” has no unit; write 5s, 300ms, 20us or 1min"])
    equal(
      problems(lobby, ["devices.host.engine=mutant-y"], engines: ["mutant-x"]),
      ["error: --set #1: engine “mutant-y” does not exist; did you mean “mutant-x”?"])
    equal(
      problems(lobby, ["devices.hst.engine=reference"]),
      [
        "error: --set #1: there is no device “hst”; did you mean “host”?"
      ])
    equal(
      problems(lobby, ["devices.extra.at=[1, 1]"]).first?.hasSuffix(", or a whole device: devices.extra={…}"), true)
    expect(problems(lobby, ["devices.extra={}"]).isEmpty)
    expect(problems(lobby, ["devices.extra={}", "devices.extra.at=[1, 1]"]).isEmpty)
    expect(ScenarioOverride("no equals sign") == nil)
    expect(ScenarioOverride("a..b=1") == nil)
  }

  @Test("Tags of YAML's core schema change nothing")
  func tags() {
    expect(
      problems("seed: !!int 5\ndevices: !!map { host: {} }\nsteps: !!seq [ host: !!str start hosting ]\n", []).isEmpty)
  }

  @Test("Roles, script and quiet players are taken over")
  func game() throws {
    let scenario = try read(
      lobby + """

        game:
          scenario: station
          roles: [{ id: clerk }, { id: rider, name: The Rider, description: Late }]
          script: [{ role: clerk, native: Hi, translated: Salut }, { native: Bye, translated: Ciao }]
          heartbeat: 2s
          autoplay: { think: 1s, players: { client-2: idle, client-3: { think: 4s..5s } } }
        """)
    let game = scenario.game
    equal(game.roles.map(\.name), ["clerk", "The Rider"])
    equal(game.script.map(\.role), ["clerk", nil])
    equal(game.totalLines, 2)
    equal(game.heartbeat, .seconds(2))
    equal(game.autoplay?.players.map(\.isActive), [true, true, false, true, true])
    equal(game.autoplay?.players[3].thinkTime, .seconds(4)...(.seconds(5)))
  }
}

extension Condition.Fact {
  fileprivate static func bab(_ fact: BabFact) -> Self { .app(AppFact(fact)) }
}

extension Step.Action {
  fileprivate static func bab(_ action: BabAction) -> Self { .user(Step.UserAction(AppAction(action))) }
}
