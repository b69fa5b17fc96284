import AppSeam
import BluetoothWire
import SimKernel

/// The mirror of the host's state, and what of it is shown (BAB 5.2 to 5.7).
extension ClientEngine {
  func mirror(_ payload: PacketPayload) {
    switch payload {
    case .lobbyUpdate(let state): mirrorLobby(state)
    case .roleAssigned(let player, let role): mirrorRole(player, role)
    case .playerReady(let player, let isReady): mirrorReady(player, isReady)
    case .startGame, .gameStarted: gameStarted()
    case .turnAdvanced(let next, let line): turnAdvanced(next, line)
    case .dialogLineAdded(let line): lineAdded(line)
    case .lineCompleted(let lineID, let result): lineRead(lineID, result)
    case .lineSkipped(let lineID): lineRead(lineID, .skippedLine)
    case .leaderboardUpdate(let board): report(.leaderboard(board.rows))
    case .voteRequest(let proposer, let action): voteOpened(proposer, action)
    case .voteCast(let voter, let yes): voteCast(voter, yes)
    case .fullStateSnapshot(let state): apply(state)
    case .handshake, .heartbeat, .navigationSync, .generateRequest, .clientJoin: break
    }
  }

  // MARK: Lobby and roles

  private func mirrorLobby(_ state: LobbyState) {
    if state.selectedScenarioID != lobby.selectedScenarioID { roles = [] }
    lobby = state
    let players = state.connectedPlayers.map(\.playerID)
    roles.removeAll { !players.contains($0.player) }
    showLobby()
    if players.contains(peerID) { seated() }
    updatePhaseBeforeGame()
    settleVote()
  }

  private func showLobby() {
    let view = lobby.view
    if view != shown.lobby {
      shown.lobby = view
      report(.lobby(view))
    }
    if view.players != shown.roster {
      shown.roster = view.players
      report(.roster(view.players))
    }
  }

  private func mirrorRole(_ player: String, _ role: String) {
    guard lobby.connectedPlayers.contains(where: { $0.playerID == player }) else { return }
    roles.removeAll { $0.player == player }
    roles.append(PlayerRole(player: player, role: role))
    report(.role(player: player, role: role))
    updatePhaseBeforeGame()
  }

  private func mirrorReady(_ player: String, _ isReady: Bool) {
    guard let index = roles.firstIndex(where: { $0.player == player }) else { return }
    roles[index].isReady = isReady
    report(.ready(player: player, isReady))
    updatePhaseBeforeGame()
  }

  func role(of player: String) -> Role? {
    guard let entry = roles.first(where: { $0.player == player }) else { return nil }
    let scenario = configuration.scenarios.first { $0.id == lobby.selectedScenarioID }
    return scenario?.availableRoles.first { $0.id == entry.role }
  }

  private func updatePhaseBeforeGame() {
    guard !isPlaying, phase != .finished else { return }
    phase = .beforeGame(
      anyRole: !roles.isEmpty, ownReady: roles.contains { $0.player == peerID && $0.isReady })
    showPhase()
  }

  // MARK: Turns and lines

  private func gameStarted() {
    guard !isPlaying, phase != .finished else { return }
    phase = .active
    showPhase()
  }

  private func turnAdvanced(_ next: String, _ line: DialogLine?) {
    guard phase != .finished else { return }
    gameStarted()
    turnPlayerID = next
    pendingLine = line
    answeredLineID = nil
    turnStart = now
    report(.turn(player: next))
    if let line {
      announce(line)
      show(line)
    }
  }

  /// A private text reaches only its own player's screen, whatever a host sends (BAB 5.4.4).
  private func show(_ line: DialogLine) {
    let isOwn = line.assignedToPlayerID == peerID && !line.textNative.isEmpty
    report(.screen(ScreenLine(lineID: line.id, text: isOwn ? line.textNative : nil)))
  }

  private func announce(_ line: DialogLine) {
    announced.removeAll { $0.id == line.id }
    if announced.count == Self.announcedLimit { announced.removeFirst() }
    announced.append(line)
  }

  private func lineAdded(_ line: DialogLine) {
    if line.visibility == .committed { return commit(line) }
    guard !isCommitted(line.id) else { return }
    announce(line)
    pendingLine = line
    show(line)
  }

  /// The host says that a line has been read. Its text came with DIALOG_LINE_ADDED, or earlier with the turn.
  private func lineRead(_ lineID: String, _ result: PronunciationResult) {
    guard !isCommitted(lineID) else { return }
    guard var line = announced.first(where: { $0.id == lineID && !$0.textNative.isEmpty }) else {
      if let link { report(.refused(link, reason: "line \(lineID) is not known")) }
      return
    }
    line.pronunciationResult = result
    commit(line)
  }

  private func commit(_ line: DialogLine) {
    guard !isCommitted(line.id) else { return }
    var line = line
    line.visibility = .committed
    history.append(line)
    committed.insert(line.id)
    announced.removeAll { $0.id == line.id }
    if pendingLine?.id == line.id { pendingLine = nil }
    report(.committed(index: history.count - 1, lineID: line.id, text: line.textNative))
  }

  private func isCommitted(_ lineID: String) -> Bool { committed.contains(lineID) }

  // MARK: Votes

  private func voteOpened(_ proposer: String, _ action: VoteAction) {
    guard isPlaying, vote == nil else { return }
    vote = OpenVote(proposer: proposer, action: action)
    phase = .voting
    showPhase()
    effects.append(.setTimer(EngineTimer.vote, at: now + configuration.voteTimeout))
    report(.vote(action: action.rawValue, voter: proposer, yes: true))
    settleVote()
  }

  private func voteCast(_ voter: String, _ yes: Bool) {
    guard var open = vote, !open.hasVoted(voter) else { return }
    open.cast(voter, yes)
    vote = open
    report(.vote(action: open.action.rawValue, voter: voter, yes: yes))
    settleVote()
  }

  private func settleVote() {
    guard let open = vote, let passed = open.result(players: lobby.connectedPlayers.map(\.playerID)) else { return }
    endVote(passed: passed)
  }

  func endVote(passed: Bool) {
    guard let open = vote else { return }
    vote = nil
    effects.append(.cancelTimer(EngineTimer.vote))
    report(.voteResult(action: open.action.rawValue, passed: passed))
    guard phase == .voting else { return }
    phase = .active
    showPhase()
  }

  // MARK: Snapshots

  /// The host's state; own id and mode stay, and parts that are left out leave what is here (BAB 5.7.4, 5.7.6).
  private func apply(_ state: SessionState) {
    let isReturn = stage == .joining
    if !state.roles.isEmpty {
      roles = state.roles.entries.map { entry in
        let isReady = state.lobbyPlayers.contains { $0.peerID == entry.key && $0.isReady }
        return PlayerRole(player: entry.key, role: entry.value.id, isReady: isReady)
      }
    }
    applyHistory(state.committedHistory)
    applyVote(state)
    if !isPlaying || state.currentPhase == .finished { phase = state.currentPhase }
    showPhase()
    turnPlayerID = state.currentTurnPlayerID
    pendingLine = state.pendingLine
    report(.turn(player: turnPlayerID))
    if let line = pendingLine {
      announce(line)
      show(line)
    }
    if let board = state.sessionLeaderboard { report(.leaderboard(board.rows)) }
    if let summary = state.sessionSummary { report(.summary(summary.view)) }
    if isReturn { report(.resumed) }
  }

  private func applyHistory(_ lines: [DialogLine]) {
    guard !lines.isEmpty, lines.map(\.id) != history.map(\.id) else { return }
    history = lines
    committed = Set(lines.map(\.id))
    announced.removeAll { line in lines.contains { $0.id == line.id } }
    report(.historyReplaced(lines.map(\.id)))
  }

  /// A vote that was closed while this client was away is dropped; one that was opened is joined.
  private func applyVote(_ state: SessionState) {
    if let open = vote, state.pendingVote?.action != open.action || state.currentPhase == .finished {
      vote = nil
      effects.append(.cancelTimer(EngineTimer.vote))
      if phase == .voting { phase = .active }
    }
    guard vote == nil, let pending = state.pendingVote else { return }
    var open = OpenVote(proposer: pending.proposerID, action: pending.action)
    for ballot in state.voteResults.entries { open.cast(ballot.key, ballot.value) }
    vote = open
    effects.append(.setTimer(EngineTimer.vote, at: now + configuration.voteTimeout))
  }
}
