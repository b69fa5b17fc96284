import AppSeam
import BabSim
import Bench
import Conformance
import SimKernel

/// A game for more players than the presets have roles for.
extension Stage {
  /// Lets the run play `ensemble`: roles `role-1`, `role-2` …, as many as there are players unless told otherwise.
  ///
  /// - Parameter lines: the game ends after so many committed lines; 0: it never does by itself.
  mutating func playGame(lines: Int = 12, roles: Int? = nil) {
    scenario.game.scenarioID = BabBed.ensemble
    scenario.game.totalLines = lines
    scenario.game.roles = (1...max(1, roles ?? scenario.devices.count)).map {
      GameSettings.Role(id: "role-\($0)", name: "Role \($0)", description: "Part \($0)")
    }
  }
}

/// Situations of a host under test that many procedures begin with. `Stage.playGame` belongs to those with a game.
extension BabBed {
  /// The scenario of `Stage.playGame`.
  static let ensemble = "ensemble"

  /// A turn as TURN_ADVANCED tells it.
  struct Turn: Equatable {
    var player: String
    var lineID: String
  }

  /// The scenario and the roles of `Stage.playGame`, or of one that every app knows (BAB 5.2.1).
  var scenarioID: String { ics.claims(.ownScenarios) ? "coffee-shop" : BabBed.ensemble }

  /// Who plays first has the first role.
  func role(_ place: Int) -> String {
    ics.claims(.ownScenarios) ? place == 1 ? "barista" : "customer" : "role-\(place)"
  }

  /// Whether games are started with roles; else plainly, where roles are not what a purpose is about.
  var startsWithRoles: Bool { ics.claims(.roles) && !ics.claims(.ownScenarios) }

  /// Clients that have a seat, in their order.
  var seated: [ClientTester] { clients.filter { $0.isConnected && $0.stage == .joined } }

  /// Lets time pass until no tester has said or heard anything for a while.
  func settle(quiet: SimDuration = .milliseconds(300), within limit: SimDuration = .seconds(30)) throws {
    let testers = testers
    let deadline = now + limit
    var heard = -1
    while now < deadline {
      let count = testers.map(\.values.count).reduce(0, +)
      if count == heard, testers.allSatisfy({ $0.link?.isFlushed ?? true }) { return }
      heard = count
      try pause(quiet)
    }
    throw inconclusive("traffic does not settle within \(BabBed.text(limit))")
  }

  /// A lobby with the host and so many clients, seated in their order; a scenario is selected. Unlike after
  /// `seatClients`, what was heard still counts.
  func openLobby(clients count: Int? = nil) throws {
    try admit(count ?? clients.count, scenario: scenarioID)
    try settle()
  }

  /// Gives the host the first role and the seated clients those after it, and makes everybody ready.
  func dealRoles() throws {
    iut.user(.requestRole(role(1)))
    for (index, client) in seated.enumerated() { client.askForRole(role(index + 2)) }
    try settle()
    iut.user(.setReady(true))
    for client in seated { client.setReady() }
    try settle()
  }

  /// Everybody gets a role and is ready, where games are started so.
  func getReady() throws { if startsWithRoles { try dealRoles() } }

  /// What the host's user does to start a game.
  var start: BabAction { startsWithRoles ? .startMultiplayerGame : .startLobbyGame }

  /// The host's user leaves, and every link ends; where its platform cannot end links, the clients do.
  func hostLeaves() throws {
    iut.user(.leave)
    if !ics.claims(.endsLinks) {
      try pause(.seconds(2))
      for client in clients where client.isConnected { client.disconnect() }
    }
    for client in clients { try client.expectDisconnected() }
  }

  /// A game: so many clients in their seats, started with roles where that can be, and the first turn announced.
  func startGame(clients count: Int? = nil) throws {
    try openLobby(clients: count)
    try getReady()
    iut.user(start)
    try expectTold("a turn is announced to every client", by: [.turnAdvanced], within: .seconds(30)) {
      seated.allSatisfy { $0.turn?.line != nil }
    }
    try settle()
  }

  /// Whose turn it is and the pending line's id, as the first seated client was told last.
  func turn() throws -> Turn {
    guard let turn = seated.first?.turn, let line = turn.line else {
      throw blocked("a turn is announced", cause: seated.first?.lacking(.turnAdvanced))
    }
    return Turn(player: turn.player, lineID: line.id)
  }

  /// The seated client with that id; nil for the host.
  func client(_ player: String) -> ClientTester? { seated.first { $0.peerID == player } }

  /// Whoever's turn it is reads the pending line. Waits until its end has been told to everybody.
  @discardableResult
  func playLine(permille: Int = 1_000, errors: Int = 0, milliseconds: Int = 2_000) throws -> Turn {
    let turn = try turn()
    readLine(turn, permille: permille, errors: errors, milliseconds: milliseconds)
    try lineEnds(turn)
    return turn
  }

  /// As `playLine`, without waiting for anything.
  func readLine(_ turn: Turn, permille: Int = 1_000, errors: Int = 0, milliseconds: Int = 2_000) {
    if let client = client(turn.player) {
      client.complete(
        turn.lineID, accuracy: Accuracy.float(permille: permille), errors: Int32(errors),
        milliseconds: Int64(milliseconds))
    } else {
      iut.user(.completeLine(accuracyPermille: permille, errorCount: errors, durationMilliseconds: milliseconds))
    }
  }

  /// Whoever's turn it is skips the pending line. Waits until its end has been told to everybody.
  @discardableResult
  func skipLine() throws -> Turn {
    let turn = try turn()
    if let client = client(turn.player) {
      client.send(.lineSkipped(lineID: turn.lineID))
    } else {
      iut.user(.skipLine)
    }
    try lineEnds(turn)
    return turn
  }

  /// Reads lines until it is a player's turn.
  func playUntilTurn(of player: String) throws {
    for _ in 0..<16 {
      if try turn().player == player { return }
      try playLine()
    }
    throw inconclusive("it is never the turn of \(player)")
  }

  /// As `expect`, for what the clients are told by packets of these types: that one of them does not come is the cause.
  func expectTold(
    _ text: String, by types: [PacketType], within limit: SimDuration = .seconds(5), _ condition: () -> Bool
  ) throws {
    let testers = testers
    let lacking = types.lazy.compactMap { type in testers.lazy.compactMap { $0.missingAtAll(type) }.first }
    let taken = assumption.steps.map(\.name)
    let step = types.lazy.compactMap { BabStep.name(for: $0, role: self.iut.role) }.first { !taken.contains($0) }
    try expect(text, within: limit, cause: { lacking.first }, step: step, condition)
  }

  /// Another line is pending, or the game is over, for every client.
  private func lineEnds(_ turn: Turn) throws {
    try expectTold("\(turn.lineID) of \(turn.player) is over", by: [.turnAdvanced, .fullStateSnapshot]) {
      seated.allSatisfy { $0.finalState != nil || $0.turn?.line?.id != turn.lineID }
    }
    try settle()
  }
}

extension ClientTester {
  /// The newest snapshot on its newest link that says the game is over.
  var finalState: SessionState? {
    newest { item in
      guard item.link == newestLink?.id, case .fullStateSnapshot(let state)? = item.packet?.payload,
        state.currentPhase == .finished
      else { return nil }
      return state
    }
  }

  /// The newest ranking.
  var ranking: [Ranking]? {
    newest { if case .leaderboardUpdate(let board)? = $0.packet?.payload { board.rankings } else { nil } }
  }

  /// Points and ranks show only of players whom a ranking lists.
  func needRanking(of player: String) throws {
    try bed.need(
      "\(name) is told a ranking with \(player)", actual: ranking == nil ? "none came" : "it is not in the ranking",
      cause: missing(.leaderboardUpdate), points(of: player) != nil)
  }

  /// A player's points in the newest ranking.
  func points(of player: String) -> Int? { ranking?.first { $0.playerID == player }.map { Int($0.score) } }

  /// The committed lines it was told of, in order.
  var committedLines: [DialogLine] {
    heard.compactMap {
      guard case .dialogLineAdded(let line)? = $0.packet?.payload, line.visibility == .committed else { return nil }
      return line
    }
  }
}

/// A game as a host tells it to the client under test. `Stage.playGame` belongs to it.
extension HostTester {
  /// Seats the client under test and more players that are only names, and starts, with roles where that can be; no
  /// turn is given yet.
  func startGame(with others: [String] = []) throws {
    lobby.connectedPlayers = [LobbyProfile(playerID: peerID, displayName: displayName)]
    lobby.selectedScenarioID = bed.scenarioID
    try seatIUT()
    for other in others { lobby.connectedPlayers.append(LobbyProfile(playerID: other, displayName: other)) }
    tellLobby()
    // The roles and seats must be known before the implementation's user asks for one.
    try flush()
    try bed.settle()
    guard bed.startsWithRoles else {
      tellStart()
      try flush()
      return try bed.settle()
    }
    let players = lobby.connectedPlayers.map(\.playerID)
    for (index, player) in players.enumerated() where player != bed.iut.peerID {
      send(.roleAssigned(playerID: player, roleID: "role-\(index + 1)"))
      send(.playerReady(playerID: player, isReady: true))
    }
    try bed.settle()
    let role = "role-\((players.firstIndex(of: bed.iut.peerID) ?? 0) + 1)"
    bed.iut.user(.requestRole(role))
    try expect(.roleAssigned, "asks for \(role)")
    send(.roleAssigned(playerID: bed.iut.peerID, roleID: role))
    try bed.settle()
    bed.iut.user(.setReady(true))
    try expect(.playerReady, "says that it is ready")
    send(.playerReady(playerID: bed.iut.peerID, isReady: true))
    send(.gameStarted)
    try flush()
    try bed.settle()
  }

  /// Announces a turn: the text goes along only when the line is the client's under test (BAB 5.4.3).
  func giveTurn(_ line: DialogLine) {
    var told = line
    if line.assignedToPlayerID != bed.iut.peerID { (told.textNative, told.textTranslated) = ("", "") }
    send(.turnAdvanced(nextPlayerID: line.assignedToPlayerID, pendingLine: told))
  }

  /// Tells the end of a line in the order of BAB 5.4.6; no result: it was skipped; no next: it was the last.
  func commit(
    _ line: DialogLine, _ result: PronunciationResult? = HostTester.perfect, next: DialogLine? = nil,
    ranking: [Ranking] = []
  ) {
    var committed = line
    committed.visibility = .committed
    let skipped = PronunciationResult(errorCount: 0, accuracy: 0, wordErrors: [], skipped: true, duration: 0)
    committed.pronunciationResult = result ?? skipped
    send(.dialogLineAdded(committed))
    send(result.map { .lineCompleted(lineID: line.id, result: $0) } ?? .lineSkipped(lineID: line.id))
    if let next { giveTurn(next) }
    send(.leaderboardUpdate(Leaderboard(rankings: ranking, updatedAt: 0)))
  }

  /// A line read without an error in two seconds.
  static let perfect = PronunciationResult(
    errorCount: 0, accuracy: 1, wordErrors: [], skipped: false, duration: 2_000)

  /// Ends the game: FULL_STATE_SNAPSHOT with phase FINISHED, these lines and a summary (BAB 5.8.2).
  func finish(_ lines: [DialogLine] = [], summary: SessionSummary) {
    var state = SessionState()
    state.mode = .host
    state.localPeerID = peerID
    state.currentPhase = .finished
    state.committedHistory = lines.map {
      var line = $0
      line.visibility = .committed
      return line
    }
    state.sessionSummary = summary
    send(.fullStateSnapshot(state))
  }
}
