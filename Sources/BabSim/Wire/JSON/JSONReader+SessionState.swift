extension JSONReader {
  mutating func state() throws(BabPacketError) -> SessionState {
    var state = SessionState()
    try beginObject()
    while try nextKey() {
      if try scene(&state) { continue }
      if try carried(&state) { continue }
      if try table(&state) { continue }
      try skipValue()
    }
    return state
  }

  /// Reads the field if it is one of the first twelve.
  private mutating func scene(_ state: inout SessionState) throws(BabPacketError) -> Bool {
    if key(is: "mode") {
      state.mode = try name(SessionMode.self, "mode")
    } else if key(is: "connectionStatus") {
      state.connectionStatus = try name(ConnectionStatus.self, "connection status")
    } else if key(is: "peers") {
      state.peers = try array { (reader) throws(BabPacketError) in try reader.participant() }
    } else if key(is: "localPeerId") {
      state.localPeerID = try string()
    } else if key(is: "scenario") {
      state.scenario = try optional { (reader) throws(BabPacketError) in try reader.scenario() }
    } else if key(is: "roles") {
      state.roles = try map { (reader) throws(BabPacketError) in try reader.role() }
    } else if key(is: "dialogHistory") {
      state.dialogHistory = try array { (reader) throws(BabPacketError) in try reader.line() }
    } else if key(is: "currentPhase") {
      state.currentPhase = try name(GamePhase.self, "phase")
    } else if key(is: "pendingVote") {
      state.pendingVote = try optional { (reader) throws(BabPacketError) in try reader.pendingVote() }
    } else if key(is: "voteResults") {
      state.voteResults = try map { (reader) throws(BabPacketError) in try reader.boolean() }
    } else if key(is: "vectorClock") {
      state.vectorClock = try clock()
    } else if key(is: "lastSyncTimestamp") {
      state.lastSyncTimestamp = try int64()
    } else {
      return false
    }
    return true
  }

  /// Reads the field if the bench carries it without interpreting it.
  private mutating func carried(_ state: inout SessionState) throws(BabPacketError) -> Bool {
    if key(is: "playerContexts") {
      state.playerContexts = try object()
    } else if key(is: "activePlotTwist") {
      state.activePlotTwist = try optional { (reader) throws(BabPacketError) in try reader.value() }
    } else if key(is: "recentFeedback") {
      state.recentFeedback = try array { (reader) throws(BabPacketError) in try reader.value() }
    } else if key(is: "sessionStats") {
      state.sessionStats = try optional { (reader) throws(BabPacketError) in try reader.value() }
    } else {
      return false
    }
    return true
  }

  /// Reads the field if it is one of the last nine.
  private mutating func table(_ state: inout SessionState) throws(BabPacketError) -> Bool {
    if key(is: "lobbyPlayers") {
      state.lobbyPlayers = try array { (reader) throws(BabPacketError) in try reader.lobbyPlayer() }
    } else if key(is: "isAdvertising") {
      state.isAdvertising = try boolean()
    } else if key(is: "connectedPeers") {
      state.connectedPeers = try array { (reader) throws(BabPacketError) in try reader.connectedPeer() }
    } else if key(is: "currentTurnPlayerId") {
      state.currentTurnPlayerID = try optionalString()
    } else if key(is: "pendingLine") {
      state.pendingLine = try optional { (reader) throws(BabPacketError) in try reader.line() }
    } else if key(is: "committedHistory") {
      state.committedHistory = try array { (reader) throws(BabPacketError) in try reader.line() }
    } else if key(is: "playerStats") {
      state.playerStats = try map { (reader) throws(BabPacketError) in try reader.stats() }
    } else if key(is: "sessionLeaderboard") {
      state.sessionLeaderboard = try optional { (reader) throws(BabPacketError) in try reader.leaderboard() }
    } else if key(is: "sessionSummary") {
      state.sessionSummary = try optional { (reader) throws(BabPacketError) in try reader.summary() }
    } else {
      return false
    }
    return true
  }

  private mutating func scenario() throws(BabPacketError) -> GameScenario {
    var id: String?
    var name: String?
    var description: String?
    var availableRoles: [Role]?
    try beginObject()
    while try nextKey() {
      if key(is: "id") {
        id = try string()
      } else if key(is: "name") {
        name = try string()
      } else if key(is: "description") {
        description = try string()
      } else if key(is: "availableRoles") {
        availableRoles = try array { (reader) throws(BabPacketError) in try reader.role() }
      } else {
        try skipValue()
      }
    }
    return GameScenario(
      id: try required(id, "id"), name: try required(name, "name"),
      description: try required(description, "description"),
      availableRoles: try required(availableRoles, "availableRoles"))
  }

  private mutating func pendingVote() throws(BabPacketError) -> PendingVote {
    var proposerID: String?
    var action: VoteAction?
    var requiredVotes: Int32?
    try beginObject()
    while try nextKey() {
      if key(is: "proposerId") {
        proposerID = try string()
      } else if key(is: "action") {
        action = try name(VoteAction.self, "vote action")
      } else if key(is: "requiredVotes") {
        requiredVotes = try int32()
      } else {
        try skipValue()
      }
    }
    return PendingVote(
      proposerID: try required(proposerID, "proposerId"), action: try required(action, "action"),
      requiredVotes: try required(requiredVotes, "requiredVotes"))
  }

  /// `assignedRole` may be null but not absent.
  private mutating func lobbyPlayer() throws(BabPacketError) -> LobbyPlayer {
    var peerID: String?
    var displayName: String?
    var assignedRole: Role??
    var isReady: Bool?
    var connectionQuality = ConnectionQuality.good
    try beginObject()
    while try nextKey() {
      if key(is: "peerId") {
        peerID = try string()
      } else if key(is: "displayName") {
        displayName = try string()
      } else if key(is: "assignedRole") {
        assignedRole = .some(try optional { (reader) throws(BabPacketError) in try reader.role() })
      } else if key(is: "isReady") {
        isReady = try boolean()
      } else if key(is: "connectionQuality") {
        connectionQuality = try name(ConnectionQuality.self, "connection quality")
      } else {
        try skipValue()
      }
    }
    return LobbyPlayer(
      peerID: try required(peerID, "peerId"), displayName: try required(displayName, "displayName"),
      assignedRole: try required(assignedRole, "assignedRole"), isReady: try required(isReady, "isReady"),
      connectionQuality: connectionQuality)
  }

  private mutating func connectedPeer() throws(BabPacketError) -> ConnectedPeer {
    var peerID: String?
    var displayName: String?
    var isHost = false
    var lastSeen: Int64 = 0
    try beginObject()
    while try nextKey() {
      if key(is: "peerId") {
        peerID = try string()
      } else if key(is: "displayName") {
        displayName = try string()
      } else if key(is: "isHost") {
        isHost = try boolean()
      } else if key(is: "lastSeen") {
        lastSeen = try int64()
      } else {
        try skipValue()
      }
    }
    return ConnectedPeer(
      peerID: try required(peerID, "peerId"), displayName: try required(displayName, "displayName"), isHost: isHost,
      lastSeen: lastSeen)
  }

  private mutating func stats() throws(BabPacketError) -> PlayerStats {
    var playerID: String?
    var stats = PlayerStats(playerID: "")
    try beginObject()
    while try nextKey() {
      if key(is: "playerId") {
        playerID = try string()
      } else if key(is: "linesCompleted") {
        stats.linesCompleted = try int32()
      } else if key(is: "totalErrors") {
        stats.totalErrors = try int32()
      } else if key(is: "perfectLines") {
        stats.perfectLines = try int32()
      } else if key(is: "averageAccuracy") {
        stats.averageAccuracy = try float()
      } else if key(is: "currentStreak") {
        stats.currentStreak = try int32()
      } else if key(is: "xpEarned") {
        stats.xpEarned = try int32()
      } else {
        try skipValue()
      }
    }
    stats.playerID = try required(playerID, "playerId")
    return stats
  }

  private mutating func summary() throws(BabPacketError) -> SessionSummary {
    var scenarioName: String?
    var duration: Int64?
    var totalLines: Int32?
    var rankings: [Ranking]?
    var xpEarned: OrderedMap<Int32>?
    var achievements: [Achievement]?
    var vocabulary: [JSONValue]?
    var accuracy: Float?
    try beginObject()
    while try nextKey() {
      if key(is: "scenarioName") {
        scenarioName = try string()
      } else if key(is: "durationMs") {
        duration = try int64()
      } else if key(is: "totalLines") {
        totalLines = try int32()
      } else if key(is: "playerRankings") {
        rankings = try array { (reader) throws(BabPacketError) in try reader.ranking() }
      } else if key(is: "xpEarned") {
        xpEarned = try map { (reader) throws(BabPacketError) in try reader.int32() }
      } else if key(is: "achievementsUnlocked") {
        achievements = try array { (reader) throws(BabPacketError) in try reader.achievement() }
      } else if key(is: "vocabularyLearned") {
        vocabulary = try array { (reader) throws(BabPacketError) in try reader.value() }
      } else if key(is: "overallAccuracy") {
        accuracy = try float()
      } else {
        try skipValue()
      }
    }
    return SessionSummary(
      scenarioName: try required(scenarioName, "scenarioName"),
      durationMilliseconds: try required(duration, "durationMs"), totalLines: try required(totalLines, "totalLines"),
      playerRankings: try required(rankings, "playerRankings"), xpEarned: try required(xpEarned, "xpEarned"),
      achievementsUnlocked: try required(achievements, "achievementsUnlocked"),
      vocabularyLearned: try required(vocabulary, "vocabularyLearned"),
      overallAccuracy: try required(accuracy, "overallAccuracy"))
  }

  private mutating func achievement() throws(BabPacketError) -> Achievement {
    var id: String?
    var name: String?
    var description: String?
    var iconName: String?
    var unlockedAt: Int64?
    try beginObject()
    while try nextKey() {
      if key(is: "id") {
        id = try string()
      } else if key(is: "name") {
        name = try string()
      } else if key(is: "description") {
        description = try string()
      } else if key(is: "iconName") {
        iconName = try optionalString()
      } else if key(is: "unlockedAt") {
        unlockedAt = try optional { (reader) throws(BabPacketError) in try reader.int64() }
      } else {
        try skipValue()
      }
    }
    return Achievement(
      id: try required(id, "id"), name: try required(name, "name"),
      description: try required(description, "description"), iconName: iconName, unlockedAt: unlockedAt)
  }
}
