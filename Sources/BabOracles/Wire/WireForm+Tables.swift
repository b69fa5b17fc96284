import BabSim
import Conformance

/// Tables 4.C and 4.D of Docs/Protocol/wire.md.
extension WireForm {
  /// One row of table 4.C.
  package struct PayloadKind: Sendable {
    var type: PacketType
    package var name: String
    /// The clause that a missing or unknown key breaks, where one stands for this kind alone.
    var clause: String?
    var fields: [Field]
    init(_ type: PacketType, _ name: String, clause: String? = nil, _ fields: [Field]) {
      self.type = type
      self.name = name
      self.clause = clause
      self.fields = fields
    }
  }

  package static let kinds: [PayloadKind] = [
    PayloadKind(.handshake, "Handshake", [Field("participant", .object(participant))]),
    PayloadKind(.heartbeat, "Heartbeat", []),
    PayloadKind(.generateRequest, "GenerateRequest", [Field("prompt", .text)]),
    PayloadKind(.dialogLineAdded, "DialogLineAdded", [Field("line", .object(line))]),
    PayloadKind(.voteRequest, "VoteRequest", [Field("proposerId", .text), Field("action", .names(actions))]),
    PayloadKind(.voteCast, "VoteCast", [Field("voterId", .text), Field("vote", .boolean)]),
    PayloadKind(.fullStateSnapshot, "FullStateSnapshot", [Field("state", .object(state))]),
    PayloadKind(.navigationSync, "NavigationSync", [Field("screenName", .text)]),
    PayloadKind(.lineCompleted, "LineCompleted", [Field("lineId", .text), Field("result", .object(result))]),
    PayloadKind(.lineSkipped, "LineSkipped", [Field("lineId", .text)]),
    PayloadKind(.roleAssigned, "RoleAssigned", [Field("playerId", .text), Field("roleId", .text)]),
    PayloadKind(.playerReady, "PlayerReady", [Field("playerId", .text), Field("isReady", .boolean)]),
    PayloadKind(.gameStarted, "GameStarted", []),
    PayloadKind(
      .turnAdvanced, "TurnAdvanced", [Field("nextPlayerId", .text), Field("pendingLine", .optional(.object(line)))]),
    PayloadKind(.leaderboardUpdate, "LeaderboardUpdate", [Field("leaderboard", .object(leaderboard))]),
    PayloadKind(.lobbyUpdate, "LobbyUpdate", clause: "BAB 4.14", [Field("lobbyState", .object(lobbyState))]),
    PayloadKind(.clientJoin, "ClientJoin", clause: "BAB 4.15", [Field("profile", .object(profile))]),
    PayloadKind(.startGame, "StartGame", clause: "BAB 4.15", []),
  ]

  package static let actions = ["CHANGE_SCENE", "END_GAME", "SKIP_LINE"]

  package static let clock = Kind("vectorClock", clause: "BAB 4.13", [Field("timestamps", .map(.integer))])
  package static let role = Kind("role", [Field("id", .text), Field("name", .text), Field("description", .text)])
  package static let participant = Kind(
    "participant",
    [
      Field("id", .text), Field("name", .text), Field("role", .optional(.object(role))),
      Field("isHost", .boolean, hasDefault: true),
    ])
  package static let wordError = Kind(
    "word error",
    [
      Field("word", .text), Field("position", .integer), Field("expected", .optional(.text)),
      Field("heard", .optional(.text)),
    ])
  package static let result = Kind(
    "result",
    [
      Field("errorCount", .integer), Field("accuracy", .float), Field("wordErrors", .list(.object(wordError))),
      Field("skipped", .boolean), Field("duration", .integer),
    ])
  package static let line = Kind(
    "line",
    [
      Field("id", .text), Field("speakerId", .text), Field("roleName", .text), Field("textNative", .text),
      Field("textTranslated", .text), Field("timestamp", .integer),
      Field("assignedToPlayerId", .text, hasDefault: true),
      Field("visibility", .names(["PRIVATE", "COMMITTED"]), hasDefault: true),
      Field("pronunciationResult", .optional(.object(result))),
    ])
  package static let ranking = Kind(
    "ranking",
    [
      Field("rank", .integer), Field("playerId", .text), Field("displayName", .text), Field("score", .integer),
      Field("highlight", .optional(.text)),
    ])
  package static let leaderboard = Kind(
    "leaderboard", [Field("rankings", .list(.object(ranking))), Field("updatedAt", .integer)])
  package static let profile = Kind(
    "profile", clause: "BAB 4.15", [Field("playerId", .text), Field("displayName", .text)])
  package static let seat = Kind("profile", clause: "BAB 4.14", profile.fields)
  package static let lobbyState = Kind(
    "lobbyState", clause: "BAB 4.14",
    [
      Field("selectedScenarioId", .text), Field("difficultyLevel", .text),
      Field("connectedPlayers", .list(.object(seat))),
    ])
  package static let scenario = Kind(
    "scenario",
    [
      Field("id", .text), Field("name", .text), Field("description", .text),
      Field("availableRoles", .list(.object(role))),
    ])
  package static let pendingVote = Kind(
    "pending vote",
    [Field("proposerId", .text), Field("action", .names(actions)), Field("requiredVotes", .integer)])
  package static let lobbyPlayer = Kind(
    "lobby player",
    [
      Field("peerId", .text), Field("displayName", .text), Field("assignedRole", .optional(.object(role))),
      Field("isReady", .boolean),
      Field("connectionQuality", .names(["EXCELLENT", "GOOD", "FAIR", "POOR"]), hasDefault: true),
    ])
  package static let connectedPeer = Kind(
    "connected peer",
    [
      Field("peerId", .text), Field("displayName", .text), Field("isHost", .boolean, hasDefault: true),
      Field("lastSeen", .integer, hasDefault: true),
    ])
  package static let playerStats = Kind(
    "player stats",
    [
      Field("playerId", .text), Field("linesCompleted", .integer, hasDefault: true),
      Field("totalErrors", .integer, hasDefault: true), Field("perfectLines", .integer, hasDefault: true),
      Field("averageAccuracy", .float, hasDefault: true), Field("currentStreak", .integer, hasDefault: true),
      Field("xpEarned", .integer, hasDefault: true),
    ])
  package static let achievement = Kind(
    "achievement",
    [
      Field("id", .text), Field("name", .text), Field("description", .text), Field("iconName", .optional(.text)),
      Field("unlockedAt", .integer),
    ])
  package static let summary = Kind(
    "session summary",
    [
      Field("scenarioName", .text), Field("durationMs", .integer), Field("totalLines", .integer),
      Field("playerRankings", .list(.object(ranking))), Field("xpEarned", .map(.integer)),
      Field("achievementsUnlocked", .list(.object(achievement))), Field("vocabularyLearned", .list(.anything)),
      Field("overallAccuracy", .float),
    ])
  package static let state = Kind(
    "state", clause: "BAB 4.16",
    [
      Field("mode", .names(["SOLO", "HOST", "CLIENT"])),
      Field("connectionStatus", .names(["DISCONNECTED", "CONNECTING", "CONNECTED", "RECONNECTING"])),
      Field("peers", .list(.object(participant))), Field("localPeerId", .text),
      Field("scenario", .optional(.object(scenario))), Field("roles", .map(.object(role))),
      Field("dialogHistory", .list(.object(line))),
      Field("currentPhase", .names(["LOBBY", "ROLE_SELECTION", "WAITING", "ACTIVE", "VOTING", "FINISHED"])),
      Field("pendingVote", .optional(.object(pendingVote))), Field("voteResults", .map(.boolean)),
      Field("vectorClock", .object(clock)), Field("lastSyncTimestamp", .integer),
      Field("playerContexts", .map(.anything)), Field("activePlotTwist", .anything),
      Field("recentFeedback", .list(.anything)), Field("sessionStats", .anything),
      Field("lobbyPlayers", .list(.object(lobbyPlayer))), Field("isAdvertising", .boolean),
      Field("connectedPeers", .list(.object(connectedPeer))), Field("currentTurnPlayerId", .optional(.text)),
      Field("pendingLine", .optional(.object(line))), Field("committedHistory", .list(.object(line))),
      Field("playerStats", .map(.object(playerStats))), Field("sessionLeaderboard", .optional(.object(leaderboard))),
      Field("sessionSummary", .optional(.object(summary))),
    ])
}
