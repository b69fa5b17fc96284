import BabSim

/// What one client was told on one link: what it must know of roles, and the newest of the game.
struct TableMirror {
  var scenario: String? { lobby?.scenarioID }
  var roster: [String] { lobby?.players ?? [] }
  private(set) var roles: [String: TableBook.Seat] = [:]
  private(set) var isStarted = false
  private(set) var isOver = false
  private(set) var hasVote = false
  /// The newest vote, and who was told to have said yes.
  private(set) var vote: (action: String, yes: [String])?
  /// The newest LOBBY_UPDATE; nil: none was told.
  private(set) var lobby: LobbyView?
  private(set) var turn: String?
  private(set) var newestLine: String?
  /// Lines of the game that were told, one by one or in a snapshot.
  private(set) var lineCount = 0
  /// Lines of the newest snapshot; 0: none was told, or an empty one.
  private(set) var snapshotLines = 0
  private(set) var ranking: [LeaderboardRow]?

  mutating func apply(_ packet: BabPacket) {
    switch packet.payload {
    case .lobbyUpdate(let state):
      if state.selectedScenarioID != scenario { roles = [:] }
      lobby = state.view
      roles = roles.filter { roster.contains($0.key) }
    case .roleAssigned(let player, let role): roles[player] = TableBook.Seat(role: role)
    case .playerReady(let player, let isReady): roles[player]?.isReady = isReady
    case .startGame, .gameStarted: (isStarted, lineCount) = (true, 0)
    case .turnAdvanced(let player, _): (isStarted, turn) = (true, player)
    case .dialogLineAdded(let line):
      if line.visibility == .committed, line.id != newestLine { (newestLine, lineCount) = (line.id, lineCount + 1) }
    case .leaderboardUpdate(let board): ranking = board.rows
    case .voteRequest(let proposer, let action): (hasVote, vote) = (true, (action.rawValue, [proposer]))
    case .voteCast(let voter, true): vote?.yes.append(voter)
    case .fullStateSnapshot(let state): apply(state)
    default: break
    }
  }

  private mutating func apply(_ state: SessionState) {
    isOver = state.currentPhase == .finished
    isStarted = isStarted || state.currentPhase == .active || state.currentPhase == .voting
    hasVote = hasVote || state.pendingVote != nil
    vote = state.pendingVote.map { vote in
      (vote.action.rawValue, [vote.proposerID] + state.voteResults.entries.filter(\.value).map(\.key))
    }
    turn = state.currentTurnPlayerID
    snapshotLines = state.committedHistory.count
    if let line = state.committedHistory.last { (newestLine, lineCount) = (line.id, state.committedHistory.count) }
    if let board = state.sessionLeaderboard { ranking = board.rows }
    guard !state.roles.isEmpty else { return }
    roles = Dictionary(
      state.roles.entries.map { entry in
        let isReady = state.lobbyPlayers.contains { $0.peerID == entry.key && $0.isReady }
        return (entry.key, TableBook.Seat(role: entry.value.id, isReady: isReady))
      }, uniquingKeysWith: { $1 })
  }
}
