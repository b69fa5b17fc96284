extension SessionState: PacketObject {
  static var blank: Self { Self() }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.optional("mode", &mode)
    try fields.optional("connectionStatus", &connectionStatus)
    try fields.optional("peers", &peers)
    try fields.optional("localPeerId", &localPeerID)
    try fields.optional("scenario", &scenario)
    try fields.optional("roles", &roles)
    try fields.optional("dialogHistory", &dialogHistory)
    try fields.optional("currentPhase", &currentPhase)
    try fields.optional("pendingVote", &pendingVote)
    try fields.optional("voteResults", &voteResults)
    try fields.optional("vectorClock", &vectorClock)
    try fields.optional("lastSyncTimestamp", &lastSyncTimestamp)
    try fields.optional("playerContexts", &playerContexts)
    try fields.optional("activePlotTwist", &activePlotTwist)
    try fields.optional("recentFeedback", &recentFeedback)
    try fields.optional("sessionStats", &sessionStats)
    try fields.optional("lobbyPlayers", &lobbyPlayers)
    try fields.optional("isAdvertising", &isAdvertising)
    try fields.optional("connectedPeers", &connectedPeers)
    try fields.optional("currentTurnPlayerId", &currentTurnPlayerID)
    try fields.optional("pendingLine", &pendingLine)
    try fields.optional("committedHistory", &committedHistory)
    try fields.optional("playerStats", &playerStats)
    try fields.optional("sessionLeaderboard", &sessionLeaderboard)
    try fields.optional("sessionSummary", &sessionSummary)
  }
}

extension GameScenario: PacketObject {
  static var blank: Self { Self(id: "", name: "", description: "", availableRoles: []) }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("id", &id)
    try fields.required("name", &name)
    try fields.required("description", &description)
    try fields.required("availableRoles", &availableRoles)
  }
}

extension PendingVote: PacketObject {
  static var blank: Self { Self(proposerID: "", action: .changeScene, requiredVotes: 0) }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("proposerId", &proposerID)
    try fields.required("action", &action)
    try fields.required("requiredVotes", &requiredVotes)
  }
}

extension LobbyPlayer: PacketObject {
  static var blank: Self { Self(peerID: "", displayName: "", assignedRole: nil, isReady: false) }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("peerId", &peerID)
    try fields.required("displayName", &displayName)
    try fields.required("assignedRole", &assignedRole)
    try fields.required("isReady", &isReady)
    try fields.optional("connectionQuality", &connectionQuality)
  }
}

extension ConnectedPeer: PacketObject {
  static var blank: Self { Self(peerID: "", displayName: "") }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("peerId", &peerID)
    try fields.required("displayName", &displayName)
    try fields.optional("isHost", &isHost)
    try fields.optional("lastSeen", &lastSeen)
  }
}

extension PlayerStats: PacketObject {
  static var blank: Self { Self(playerID: "") }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("playerId", &playerID)
    try fields.optional("linesCompleted", &linesCompleted)
    try fields.optional("totalErrors", &totalErrors)
    try fields.optional("perfectLines", &perfectLines)
    try fields.optional("averageAccuracy", &averageAccuracy)
    try fields.optional("currentStreak", &currentStreak)
    try fields.optional("xpEarned", &xpEarned)
  }
}

extension SessionSummary: PacketObject {
  static var blank: Self {
    Self(
      scenarioName: "", durationMilliseconds: 0, totalLines: 0, playerRankings: [], xpEarned: [:],
      achievementsUnlocked: [], overallAccuracy: 0)
  }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("scenarioName", &scenarioName)
    try fields.required("durationMs", &durationMilliseconds)
    try fields.required("totalLines", &totalLines)
    try fields.required("playerRankings", &playerRankings)
    try fields.required("xpEarned", &xpEarned)
    try fields.required("achievementsUnlocked", &achievementsUnlocked)
    try fields.required("vocabularyLearned", &vocabularyLearned)
    try fields.required("overallAccuracy", &overallAccuracy)
  }
}

extension Achievement: PacketObject {
  static var blank: Self { Self(id: "", name: "", description: "", unlockedAt: 0) }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("id", &id)
    try fields.required("name", &name)
    try fields.required("description", &description)
    try fields.optional("iconName", &iconName)
    try fields.required("unlockedAt", &unlockedAt)
  }
}
