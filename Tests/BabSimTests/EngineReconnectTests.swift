import AppSeam
import BluetoothWire
import Expectations
import Platform
import SimKernel
import Testing

@testable import BabSim

@Suite("The engines lose each other and come back")
struct EngineReconnectTests {
  /// A running game in which nobody reads until told to.
  static func running(
    _ dialect: Dialect = .guide, clients: Int = 3, attMTU: Int = 185, lines: Int = 0
  ) -> EngineHarness {
    let harness = EngineHarness()
    harness.hostATTMTU = attMTU
    harness.populate(dialect: dialect, clients: clients) { $0.totalLines = lines }
    harness.user(0, .setLobbyScenario("ensemble"))
    harness.run(for: .seconds(8))
    harness.user(0, .startLobbyGame)
    harness.run(for: .seconds(2))
    return harness
  }

  static let perfect = BabAction.completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 2_000)

  static func index(of player: String, _ harness: EngineHarness) -> Int {
    harness.devices.firstIndex { $0.name == player } ?? 0
  }

  /// Everybody whose turn it is reads, so many times.
  static func readLines(_ count: Int, _ harness: EngineHarness, each span: SimDuration = .seconds(3)) {
    for _ in 0..<count {
      guard let player = harness.host.turn else { return }
      harness.user(index(of: player, harness), perfect)
      harness.run(for: span)
    }
  }

  @Test("A client that is gone in its turn loses the turn to the next, and its line is nobody's")
  func goneInTurn() {
    let harness = Self.running()
    harness.user(0, Self.perfect)
    harness.run(for: .seconds(1))
    let gone = harness.host.turn ?? ""
    let roster = harness.host.roster ?? []
    harness.user(Self.index(of: gone, harness), .leave)
    harness.run(for: .seconds(1))
    expect(harness.connection(central: Self.index(of: gone, harness)) == nil)
    equal(harness.host.roster, roster.filter { $0 != gone })
    equal(harness.host.turn, roster[2])
    for client in harness.clients where client.name != gone { equal(client.turn, roster[2]) }
    Self.readLines(3, harness)
    equal(harness.host.history, ["line-1", "line-3", "line-4", "line-5"])
    for client in harness.clients where client.name != gone { equal(client.history, harness.host.history) }
  }

  @Test(
    "A client that comes back within the window resumes: history, place, points", arguments: Dialect.all, [185, 23])
  func resumes(dialect: Dialect, attMTU: Int) {
    let harness = Self.running(dialect, attMTU: attMTU)
    // Packets of some hundred octets in values of twenty take their time.
    let span = SimDuration.seconds(attMTU == 23 ? 12 : 3)
    Self.readLines(6, harness, each: span)
    let roster = harness.host.roster ?? []
    let lost = Self.index(of: roster[1], harness)
    let before = harness.host.leaderboard?.first { $0.player == roster[1] }?.score
    harness.lose(central: lost)
    equal(harness.devices[lost].linkState, "RECONNECTING")
    equal(harness.host.roster?.contains(roster[1]), false)
    harness.run(for: .seconds(10))
    expect(harness.devices[lost].hasResumed)
    equal(harness.devices[lost].linkState, "CONNECTED")
    equal(harness.host.roster, roster, "the old place in the roster")
    Self.readLines(4, harness, each: span)
    equal(harness.devices[lost].history, harness.host.history)
    equal(harness.host.history.count, 10)
    let after = harness.host.leaderboard?.first { $0.player == roster[1] }?.score
    expect((after ?? 0) > (before ?? 0) && (before ?? 0) > 0)
    expect(harness.host.refusals.isEmpty)
  }

  @Test("Lines that were read while a client was away are in its history, in order")
  func catchesUp() {
    let harness = Self.running()
    let roster = harness.host.roster ?? []
    let lost = Self.index(of: roster[3], harness)
    Self.readLines(1, harness)
    // While the radio of the client is off it cannot come back by itself.
    harness.apply(.radioOff, lost)
    Self.readLines(3, harness)
    equal(harness.devices[lost].history.count, 1)
    harness.apply(.radioOn, lost)
    harness.run(for: .seconds(5))
    expect(harness.devices[lost].hasResumed)
    equal(harness.devices[lost].history, harness.host.history)
    equal(harness.host.history.count, 4)
  }

  @Test("A ranking that changed because somebody came back is what all show, before the next line")
  func rankingAfterReturn() {
    let harness = Self.running()
    let lost = Self.index(of: harness.host.roster?[3] ?? "", harness)
    Self.readLines(4, harness)
    harness.apply(.radioOff, lost)
    Self.readLines(3, harness)
    equal(harness.host.leaderboard?.count, 3)
    harness.apply(.radioOn, lost)
    harness.run(for: .seconds(2))
    expect(harness.devices[lost].hasResumed)
    equal(harness.host.leaderboard?.count, 4)
    expect(harness.clients.allSatisfy { $0.leaderboard == harness.host.leaderboard })
    // Who comes back while nothing has changed costs nobody a packet.
    let told = harness.host.sent(.leaderboardUpdate)
    harness.lose(central: lost)
    harness.run(for: .seconds(10))
    expect(harness.devices[lost].hasResumed && harness.host.sent(.leaderboardUpdate) == told)
  }

  @Test("A client whose host is gone gives up after thirty seconds, not before")
  func hostGone() {
    let harness = Self.running(clients: 2)
    harness.apply(.radioOff, 0)
    harness.run(for: .seconds(1))
    let lost = harness.clients.compactMap { $0.time(ofLinkState: "RECONNECTING") }
    guard lost.count == 2, let first = lost.min(), let last = lost.max() else { return expect(false) }
    harness.run(until: first + .milliseconds(29_999))
    expect(harness.clients.allSatisfy { $0.linkState == "RECONNECTING" && $0.ending == nil })
    harness.run(until: last + .seconds(30))
    expect(harness.clients.allSatisfy { $0.linkState == "DISCONNECTED" && $0.ending == "host gone" })
    expect(harness.clients.allSatisfy { !$0.hasTimers && !$0.isScanning && !$0.isConnecting })
  }

  @Test("A host whose radio was off advertises again, and its clients come back")
  func radioOffAndOn() {
    let harness = Self.running(clients: 2)
    Self.readLines(2, harness)
    harness.apply(.radioOff, 0)
    equal(harness.host.roster, ["host"])
    harness.run(for: .seconds(5))
    harness.apply(.radioOn, 0)
    harness.run(for: .seconds(10))
    equal(harness.host.roster?.count, 3)
    expect(harness.clients.allSatisfy { $0.hasResumed && $0.history == harness.host.history })
  }

  @Test("A host forgets a player who does not come back, and closes the game again")
  func forgets() {
    let harness = Self.running(clients: 2)
    harness.user(2, .leave)
    harness.run(for: .seconds(2))
    expect(harness.host.advertisement != nil)
    harness.run(for: .seconds(45))
    expect(harness.host.advertisement == nil)
  }

  @Test("A client that comes again before the host has noticed takes its own place")
  func newLinkBeforeOldOneIsGone() {
    let harness = Self.running(.guide, clients: 1)
    Self.readLines(2, harness)
    let address = harness.devices[1].address
    let dialect = Dialect.guide
    // The host sees a second link from the same address while the first one still stands.
    let link = LinkID(77)
    harness.tell(0, .connected(link, peer: address))
    harness.tell(0, .subscribed(link, characteristic: dialect.state.uuid, true))
    for payload in [
      PacketPayload.handshake(Participant(id: "peer-1", name: "P")),
      .clientJoin(LobbyProfile(playerID: "peer-1", displayName: "P")),
    ] {
      let packet = BabPacket(senderID: "peer-1", vectorClock: VectorClock(["peer-1": 1]), payload: payload)
      let values = PacketCoder.cut(packet.encoded(), packetID: 1, attMTU: 517, framing: .framed)
      for value in values {
        harness.tell(0, .valueReceived(link, characteristic: dialect.command.uuid, octets: value))
      }
    }
    equal(harness.host.roster, ["host", "peer-1"])
    expect(harness.host.violations.isEmpty)
  }

  @Test("Host and client that leave end the session for themselves")
  func leaving() {
    let harness = EngineHarness.lobby(dialect: .guide, clients: 2)
    harness.run(for: .seconds(2))
    harness.user(1, .leave)
    harness.run(for: .seconds(1))
    equal(harness.devices[1].ending, "left")
    equal(harness.host.roster, ["host", "peer-2"])
    equal(harness.devices[2].roster, ["host", "peer-2"])
    harness.user(0, .leave)
    harness.run(for: .seconds(31))
    equal(harness.host.ending, "left")
    equal(harness.devices[2].ending, "host gone")
    equal(harness.devices[2].linkState, "DISCONNECTED")
  }

  @Test("After the end of the game a lost link is no reason to come back")
  func finished() {
    let harness = Self.running(clients: 1, lines: 2)
    Self.readLines(2, harness)
    equal(harness.devices[1].phase, "FINISHED")
    harness.user(0, .leave)
    harness.run(for: .seconds(1))
    equal(harness.devices[1].ending, "finished")
    equal(harness.devices[1].linkState, "DISCONNECTED")
  }

  @Test("After a game the same apps make another lobby and play again")
  func playAgain() {
    let harness = Self.running(clients: 2, lines: 3)
    Self.readLines(3, harness)
    for device in [1, 2, 0] { harness.user(device, .leave) }
    harness.run(for: .seconds(1))
    harness.user(0, .startHosting)
    for client in 1...2 { harness.user(client, .joinHost) }
    harness.run(for: .seconds(3))
    harness.user(0, .setLobbyScenario("coffee-shop"))
    harness.user(0, .startLobbyGame)
    harness.run(for: .seconds(1))
    Self.readLines(3, harness)
    for device in harness.devices {
      equal(device.phase, "FINISHED")
      let committed: [String] = device.reports.compactMap {
        if case .committed(_, let id, _) = $0 { id } else { nil }
      }
      equal(committed, ["line-1", "line-2", "line-3", "line-4", "line-5", "line-6"])
    }
  }

  @Test("A host that loses all links at once gives one line to one player")
  func allGone() {
    let harness = Self.running(clients: 3)
    harness.user(0, Self.perfect)
    harness.run(for: .seconds(1))
    harness.apply(.radioOff, 0)
    equal(harness.host.turn, "host")
    let generated = harness.host.reports.filter { if case .lineGenerated = $0 { true } else { false } }
    equal(generated.count, 3)
  }

  @Test("Connections that fail are tried again, later every time, until one holds")
  func backOff() {
    var configuration = BabConfiguration(dialect: .guide, peerID: "peer-1", displayName: "P")
    configuration.seed = 7
    let engine = ClientEngine(configuration: configuration)
    let address = BluetoothAddress(kind: .random, bits: 0xC0)
    let advertisement = Advertisement(
      address: address, localName: nil, serviceUUIDs: [Dialect.guide.service], rssi: -40)
    var now = SimInstant.zero
    _ = engine.handle(.user(.joinHost), at: now)
    var connects = 0
    var effects = engine.handle(.discovered(advertisement), at: now)
    for _ in 0..<9 {
      connects += effects.filter { $0 == .connect(address) }.count
      effects = engine.handle(.connectFailed(address, reason: .connectionFailedToBeEstablished), at: now)
      guard case .setTimer(EngineTimer.retry, let at)? = effects.last else { return expect(false) }
      expect(at > now && at - now <= configuration.retryDelay * 17)
      now = at
      effects = engine.handle(.timer(EngineTimer.retry), at: now)
      if effects.contains(.scan(services: [Dialect.guide.service])) {
        effects = engine.handle(.discovered(advertisement), at: now)
      }
    }
    equal(connects, 9)
  }
}
