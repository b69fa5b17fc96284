import AppSeam
import BluetoothWire
import SimKernel

/// Turns, lines, points and the end of the game (BAB 5.4, 5.8, 6).
extension HostEngine {
  // MARK: Turns

  /// Generates a line for a player: the text goes to that player's link only (BAB 5.4.3).
  func beginTurn(of id: String) {
    guard let index = playerIndex(id) else { return }
    let player = players[index]
    let role = role(of: id)
    let (lineID, template) = generator.next(roleID: role?.id)
    let line = DialogLine(
      id: lineID, speakerID: id, roleName: role?.name ?? player.name, textNative: template.native,
      textTranslated: template.translated, timestamp: BabConfiguration.wallMilliseconds(now),
      assignedToPlayerID: id, visibility: .isPrivate)
    pendingLine = line
    turnPlayerID = id
    turnStart = now
    report(.lineGenerated(lineID: lineID, player: id, text: line.textNative))
    report(.turn(player: id))
    report(.screen(ScreenLine(lineID: lineID, text: id == peerID ? line.textNative : nil)))
    if let link = player.link { send(.turnAdvanced(nextPlayerID: id, pendingLine: line), to: link) }
    broadcast(.turnAdvanced(nextPlayerID: id, pendingLine: line.redacted), except: player.link)
  }

  /// The next player in roster order after a place in the joining order, round and round.
  func nextTurn(after joinIndex: Int) {
    guard let next = players.first(where: { $0.joinIndex > joinIndex }) ?? players.first else { return }
    beginTurn(of: next.id)
  }

  /// Another line in place of the pending one, for the player whose turn it is (BAB 5.4.9).
  func generateAgain(for id: String, link: LinkID?) {
    guard isPlaying, turnPlayerID == id else {
      if let link { report(.refused(link, reason: "GENERATE_REQUEST out of turn")) }
      return
    }
    beginTurn(of: id)
  }

  // MARK: Reading

  func lineCompleted(_ lineID: String, _ result: PronunciationResult, by id: String, _ link: LinkID) {
    guard mayRead(lineID, by: id, link) else { return }
    guard result.isPossible else {
      return violation(link, BabRule.impossibleResult, "LINE_COMPLETED of \(id) with an impossible result")
    }
    accept(result.skipped ? nil : result)
  }

  func lineSkipped(_ lineID: String, by id: String, _ link: LinkID) {
    guard mayRead(lineID, by: id, link) else { return }
    accept(nil)
  }

  /// Only the current player, only the pending line (BAB 5.4.5, 7.3).
  private func mayRead(_ lineID: String, by id: String, _ link: LinkID) -> Bool {
    guard isPlaying, let pendingLine, pendingLine.id == lineID else {
      report(.refused(link, reason: "line \(lineID) is not pending"))
      return false
    }
    guard turnPlayerID == id else {
      violation(link, BabRule.foreignLine, "line \(lineID) is \(turnPlayerID ?? "nobody")'s, not \(id)'s")
      return false
    }
    return true
  }

  func completeOwnLine(accuracyPermille: Int, errorCount: Int, durationMilliseconds: Int) {
    guard isPlaying, turnPlayerID == peerID, pendingLine != nil else { return }
    let result = PronunciationResult(
      errorCount: Int32(clamping: errorCount), accuracy: Accuracy.float(permille: accuracyPermille), wordErrors: [],
      skipped: false, duration: Int64(durationMilliseconds))
    if result.isPossible { accept(result) }
  }

  func skipOwnLine() {
    if let solo { return showSolo(solo.skip(now)) }
    guard isPlaying, turnPlayerID == peerID, pendingLine != nil else { return }
    accept(nil)
  }

  /// Speaking reads the line: in a game the words are compared at once.
  func speak(_ text: String) {
    if let solo { return showSolo(solo.speak(text, now)) }
    guard isPlaying, turnPlayerID == peerID, let pendingLine else { return }
    accept(pendingLine.read(text, rule: dialect.pronunciation, from: turnStart, to: now))
  }

  /// Commits the pending line, with nil as a skipped one, and goes on (BAB 5.4.6).
  func accept(_ result: PronunciationResult?) {
    guard var line = pendingLine, let id = turnPlayerID, let index = playerIndex(id) else { return }
    pendingLine = nil
    line.visibility = .committed
    line.pronunciationResult = result ?? .skippedLine
    count(result, index)
    report(
      .lineAccepted(
        lineID: line.id, player: id, skipped: result == nil, accuracyPermille: result?.accuracyPermille ?? 0))
    history.append(line)
    report(.committed(index: history.count - 1, lineID: line.id, text: line.textNative))
    broadcast(.dialogLineAdded(line))
    if let result {
      broadcast(.lineCompleted(lineID: line.id, result: result))
    } else {
      broadcast(.lineSkipped(lineID: line.id))
    }
    report(.score(player: id, xp: players[index].score.xp))
    let isLast = configuration.totalLines > 0 && history.count >= configuration.totalLines
    if !isLast { nextTurn(after: players[index].joinIndex) }
    showRanking(leaderboard)
    if isLast { finish() }
  }

  private func count(_ result: PronunciationResult?, _ index: Int) {
    let id = players[index].id
    if let result {
      let accuracy = result.accuracyPermille
      _ = players[index].score.complete(
        accuracyPermille: accuracy, errorCount: Int(result.errorCount), durationMilliseconds: result.duration,
        scenarioID: scenarioID, formula: dialect.scoring, isMultiplayer: players.count > 1)
      readLines.append(
        .init(
          playerID: id, isPerfect: accuracy >= 1_000, isSkipped: false, errorCount: Int(result.errorCount)))
    } else {
      players[index].score.skip()
      readLines.append(.init(playerID: id, isPerfect: false, isSkipped: true, errorCount: 0))
    }
  }

  // MARK: Ranking and end

  /// By points, ties in roster order; every player who is there has a rank of its own (BAB 6.7).
  var leaderboard: Leaderboard {
    let order = players.indices.sorted { a, b in
      let (left, right) = (players[a].score.xp, players[b].score.xp)
      return left != right ? left > right : a < b
    }
    let rankings = order.enumerated().map { rank, index in
      Ranking(
        rank: Int32(clamping: rank + 1), playerID: players[index].id, displayName: players[index].name,
        score: Int32(clamping: players[index].score.xp), highlight: players[index].score.highlight)
    }
    return Leaderboard(rankings: rankings, updatedAt: BabConfiguration.wallMilliseconds(now))
  }

  /// Shows a ranking and sends it to everybody, except to one who gets it in another packet (BAB 1.3, 6.8).
  private func showRanking(_ board: Leaderboard, except link: LinkID? = nil) {
    shown.ranking = board.rows
    report(.leaderboard(board.rows))
    broadcast(.leaderboardUpdate(board), except: link)
  }

  /// Players who left or came back may have changed the ranking since the last line. Before it goes into a snapshot it
  /// is then shown, and sent to those who do not get the snapshot; without it they would disagree until the next line,
  /// and after the last one for good.
  func showRankingIfItChanged(except link: LinkID? = nil) {
    guard let ranking = shown.ranking, ranking != leaderboard.rows else { return }
    showRanking(leaderboard, except: link)
  }

  /// FINISHED, with the summary in a last snapshot to everybody (BAB 5.8).
  func finish() {
    guard isPlaying else { return }
    phase = .finished
    pendingLine = nil
    turnPlayerID = nil
    closeVote()
    let awards = Achievements.awards(
      .init(
        scores: players.map(\.score), lines: readLines,
        earlierSessions: friends.map { ($0.peerID, $0.count) }, hostID: peerID))
    countSession()
    let summary = summarise(awards)
    self.summary = summary
    showPhase()
    report(.turn(player: nil))
    for award in awards { report(.achievement(player: award.playerID, id: award.id)) }
    report(.summary(summary.view))
    sendFinalSnapshot()
    advertiseIfRoom(again: false)
  }

  /// One more session with everybody who is there; who was there longest ago is forgotten first.
  private func countSession() {
    for player in players where player.id != peerID {
      let count = friends.first { $0.peerID == player.id }?.count ?? 0
      friends.removeAll { $0.peerID == player.id }
      friends.append(.init(peerID: player.id, count: count + 1))
    }
    friends.removeFirst(max(0, friends.count - Self.friendLimit))
  }

  private static var friendLimit: Int { 256 }

  private func summarise(_ awards: [Achievements.Award]) -> SessionSummary {
    let wall = BabConfiguration.wallMilliseconds(now)
    let unlocked = Achievements.names.filter { name in awards.contains { $0.id == name.id } }
    let completed = players.map(\.score.linesCompleted).reduce(0, +)
    let sum = players.map(\.score.accuracyPermilleSum).reduce(0, +)
    return SessionSummary(
      scenarioName: scenario(scenarioID)?.name ?? "",
      durationMilliseconds: (now - gameStart).nanoseconds / 1_000_000,
      totalLines: Int32(clamping: history.count),
      playerRankings: leaderboard.rankings,
      xpEarned: OrderedMap(players.map { ($0.id, Int32(clamping: $0.score.xp)) }),
      achievementsUnlocked: unlocked.map {
        Achievement(id: $0.id, name: $0.name, description: $0.description, unlockedAt: wall)
      },
      overallAccuracy: Accuracy.float(permille: completed == 0 ? 0 : (sum + completed / 2) / completed))
  }
}
