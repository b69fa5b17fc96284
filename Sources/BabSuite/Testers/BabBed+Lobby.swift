import AppSeam
import BabOracles
import BabSim
import Bench
import Conformance
import SimKernel

/// Situations before and at the start of a game.
extension BabBed {
  /// Long enough for a packet to reach every peer, and for its answer to come.
  static let settling = SimDuration.milliseconds(500)

  /// Lets everything under way arrive, then forgets it.
  func settleAfresh(_ span: SimDuration = settling) throws {
    try pause(span)
    for client in clients { client.forget() }
    for host in hosts { host.forget() }
  }

  /// Lets time pass until an instant; none when it is over.
  func pause(until instant: SimInstant) throws {
    if instant > now { try pause(instant - now) }
  }

  // MARK: A host under test

  /// The implementation hosts, with a scenario selected when one is named, and so many clients get their seats, one
  /// after the other; then everything under way arrives, and is forgotten.
  func seatClients(
    _ count: Int, scenario: String? = "coffee-shop", within limit: SimDuration = .seconds(10),
    settling span: SimDuration = settling
  ) throws {
    try admit(count, scenario: scenario, within: limit)
    try settleAfresh(span)
  }

  /// As `seatClients`, without waiting for more than the last seat.
  func admit(_ count: Int, scenario: String?, within limit: SimDuration = .seconds(10)) throws {
    iut.user(.startHosting)
    if let scenario { iut.user(.setLobbyScenario(scenario)) }
    for client in clients.prefix(count) { try client.join(within: limit) }
  }

  /// The implementation hosts, and a client has come so far and goes no further by itself.
  func bring(_ client: ClientTester, upTo stage: ClientTester.Stage) throws {
    iut.user(.startHosting)
    try client.join(upTo: stage)
  }

  /// The implementation hosts, a client has its seat, and another one has come so far and goes no further by itself.
  func seat(_ first: ClientTester, andBring second: ClientTester, upTo stage: ClientTester.Stage) throws {
    iut.user(.startHosting)
    try first.join()
    try second.join(upTo: stage)
  }

  /// The host has the role barista, client-1 the role customer, and both are ready.
  func makePairReady() throws {
    iut.user(.requestRole("barista"))
    clients[0].askForRole("customer")
    try clients[0].expectExactly(.roleAssigned(playerID: clients[0].peerID, roleID: "customer"), "grants the role")
    iut.user(.setReady(true))
    clients[0].setReady()
    try clients[0].expectExactly(.playerReady(playerID: clients[0].peerID, isReady: true), "says so")
    try settleAfresh()
  }

  /// client-1 and client-2 have seats, and one of them has the role barista.
  func seatPair(barista client: ClientTester) throws {
    try seatClients(2)
    try giveRole("barista", to: client)
  }

  /// A client's request for a role is ignored: the client is told of none.
  func ignoresRequest(of client: ClientTester, for role: String) throws {
    try ignores {
      client.askForRole(role)
      try client.expectNone(of: [.roleAssigned])
    }
  }

  /// client-1 has a seat; it and the host have roles and are ready, as after `makePairReady`.
  func seatReadyPair() throws {
    try seatClients(1)
    try makePairReady()
  }

  /// A game is on after the plain start, with so many clients; after that with roles where the profile has no other.
  func playPlainly(with count: Int) throws {
    guard has(.startGame) else {
      try startGame(clients: count)
      return try settleAfresh()
    }
    try seatClients(count)
    iut.user(.startLobbyGame)
    for client in clients.prefix(count) { try client.expect(.startGame) }
    try settleAfresh()
  }

  /// A game is on after the start with roles; the host and client-1 play, and it is the host's turn.
  func playWithRoles() throws {
    try seatClients(1)
    try makePairReady()
    iut.user(.startMultiplayerGame)
    try clients[0].expect(.gameStarted)
    try clients[0].expectTurn(of: iut.peerID, "names the host")
    try settleAfresh()
  }

  /// The roster: the host and these clients, in this order.
  func roster(_ clients: ClientTester...) -> [String] { [iut.peerID] + clients.map(\.peerID) }

  /// When the platform told the implementation of its newest link.
  func connectionInstant() throws -> SimInstant {
    let entry = iut.inputs.last { if case .connected = $0.input { true } else { false } }
    guard let entry else { throw inconclusive("the implementation has not been connected to") }
    return entry.instant
  }

  /// When the implementation was handed the newest value of a peer.
  func newestValueInstant() throws -> SimInstant {
    let entry = iut.inputs.last { if case .valueReceived = $0.input { true } else { false } }
    guard let entry else { throw inconclusive("the implementation was handed no value") }
    return entry.instant
  }

  /// From now on the implementation's platform advertises what the implementation asked for last, although it asks for
  /// no more: some platforms begin again by themselves after a connection.
  func platformGoesOnAdvertising() throws {
    step("the IUT's platform advertises once more, unasked")
    let asked = iut.effects.reversed().lazy.compactMap { entry -> AdvertisementRequest? in
      if case .advertise(let request) = entry.effect { request } else { nil }
    }
    guard let request = asked.first else { return }
    let mark = newestRecord
    world.perform([.advertise(request)], device: iut.index)
    try pause(.milliseconds(1))
    // Whoever stops what its platform does unasked lets nobody in, and need not turn anybody away.
    if assumption.steps.isEmpty, iut.asked(after: mark, for: { $0 == .stopAdvertising }) != nil {
      doesNotApply("the app stops what its platform advertises unasked")
    }
  }

  // MARK: A client under test

  /// A host is up with the lobby it has, and the implementation has its seat and knows it.
  func seat(_ host: HostTester) throws {
    try host.seatIUT()
    try settleAfresh()
  }

  /// The implementation is seated in a lobby with a scenario and these further players, whom nobody plays.
  func seatWith(_ others: [String] = [], scenario: String = "coffee-shop") throws {
    let host = hosts[0]
    host.lobby.selectedScenarioID = scenario
    host.lobby.connectedPlayers = [LobbyProfile(playerID: host.peerID, displayName: host.displayName)]
    host.lobby.connectedPlayers += others.map { LobbyProfile(playerID: $0, displayName: $0) }
    try seat(host)
  }

  /// What the implementation shows must come to this, and what it showed before must not last.
  func expectPhase(_ phase: String, within limit: SimDuration = .seconds(2), clause: String? = nil) throws {
    try expect(
      "the IUT shows phase \(phase)", within: limit, clause: clause, actual: { "it shows \(self.iut.phase ?? "none")" }
    ) { iut.phase == phase }
  }

  /// The implementation must show this phase for that long.
  func keepsPhase(_ phase: String, for span: SimDuration = .seconds(2), clause: String? = nil) throws {
    try never(
      "the IUT shows another phase than \(phase)", for: span, clause: clause,
      actual: { "it shows \(self.iut.phase ?? "none")" }
    ) { iut.phase != phase }
  }
}

extension LowerTester {
  /// A packet with exactly this payload must have come since `forget`, or come in time.
  @discardableResult
  func expectExactly(
    _ payload: PacketPayload, _ text: String, within limit: SimDuration = .seconds(5), clause: String? = nil
  ) throws -> BabPacket {
    try expect(payload.type, text, within: limit, clause: clause) { $0.payload == payload }
  }

  /// No packet with exactly this payload may come.
  func expectNever(_ payload: PacketPayload, for span: SimDuration = .seconds(2), clause: String? = nil) throws {
    try expectNone(of: [payload.type], for: span, clause: clause) { $0.payload == payload }
  }

  /// A ROLE_ASSIGNED that gives a player this role.
  func expectRole(_ role: String, of player: String, _ text: String, clause: String? = nil) throws {
    try expectExactly(.roleAssigned(playerID: player, roleID: role), text, clause: clause)
  }

  /// A PLAYER_READY that says whether a player is ready.
  func expectReady(_ isReady: Bool, of player: String, _ text: String, clause: String? = nil) throws {
    try expectExactly(.playerReady(playerID: player, isReady: isReady), text, clause: clause)
  }

  /// A VOTE_REQUEST of this player.
  func expectProposal(_ action: VoteAction, of player: String, _ text: String, clause: String? = nil) throws {
    try expectExactly(.voteRequest(proposerID: player, action: action), text, clause: clause)
  }

  /// A VOTE_CAST of this player.
  func expectVote(_ yes: Bool, of player: String, _ text: String, clause: String? = nil) throws {
    try expectExactly(.voteCast(voterID: player, vote: yes), text, clause: clause)
  }

  /// Waits until all that was sent has been taken, and then for a span.
  func flush(thenPause span: SimDuration) throws {
    try flush()
    try bed.pause(span)
  }

  /// A LOBBY_UPDATE for which the condition holds.
  @discardableResult
  func expectLobby(
    _ text: String, within limit: SimDuration = .seconds(5), clause: String? = nil,
    where condition: (LobbyState) -> Bool
  ) throws -> BabPacket {
    try expect(.lobbyUpdate, text, within: limit, clause: clause) { packet in
      guard case .lobbyUpdate(let lobby) = packet.payload else { return false }
      return condition(lobby)
    }
  }

  /// A TURN_ADVANCED that gives the turn to this player.
  @discardableResult
  func expectTurn(of player: String, _ text: String, clause: String? = nil) throws -> BabPacket {
    try expect(.turnAdvanced, text, clause: clause) { $0.advancedTurn?.player == player }
  }

  /// No LOBBY_UPDATE for which the condition holds.
  func expectNoLobby(
    for span: SimDuration = .seconds(2), clause: String? = nil, where condition: (LobbyState) -> Bool
  ) throws {
    try expectNone(of: [.lobbyUpdate], for: span, clause: clause) { packet in
      guard case .lobbyUpdate(let lobby) = packet.payload else { return false }
      return condition(lobby)
    }
  }
}

/// What each of several testers must be sent, or must not, one after the other.
extension Sequence where Element: LowerTester {
  func expect(
    _ type: PacketType, _ text: String = "", within limit: SimDuration = .seconds(5), clause: String? = nil,
    where condition: (BabPacket) -> Bool = { _ in true }
  ) throws {
    for tester in self { try tester.expect(type, text, within: limit, clause: clause, where: condition) }
  }

  func expectNone(
    of types: [PacketType], for span: SimDuration = .seconds(2), clause: String? = nil,
    where condition: (BabPacket) -> Bool = { _ in true }
  ) throws {
    for tester in self { try tester.expectNone(of: types, for: span, clause: clause, where: condition) }
  }

  func expectLobby(
    _ text: String, within limit: SimDuration = .seconds(5), clause: String? = nil,
    where condition: (LobbyState) -> Bool
  ) throws {
    for tester in self { try tester.expectLobby(text, within: limit, clause: clause, where: condition) }
  }

  func expectNoLobby(
    for span: SimDuration = .seconds(2), clause: String? = nil, where condition: (LobbyState) -> Bool
  ) throws {
    for tester in self { try tester.expectNoLobby(for: span, clause: clause, where: condition) }
  }

  func expectRole(_ role: String, of player: String, _ text: String, clause: String? = nil) throws {
    for tester in self { try tester.expectRole(role, of: player, text, clause: clause) }
  }

  func expectReady(_ isReady: Bool, of player: String, _ text: String, clause: String? = nil) throws {
    for tester in self { try tester.expectReady(isReady, of: player, text, clause: clause) }
  }

  func expectProposal(_ action: VoteAction, of player: String, _ text: String, clause: String? = nil) throws {
    for tester in self { try tester.expectProposal(action, of: player, text, clause: clause) }
  }

  func expectVote(_ yes: Bool, of player: String, _ text: String, clause: String? = nil) throws {
    for tester in self { try tester.expectVote(yes, of: player, text, clause: clause) }
  }
}

extension BabBed {
  /// The history that the implementation shows must come to these lines.
  func expectHistory(_ lineIDs: [String], _ text: String) throws {
    try expect(text, actual: { "\(self.iut.history)" }) { iut.history == lineIDs }
  }

  /// A client asks for a role and gets it.
  func giveRole(_ role: String, to client: ClientTester) throws {
    client.askForRole(role)
    try client.expectExactly(.roleAssigned(playerID: client.peerID, roleID: role), "grants the role")
    try settleAfresh()
  }

  /// A client with a role says that it is ready, and is heard.
  func makeReady(_ client: ClientTester) throws {
    client.setReady()
    try client.expectExactly(.playerReady(playerID: client.peerID, isReady: true), "says so")
    try settleAfresh()
  }

  /// The client under test is the barista and ready, and shows that it waits.
  func makeIUTWait() throws {
    try seatWith()
    hosts[0].send(.roleAssigned(playerID: iut.peerID, roleID: "barista"))
    hosts[0].send(.playerReady(playerID: iut.peerID, isReady: true))
    try expectPhase("WAITING")
    try settleAfresh()
  }
}
