import BabSim
import BluetoothWire
import SimKernel

/// Situations around lost links: gathering, a game to come back to, losing and returning.
extension TestBed {
  /// The implementation hosts, and so many clients get their seats in order.
  func gather(_ count: Int) throws {
    iut.user(.startHosting)
    for client in clients.prefix(count) { try client.join() }
    try calm()
  }

  /// Lets everything under way arrive, and makes it of no account.
  func calm(_ span: SimDuration = .milliseconds(500)) throws {
    try pause(span)
    for client in clients { client.forget() }
    for host in hosts { host.forget() }
  }

  /// A host is up, and the implementation has its seat and knows it.
  func seat(_ host: HostTester) throws {
    try host.seatIUT()
    try calm()
  }

  /// A game is on after the plain start, with so many clients.
  func gatherForGame(_ count: Int) throws {
    try gather(count)
    iut.user(.setLobbyScenario("coffee-shop"))
    iut.user(.startLobbyGame)
    for client in clients.prefix(count) { try client.expect(.startGame) }
    try calm()
  }

  /// Roles enough for a lobby of so many players, in the scenario `ensemble`: `role-1`, `role-2` …
  static func ensemble(_ stage: inout Stage, roles count: Int) {
    stage.scenario.game.scenarioID = "ensemble"
    stage.scenario.game.roles = (1...count).map {
      .init(id: "role-\($0)", name: "Role \($0)", description: "Part \($0)")
    }
  }

  /// A game is on after the start with roles; the host has the first role, the clients the next ones in their order.
  /// The stage must have been given an `ensemble`.
  func playEnsemble(_ count: Int) throws {
    try gather(count)
    let players = clients.prefix(count)
    iut.user(.setLobbyScenario("ensemble"))
    iut.user(.requestRole("role-1"))
    try clients[0].expect(.roleAssigned, within: .seconds(30))
    for (index, client) in players.enumerated() { client.askForRole("role-\(index + 2)") }
    for client in players { try clients[0].expectSaid(.roleAssigned, of: client.peerID) }
    iut.user(.setReady(true))
    for client in players { client.setReady() }
    for client in players { try clients[0].expectSaid(.playerReady, of: client.peerID) }
    iut.user(.startMultiplayerGame)
    for client in clients.prefix(count) {
      try client.expect(.gameStarted, within: .seconds(30))
      try client.expect(.turnAdvanced, within: .seconds(30))
    }
  }

  /// So many lines are read without an error, each by the player whose turn it is.
  func readLines(_ count: Int, watching witness: ClientTester? = nil) throws {
    let witness = witness ?? clients[0]
    for _ in 0..<count {
      guard let turn = witness.turn, let line = turn.line else { throw inconclusive("nobody has a turn") }
      witness.forget()
      if turn.player == iut.peerID {
        iut.user(.completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 2_000))
      } else {
        clients.first { $0.peerID == turn.player && $0.isConnected }?.complete(line.id)
      }
      try witness.expect(.leaderboardUpdate, within: .seconds(30))
    }
  }

  /// The host's user changes the difficulty; these clients must be told in time. One LOBBY_UPDATE per client.
  @discardableResult
  func changeDifficulty(_ level: String, toldTo clients: [ClientTester]) throws -> [BabPacket] {
    for client in clients { client.forget() }
    iut.user(.setLobbyDifficulty(level))
    return try clients.map { client in
      try client.expect(.lobbyUpdate, "says \(level)") { packet in
        guard case .lobbyUpdate(let lobby) = packet.payload else { return false }
        return lobby.difficultyLevel == level
      }
    }
  }

  /// A client's link ends cleanly, and the implementation knows; returns when its platform said so.
  @discardableResult
  func lose(_ client: ClientTester) throws -> SimInstant {
    let before = iut.endings.count
    client.disconnect()
    return try ending(after: before)
  }

  /// Waits until the platform has told the implementation of one more ended link.
  func ending(after before: Int, within limit: SimDuration = .seconds(8)) throws -> SimInstant {
    try expect("the IUT's platform tells that the link has ended", within: limit) { iut.endings.count > before }
    return iut.endings[before].instant
  }

  /// Lets time pass until so long after an instant.
  func pause(until span: SimDuration, after start: SimInstant) throws {
    let due = start + span
    if due > now { try pause(due - now) }
  }
}

extension UpperTester {
  /// Links whose end the platform has told, oldest first.
  var endings: [(instant: SimInstant, link: LinkID, reason: HCI.ErrorCode)] {
    inputs.compactMap { entry in
      guard case .disconnected(let link, let reason) = entry.input else { return nil }
      return (entry.instant, link, reason)
    }
  }

  /// Timers that were set and neither fired nor were cancelled.
  var openTimers: [TimerID] {
    var open: [(record: Int, timer: TimerID)] = []
    for entry in effects {
      if case .setTimer(let timer, _) = entry.effect {
        open.removeAll { $0.timer == timer }
        open.append((entry.record, timer))
      }
      if case .cancelTimer(let timer) = entry.effect { open.removeAll { $0.timer == timer } }
    }
    for entry in inputs {
      if case .timer(let timer) = entry.input { open.removeAll { $0.timer == timer && $0.record < entry.record } }
    }
    return open.map(\.timer)
  }

  /// Addresses it asked to be connected to, with neither connection, failure nor cancellation since.
  var openAttempts: [BluetoothAddress] {
    var open: [(record: Int, address: BluetoothAddress)] = []
    for entry in effects {
      if case .connect(let address) = entry.effect { open.append((entry.record, address)) }
      if case .cancelConnect(let address) = entry.effect { open.removeAll { $0.address == address } }
    }
    for entry in inputs {
      switch entry.input {
      case .connected(_, let address), .connectFailed(let address, _):
        open.removeAll { $0.address == address && $0.record < entry.record }
      default: break
      }
    }
    return open.map(\.address)
  }

  /// Whether it looks for a host: it scans or waits for a connection.
  var isLooking: Bool { isScanning || !openAttempts.isEmpty }

  /// How many values its platform refused.
  var refusedValues: Int {
    inputs.count { if case .submitted(_, _, false) = $0.input { true } else { false } }
  }
}

extension LowerTester {
  /// Packets of the newest link, in order.
  var packetsOnLink: [BabPacket] { heard.compactMap { $0.link == newestLink?.id ? $0.packet : nil } }

  /// Sends a packet whose clock is exactly this, whatever was sent before.
  func send(_ payload: PacketPayload, clock entries: [(String, Int64)], note: String? = nil) {
    let packet = BabPacket(senderID: peerID, vectorClock: VectorClock(OrderedMap(entries)), payload: payload)
    let counts = entries.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    transmit(packet.encoded(), note: "\(name) sends \(packet.type.rawValue) \(note ?? "with the clock [\(counts)]")")
  }

  /// The host has said this of a player since `forget`, or says it in time: a role, or readiness.
  func expectSaid(_ type: PacketType, of player: String) throws {
    try expect(type, "is about \(player)", within: .seconds(30)) { packet in
      switch packet.payload {
      case .roleAssigned(player, _), .playerReady(player, _): true
      default: false
      }
    }
  }

  var greeting: PacketPayload { .handshake(Participant(id: peerID, name: name)) }
  var request: PacketPayload { .clientJoin(LobbyProfile(playerID: peerID, displayName: name)) }
}
