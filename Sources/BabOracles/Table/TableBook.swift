import BabSim

/// What a host has told its clients of their game, as far as its packets say it.
struct TableBook {
  /// `unknown`: nobody was there to be told.
  enum Phase { case unknown, on, over }

  struct Seat: Equatable {
    var role: String
    var isReady = false
  }

  struct Line {
    var id: String
    var player: String
    var result: PronunciationResult?
    /// The length of the packet that told it; nil: it was told in a snapshot.
    var octets: Int?

    var isSkipped: Bool { result?.skipped ?? false }
    var isPerfect: Bool { !isSkipped && (result?.accuracyPermille ?? 0) >= 1_000 }
  }

  struct Turn {
    var player: String
    var line: String?
    var record: Int
    var isOrphan = false
  }

  struct Vote {
    var action: VoteAction
    var yes: [String]
    var isLost = false
    var hasPassed = false
    /// A LOBBY_UPDATE was told since it was opened.
    var hasLobby = false
  }

  var phase = Phase.unknown
  /// Empty: not known.
  var roster: [String] = []
  /// The newest one in which the player is whose turn it is, or was last.
  private(set) var turnRoster: [String] = []
  /// Nil: not known.
  var scenario: String?
  var scenarioRecord = 0
  var roles: [String: Seat] = [:]
  /// By player: the host's count when it told the newest of them.
  var roleCounts: [String: Int64] = [:]
  /// Everything that was told of roles was seen.
  var areRolesKnown = true
  var clearedRoles: [String: String] = [:]
  /// Players who have left and come back: their roles are theirs again, and nobody else is told (BAB 5.7.4).
  var returned: Set<String> = []
  private var away: Set<String> = []
  var turn: Turn?
  var isTurnKnown = false
  var lines: [Line] = []
  var areLinesKnown = false
  private(set) var usedLines: Set<String> = []
  /// The line of the newest turn: copies of the turn with and without its text are packets of their own.
  private(set) var newestLine: String?
  var scores: [String: Int] = [:]
  /// Completed lines since the newest ranking.
  private(set) var unranked: [Line] = []
  var vote: Vote?
  var isVoteKnown = false

  /// Nobody is there to be told what changes. Whoever comes next is told all roles (BAB 5.1.12); who was there comes
  /// back with its own.
  mutating func forget() {
    let kept = (usedLines, newestLine, away.union(roster))
    self = TableBook()
    (usedLines, newestLine, away) = kept
  }

  /// Something was decided that was not seen.
  mutating func miss() {
    let phase = phase
    forget()
    self.phase = phase
    areRolesKnown = false
  }

  /// Whether every player of the roster is known to have said yes, apart from those who may be gone.
  func isUnanimous(_ vote: Vote, without isGone: (String) -> Bool = { _ in false }) -> Bool {
    !vote.isLost && roster.allSatisfy { vote.yes.contains($0) || isGone($0) }
  }

  /// The players after one in the order of turns, the player itself last; only those who were in a roster with it.
  func cycle(after player: String) -> [String] {
    guard let place = turnRoster.firstIndex(of: player) else { return [] }
    return Array(turnRoster[(place + 1)...] + turnRoster[...place])
  }

  /// - Parameter octets: the length of its text.
  mutating func apply(_ packet: BabPacket, octets: Int, record: Int) {
    switch packet.payload {
    case .lobbyUpdate(let state): apply(state, record)
    case .roleAssigned(let player, let role):
      if roles[player]?.role != role { roles[player] = Seat(role: role) }
      roleCounts[player] = packet.vectorClock[packet.senderID]
    case .playerReady(let player, let isReady):
      roles[player]?.isReady = isReady
      roleCounts[player] = packet.vectorClock[packet.senderID]
    case .startGame, .gameStarted: if phase != .on { begin() }
    case .turnAdvanced(let player, let line):
      if phase == .unknown { phase = .on }
      if line == nil || line?.id != turn?.line { turn = Turn(player: player, line: line?.id, record: record) }
      isTurnKnown = true
      noteTurnRoster()
      if let line {
        usedLines.insert(line.id)
        newestLine = line.id
      }
    case .dialogLineAdded(let line): if line.visibility == .committed { commit(line, octets) }
    case .leaderboardUpdate(let board):
      for row in board.rankings { scores[row.playerID] = Int(row.score) }
      unranked = []
    case .voteRequest(let proposer, let action):
      vote = Vote(action: action, yes: [proposer])
      isVoteKnown = true
    case .voteCast(let voter, let isYes):
      if isYes { vote?.yes.append(voter) } else { vote?.isLost = true }
      if let vote, !roster.isEmpty, isUnanimous(vote) { self.vote?.hasPassed = true }
    case .fullStateSnapshot(let state): apply(state, record)
    case .navigationSync("theater"): if let vote, vote.action == .changeScene, isUnanimous(vote) { self.vote = nil }
    default: break
    }
  }

  private mutating func begin() {
    (phase, turn, lines, scores, vote, unranked) = (.on, nil, [], [:], nil, [])
    (isTurnKnown, areLinesKnown, isVoteKnown) = (true, true, true)
  }

  private mutating func apply(_ state: LobbyState, _ record: Int) {
    if scenario != state.selectedScenarioID {
      if scenario != nil {
        clearedRoles = roles.mapValues(\.role)
        (roles, areRolesKnown) = ([:], true)
        if vote?.action == .changeScene { vote = nil }
      }
      (scenario, scenarioRecord) = (state.selectedScenarioID, record)
    }
    vote?.hasLobby = true
    let players = state.playerIDs
    for player in roster where !players.contains(player) {
      roles[player] = nil
      away.insert(player)
    }
    returned.formUnion(players.filter(away.contains))
    roster = players
    if let turn, !roster.contains(turn.player) { self.turn?.isOrphan = true }
    noteTurnRoster()
  }

  private mutating func noteTurnRoster() {
    if let turn, roster.contains(turn.player) { turnRoster = roster }
  }

  private mutating func commit(_ line: DialogLine, _ octets: Int) {
    guard !lines.contains(where: { $0.id == line.id }) else { return }
    var committed = Line(line)
    committed.octets = octets
    lines.append(committed)
    if committed.result != nil, !committed.isSkipped { unranked.append(committed) }
    if vote?.action == .skipLine, line.pronunciationResult?.skipped ?? false, let vote, isUnanimous(vote) {
      self.vote = nil
    }
  }

  private mutating func apply(_ state: SessionState, _ record: Int) {
    if state.currentPhase == .finished {
      (phase, turn, vote) = (.over, nil, nil)
      return
    }
    guard state.currentPhase == .active || state.currentPhase == .voting else { return }
    phase = .on
    if !areLinesKnown, !state.committedHistory.isEmpty {
      lines = state.committedHistory.map { Line($0) }
      areLinesKnown = true
    }
    if !isTurnKnown, let player = state.currentTurnPlayerID {
      turn = Turn(player: player, line: state.pendingLine?.id, record: record)
      isTurnKnown = true
      noteTurnRoster()
    }
  }
}

extension TableBook.Line {
  init(_ line: DialogLine) {
    id = line.id
    player = line.assignedToPlayerID.isEmpty ? line.speakerID : line.assignedToPlayerID
    result = line.pronunciationResult
  }
}
