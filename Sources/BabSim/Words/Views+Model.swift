/// What packets say, in the words of reports: engines show it so, and judges read it so.
extension LobbyState {
  /// The players, in host order.
  package var playerIDs: [String] { connectedPlayers.map(\.playerID) }

  package var view: LobbyView {
    LobbyView(scenarioID: selectedScenarioID, difficulty: difficultyLevel, players: playerIDs)
  }
}

extension VectorClock {
  package var entries: [ClockEntry] { timestamps.entries.map { ClockEntry(peerID: $0.key, count: $0.value) } }
}

extension Leaderboard {
  package var rows: [LeaderboardRow] { rankings.map(\.row) }
}

extension Ranking {
  package var row: LeaderboardRow {
    LeaderboardRow(rank: Int(rank), player: playerID, score: Int(score), highlight: highlight)
  }
}

extension SessionSummary {
  package var view: SummaryView {
    SummaryView(
      lines: Int(totalLines), accuracyPermille: Accuracy.permille(overallAccuracy),
      durationMilliseconds: durationMilliseconds, rankings: playerRankings.map(\.row),
      achievements: achievementsUnlocked.map(\.id))
  }
}
