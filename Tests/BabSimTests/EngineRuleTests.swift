import AppSeam
import BluetoothWire
import Expectations
import SimKernel
import Testing

@testable import BabSim

@Suite("The engines ignore and report what breaks a rule")
struct EngineRuleTests {
  static let result = PronunciationResult(errorCount: 0, accuracy: 1, wordErrors: [], skipped: false, duration: 900)

  /// peer-1 and peer-2 with a host in a running game; it is the host's turn.
  static func running() -> EngineHarness { EngineReconnectTests.running(clients: 2) }

  /// Clocks far ahead, so that nothing is taken for an old packet.
  static func packet(_ sender: String, _ payload: PacketPayload, type: PacketType? = nil) -> BabPacket {
    BabPacket(
      type: type ?? payload.type, senderID: sender, vectorClock: VectorClock([sender: 1_000]), payload: payload)
  }

  /// The harness index of the player that sits there in the roster.
  static func seat(_ place: Int, _ harness: EngineHarness) -> Int {
    EngineReconnectTests.index(of: harness.host.roster?[place] ?? "", harness)
  }

  static let line = DialogLine(
    id: "line-9", speakerID: "x", roleName: "x", textNative: "t", textTranslated: "t", timestamp: 0)

  static let hostOnly: [PacketPayload] = [
    .dialogLineAdded(line), .fullStateSnapshot(SessionState()), .navigationSync(screenName: "x"), .gameStarted,
    .turnAdvanced(nextPlayerID: "peer-1", pendingLine: nil),
    .leaderboardUpdate(Leaderboard(rankings: [], updatedAt: 0)), .lobbyUpdate(LobbyState()), .startGame,
  ]

  @Test("A host-only packet from a client changes nothing", arguments: hostOnly)
  func hostOnlyPacket(payload: PacketPayload) {
    let harness = Self.running()
    Self.expectNothing(harness, rule: "BAB 7.1") { harness in
      harness.inject(Self.packet("peer-1", payload), central: 1, dialect: .guide)
    }
  }

  @Test("A senderId that is not the link's changes nothing")
  func foreignSender() {
    let harness = Self.running()
    Self.expectNothing(harness, rule: "BAB 7.2") { harness in
      harness.inject(
        Self.packet("host", .lineCompleted(lineID: "line-1", result: Self.result)), central: 1, dialect: .guide)
    }
  }

  @Test("Nobody reads another player's line")
  func foreignLine() {
    let harness = Self.running()
    Self.expectNothing(harness, rule: "BAB 7.3") { harness in
      harness.inject(
        Self.packet("peer-1", .lineCompleted(lineID: "line-1", result: Self.result)), central: 1, dialect: .guide)
    }
    Self.expectNothing(harness, rule: "BAB 7.3") { harness in
      harness.inject(Self.packet("peer-2", .lineSkipped(lineID: "line-1")), central: 2, dialect: .guide)
    }
  }

  @Test("A second HANDSHAKE with another id changes nothing")
  func secondHandshake() {
    let harness = Self.running()
    Self.expectNothing(harness, rule: "BAB 7.4") { harness in
      harness.inject(
        Self.packet("peer-9", .handshake(Participant(id: "peer-9", name: "Nine"))), central: 1, dialect: .guide)
    }
  }

  @Test("A client takes nothing that is not its host's")
  func notTheHost() {
    let harness = Self.running()
    let before = harness.devices[1].reports.count
    for payload in [PacketPayload.turnAdvanced(nextPlayerID: "peer-1", pendingLine: Self.line), .gameStarted] {
      harness.injectFromHost(Self.packet("peer-2", payload), central: 1, dialect: .guide)
    }
    let new = harness.devices[1].reports.dropFirst(before)
    equal(harness.devices[1].violations, ["BAB 7.5", "BAB 7.5"])
    expect(new.allSatisfy { $0.isWireTalk })
  }

  @Test("A packet before the HANDSHAKE changes nothing")
  func handshakeFirst() {
    let harness = Self.running()
    let link = LinkID(88)
    harness.user(1, .leave)
    harness.run(for: .seconds(1))
    harness.tell(0, .connected(link, peer: BluetoothAddress(kind: .random, bits: 1)))
    let packet = Self.packet("peer-1", .clientJoin(LobbyProfile(playerID: "peer-1", displayName: "P")))
    let roster = harness.host.roster
    for value in PacketCoder.cut(packet.encoded(), packetID: 1, attMTU: 517, framing: .framed) {
      harness.tell(0, .valueReceived(link, characteristic: Dialect.guide.command.uuid, octets: value))
    }
    equal(harness.host.violations, ["BAB 7.6"])
    equal(harness.host.roster, roster)
  }

  static let forOthers: [PacketPayload] = [
    .roleAssigned(playerID: "peer-2", roleID: "role-3"), .playerReady(playerID: "peer-2", isReady: true),
    .voteRequest(proposerID: "peer-2", action: .endGame), .voteCast(voterID: "peer-2", vote: true),
    .clientJoin(LobbyProfile(playerID: "peer-2", displayName: "Two")),
  ]

  @Test("Nobody acts for another player", arguments: forOthers)
  func actingForAnother(payload: PacketPayload) {
    let harness = Self.running()
    Self.expectNothing(harness, rule: "BAB 7.7") { harness in
      harness.inject(Self.packet("peer-1", payload), central: 1, dialect: .guide)
    }
  }

  @Test("An envelope that names another payload is reported; the payload counts")
  func envelope() {
    let harness = Self.running()
    harness.user(0, EngineReconnectTests.perfect)
    harness.run(for: .seconds(1))
    let player = harness.host.turn ?? ""
    let central = EngineReconnectTests.index(of: player, harness)
    let packet = Self.packet(player, .lineSkipped(lineID: "line-2"), type: .heartbeat)
    harness.inject(packet, central: central, dialect: .guide)
    equal(harness.host.violations, ["BAB 7.8"])
    equal(harness.host.history, ["line-1", "line-2"])
  }

  @Test("An id that is taken is not given twice")
  func identityInUse() {
    let harness = EngineHarness.lobby(dialect: .guide, clients: 1)
    harness.run(for: .seconds(2))
    let thief = harness.add(
      ClientEngine(configuration: EngineHarness.configuration(.guide, "peer-1")), name: "thief")
    harness.user(thief, .joinHost)
    harness.run(for: .seconds(5))
    expect(harness.host.violations.contains("BAB 7.9"))
    equal(harness.host.roster, ["host", "peer-1"])
    equal(harness.devices[1].linkState, "CONNECTED")
    equal(harness.devices[thief].ending, "refused by the host")
  }

  @Test("Nobody else is the host")
  func secondHost() {
    let harness = EngineHarness.lobby(dialect: .guide, clients: 0)
    for (number, participant) in [
      Participant(id: "host", name: "H"), Participant(id: "peer-1", name: "P", isHost: true),
    ].enumerated() {
      let link = LinkID(number + 1)
      harness.tell(0, .connected(link, peer: BluetoothAddress(kind: .random, bits: UInt64(number))))
      let packet = Self.packet(participant.id, .handshake(participant))
      for value in PacketCoder.cut(packet.encoded(), packetID: 1, attMTU: 517, framing: .framed) {
        harness.tell(0, .valueReceived(link, characteristic: Dialect.guide.command.uuid, octets: value))
      }
    }
    equal(harness.host.violations, ["BAB 7.10", "BAB 7.10"])
    equal(harness.host.roster, ["host"])
  }

  static let impossible: [PronunciationResult] = [
    .init(errorCount: 0, accuracy: 1.5, wordErrors: [], skipped: false, duration: 1),
    .init(errorCount: 0, accuracy: -0.1, wordErrors: [], skipped: false, duration: 1),
    .init(errorCount: -1, accuracy: 1, wordErrors: [], skipped: false, duration: 1),
    .init(errorCount: Int32.max, accuracy: 1, wordErrors: [], skipped: false, duration: 1),
    .init(errorCount: 0, accuracy: 1, wordErrors: [], skipped: false, duration: Int64.max),
    .init(errorCount: 0, accuracy: 1, wordErrors: [], skipped: false, duration: Int64.min),
  ]

  @Test("An impossible result earns nothing", arguments: impossible)
  func impossibleResult(result: PronunciationResult) {
    let harness = Self.running()
    harness.user(0, EngineReconnectTests.perfect)
    harness.run(for: .seconds(1))
    let player = harness.host.turn ?? ""
    Self.expectNothing(harness, rule: "BAB 7.11") { harness in
      harness.inject(
        Self.packet(player, .lineCompleted(lineID: "line-2", result: result)),
        central: EngineReconnectTests.index(of: player, harness), dialect: .guide)
    }
  }

  @Test("A client-only packet from the host changes nothing")
  func clientOnly() {
    let harness = Self.running()
    harness.injectFromHost(Self.packet("host", .generateRequest(prompt: "x")), central: 1, dialect: .guide)
    equal(harness.devices[1].violations, ["BAB 7.12"])
  }

  @Test("A repeat and an unknown line change nothing and are no violation")
  func repeats() {
    let harness = Self.running()
    harness.user(0, EngineReconnectTests.perfect)
    harness.run(for: .seconds(1))
    let player = harness.host.turn ?? ""
    let central = EngineReconnectTests.index(of: player, harness)
    harness.user(central, EngineReconnectTests.perfect)
    harness.run(for: .seconds(1))
    for id in ["line-2", "line-99", ""] {
      Self.expectNothing(harness, rule: nil) { harness in
        harness.inject(
          Self.packet(player, .lineCompleted(lineID: id, result: Self.result)), central: central, dialect: .guide)
      }
    }
  }

  @Test("A packet that is older than the newest one of its link changes nothing")
  func latePacket() {
    let harness = Self.running()
    let late = BabPacket(
      senderID: "peer-1", vectorClock: VectorClock(["peer-1": 1]),
      payload: .voteRequest(proposerID: "peer-1", action: .endGame))
    Self.expectNothing(harness, rule: nil) { $0.inject(late, central: 1, dialect: .guide) }
    expect(harness.host.refusals.contains { $0.contains("came after") })
  }

  @Test("No octets make an engine stop, whatever comes", arguments: [UInt64(1), 2, 3])
  func noise(seed: UInt64) {
    let harness = Self.running()
    var random = RandomStream(seed: seed, component: "test", purpose: "noise")
    let dialect = Dialect.guide
    guard let connection = harness.connection(central: 1) else { return expect(false) }
    for _ in 0..<1_500 {
      var octets = (0..<random.below(60)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      if octets.count > 3, random.happens(Ratio(1, 2)) { (octets[2], octets[3]) = (0, 1) }
      if random.happens(Ratio(1, 2)) {
        harness.tell(
          0, .valueReceived(connection.peripheralLink, characteristic: dialect.command.uuid, octets: octets))
      } else {
        harness.tell(1, .valueReceived(connection.centralLink, characteristic: dialect.state.uuid, octets: octets))
      }
    }
    EngineReconnectTests.readLines(3, harness)
    equal(harness.host.history, ["line-1", "line-2", "line-3"])
    equal(harness.devices[1].history, harness.host.history)
  }

  @Test("No order of inputs makes an engine stop", arguments: [UInt64(1), 2, 3, 4])
  func anyOrder(seed: UInt64) {
    var random = RandomStream(seed: seed, component: "test", purpose: "order")
    let host = HostEngine(configuration: EngineHarness.configuration(.guide, "host"))
    let client = ClientEngine(configuration: EngineHarness.configuration(.guide, "peer-1"))
    var now = SimInstant.zero
    for _ in 0..<4_000 {
      now = now + .milliseconds(Int64(random.below(400)))
      let input = Self.anyInput(&random)
      _ = host.handle(input, at: now)
      _ = client.handle(input, at: now)
    }
    expect(host.players.count <= 8)
  }

  private static func anyInput(_ random: inout RandomStream) -> AppInput {
    let link = LinkID(Int(random.below(6)))
    let address = BluetoothAddress(kind: .random, bits: random.below(3))
    let uuid = random.happens(Ratio(1, 2)) ? Dialect.guide.command.uuid : Dialect.guide.state.uuid
    switch random.below(16) {
    case 0: return .connected(link, peer: address)
    case 1: return .disconnected(link, reason: .connectionTimeout)
    case 2: return .radioPower(random.happens(Ratio(3, 4)))
    case 3: return .subscribed(link, characteristic: uuid, random.happens(Ratio(3, 4)))
    case 4: return .submitted(link, characteristic: uuid, accepted: random.happens(Ratio(1, 2)))
    case 5: return .readyToSend(link)
    case 6: return .writeCompleted(link, characteristic: uuid, error: random.happens(Ratio(1, 9)) ? 0x0E : nil)
    case 7: return .timer(TimerID(Int(random.below(12))))
    case 8: return .connectFailed(address, reason: .connectionFailedToBeEstablished)
    case 9: return .attMTU(link, Int(random.below(600)))
    case 10:
      return .servicesDiscovered(
        link, service: Dialect.guide.service, characteristics: [Dialect.guide.command, Dialect.guide.state])
    case 11:
      return .discovered(
        Advertisement(address: address, localName: nil, serviceUUIDs: [Dialect.guide.service], rssi: -50))
    case 12, 13: return .user(anyAction(&random))
    default:
      let payloads: [PacketPayload] = [
        .handshake(Participant(id: "peer-\(random.below(4))", name: "P")),
        .handshake(Participant(id: "host", name: "H", isHost: true)),
        .clientJoin(LobbyProfile(playerID: "peer-\(random.below(4))", displayName: "P")),
        .lobbyUpdate(LobbyState(connectedPlayers: [LobbyProfile(playerID: "peer-1", displayName: "P")])),
        .startGame, .lineSkipped(lineID: "line-1"), .voteCast(voterID: "peer-1", vote: true),
        .fullStateSnapshot(SessionState()),
      ]
      let payload = payloads[Int(random.below(UInt64(payloads.count)))]
      let sender = random.happens(Ratio(1, 2)) ? "host" : "peer-\(random.below(4))"
      let packet = BabPacket(
        senderID: sender, vectorClock: VectorClock([sender: Int64(random.below(99))]), payload: payload)
      let values = PacketCoder.cut(packet.encoded(), packetID: UInt16(random.below(999)), attMTU: 517, framing: .framed)
      return .valueReceived(link, characteristic: uuid, octets: values.count == 1 ? values[0] : [])
    }
  }

  private static func anyAction(_ random: inout RandomStream) -> BabAction {
    let actions: [BabAction] = [
      .startHosting, .setLobbyScenario("coffee-shop"), .setLobbyDifficulty("hard"), .startLobbyGame,
      .startMultiplayerGame, .assignRole(player: "peer-1", role: "barista"), .endGame, .joinHost,
      .requestRole("customer"), .setReady(true), EngineReconnectTests.perfect, .skipLine, .proposeVote("SKIP_LINE"),
      .castVote(true), .castVote(false), .generate(prompt: "x"), .leave, .startSolo, .speak("un café"),
      .endSolo(save: true), .proposeVote("nonsense"),
      .completeLine(accuracyPermille: -5, errorCount: -5, durationMilliseconds: -5),
    ]
    return actions[Int(random.below(UInt64(actions.count)))]
  }

  /// Does something to a running game; nothing but the wire's own reports and the violation may come of it.
  private static func expectNothing(
    _ harness: EngineHarness, rule: String?, _ act: (EngineHarness) -> Void
  ) {
    let before = harness.devices.map(\.reports.count)
    let violations = harness.host.violations.count
    act(harness)
    harness.run(for: .seconds(1))
    for (device, count) in zip(harness.devices, before) {
      let new = device.reports.dropFirst(count)
      expect(new.allSatisfy { $0.isWireTalk }, "\(new)")
    }
    equal(harness.host.violations.dropFirst(violations), (rule.map { [$0] } ?? []))
  }
}

extension BabReport {
  /// A report about packets, not about the session.
  var isWireTalk: Bool {
    switch self {
    case .packetReceived, .packetSent, .refused, .violation, .vectorClock: true
    default: false
    }
  }
}
