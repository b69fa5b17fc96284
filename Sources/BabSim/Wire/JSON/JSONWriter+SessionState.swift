extension JSONWriter {
  mutating func state(_ state: SessionState) {
    raw("{\"mode\":\"")
    word(state.mode.rawValue)
    raw("\",\"connectionStatus\":\"")
    word(state.connectionStatus.rawValue)
    raw("\",\"peers\":[")
    for index in state.peers.indices {
      if index > 0 { octet(0x2C) }
      participant(state.peers[index])
    }
    raw("],\"localPeerId\":")
    string(state.localPeerID)
    raw(",\"scenario\":")
    scenario(state.scenario)
    raw(",\"roles\":{")
    for index in state.roles.entries.indices {
      if index > 0 { octet(0x2C) }
      string(state.roles.entries[index].key)
      octet(0x3A)
      role(state.roles.entries[index].value)
    }
    raw("},\"dialogHistory\":")
    lines(state.dialogHistory)
    raw(",\"currentPhase\":\"")
    word(state.currentPhase.rawValue)
    raw("\",\"pendingVote\":")
    vote(state.pendingVote)
    raw(",\"voteResults\":{")
    for index in state.voteResults.entries.indices {
      if index > 0 { octet(0x2C) }
      string(state.voteResults.entries[index].key)
      octet(0x3A)
      boolean(state.voteResults.entries[index].value)
    }
    raw("},\"vectorClock\":")
    clock(state.vectorClock)
    raw(",\"lastSyncTimestamp\":")
    integer(state.lastSyncTimestamp)
    carried(state)
    table(state)
  }

  /// The fields that the bench carries without interpreting them.
  private mutating func carried(_ state: SessionState) {
    raw(",\"playerContexts\":")
    value(.object(state.playerContexts))
    raw(",\"activePlotTwist\":")
    value(state.activePlotTwist ?? .null)
    raw(",\"recentFeedback\":")
    value(.array(state.recentFeedback))
    raw(",\"sessionStats\":")
    value(state.sessionStats ?? .null)
  }

  private mutating func table(_ state: SessionState) {
    raw(",\"lobbyPlayers\":[")
    for index in state.lobbyPlayers.indices {
      if index > 0 { octet(0x2C) }
      lobbyPlayer(state.lobbyPlayers[index])
    }
    raw("],\"isAdvertising\":")
    boolean(state.isAdvertising)
    raw(",\"connectedPeers\":[")
    for index in state.connectedPeers.indices {
      if index > 0 { octet(0x2C) }
      connectedPeer(state.connectedPeers[index])
    }
    raw("],\"currentTurnPlayerId\":")
    optionalString(state.currentTurnPlayerID)
    raw(",\"pendingLine\":")
    optionalLine(state.pendingLine)
    raw(",\"committedHistory\":")
    lines(state.committedHistory)
    raw(",\"playerStats\":{")
    for index in state.playerStats.entries.indices {
      if index > 0 { octet(0x2C) }
      string(state.playerStats.entries[index].key)
      octet(0x3A)
      stats(state.playerStats.entries[index].value)
    }
    raw("},\"sessionLeaderboard\":")
    if let leaderboard = state.sessionLeaderboard { self.leaderboard(leaderboard) } else { raw("null") }
    raw(",\"sessionSummary\":")
    if let summary = state.sessionSummary { self.summary(summary) } else { raw("null") }
    octet(0x7D)
  }

  private mutating func scenario(_ scenario: GameScenario?) {
    guard let scenario else { return raw("null") }
    raw("{\"id\":")
    string(scenario.id)
    raw(",\"name\":")
    string(scenario.name)
    raw(",\"description\":")
    string(scenario.description)
    raw(",\"availableRoles\":[")
    for index in scenario.availableRoles.indices {
      if index > 0 { octet(0x2C) }
      role(scenario.availableRoles[index])
    }
    raw("]}")
  }

  private mutating func lines(_ lines: [DialogLine]) {
    octet(0x5B)
    for index in lines.indices {
      if index > 0 { octet(0x2C) }
      line(lines[index])
    }
    octet(0x5D)
  }

  private mutating func vote(_ vote: PendingVote?) {
    guard let vote else { return raw("null") }
    raw("{\"proposerId\":")
    string(vote.proposerID)
    raw(",\"action\":\"")
    word(vote.action.rawValue)
    raw("\",\"requiredVotes\":")
    integer(vote.requiredVotes)
    octet(0x7D)
  }

  private mutating func lobbyPlayer(_ player: LobbyPlayer) {
    raw("{\"peerId\":")
    string(player.peerID)
    raw(",\"displayName\":")
    string(player.displayName)
    raw(",\"assignedRole\":")
    optionalRole(player.assignedRole)
    raw(",\"isReady\":")
    boolean(player.isReady)
    raw(",\"connectionQuality\":\"")
    word(player.connectionQuality.rawValue)
    raw("\"}")
  }

  private mutating func connectedPeer(_ peer: ConnectedPeer) {
    raw("{\"peerId\":")
    string(peer.peerID)
    raw(",\"displayName\":")
    string(peer.displayName)
    raw(",\"isHost\":")
    boolean(peer.isHost)
    raw(",\"lastSeen\":")
    integer(peer.lastSeen)
    octet(0x7D)
  }

  private mutating func stats(_ stats: PlayerStats) {
    raw("{\"playerId\":")
    string(stats.playerID)
    raw(",\"linesCompleted\":")
    integer(stats.linesCompleted)
    raw(",\"totalErrors\":")
    integer(stats.totalErrors)
    raw(",\"perfectLines\":")
    integer(stats.perfectLines)
    raw(",\"averageAccuracy\":")
    float(stats.averageAccuracy)
    raw(",\"currentStreak\":")
    integer(stats.currentStreak)
    raw(",\"xpEarned\":")
    integer(stats.xpEarned)
    octet(0x7D)
  }

  private mutating func summary(_ summary: SessionSummary) {
    raw("{\"scenarioName\":")
    string(summary.scenarioName)
    raw(",\"durationMs\":")
    integer(summary.durationMilliseconds)
    raw(",\"totalLines\":")
    integer(summary.totalLines)
    raw(",\"playerRankings\":")
    rankings(summary.playerRankings)
    raw(",\"xpEarned\":{")
    for index in summary.xpEarned.entries.indices {
      if index > 0 { octet(0x2C) }
      string(summary.xpEarned.entries[index].key)
      octet(0x3A)
      integer(summary.xpEarned.entries[index].value)
    }
    raw("},\"achievementsUnlocked\":[")
    for index in summary.achievementsUnlocked.indices {
      if index > 0 { octet(0x2C) }
      achievement(summary.achievementsUnlocked[index])
    }
    raw("],\"vocabularyLearned\":")
    value(.array(summary.vocabularyLearned))
    raw(",\"overallAccuracy\":")
    float(summary.overallAccuracy)
    octet(0x7D)
  }

  private mutating func achievement(_ achievement: Achievement) {
    raw("{\"id\":")
    string(achievement.id)
    raw(",\"name\":")
    string(achievement.name)
    raw(",\"description\":")
    string(achievement.description)
    raw(",\"iconName\":")
    optionalString(achievement.iconName)
    raw(",\"unlockedAt\":")
    if let instant = achievement.unlockedAt { integer(instant) } else { raw("null") }
    octet(0x7D)
  }
}
