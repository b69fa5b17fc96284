/// The kind of a packet as its envelope names it.
///
/// Spec: BAB 4.2.
public enum PacketType: String, Hashable, Sendable, CaseIterable {
  case handshake = "HANDSHAKE"
  case heartbeat = "HEARTBEAT"
  case generateRequest = "GENERATE_REQUEST"
  case dialogLineAdded = "DIALOG_LINE_ADDED"
  case voteRequest = "VOTE_REQUEST"
  case voteCast = "VOTE_CAST"
  case fullStateSnapshot = "FULL_STATE_SNAPSHOT"
  case navigationSync = "NAVIGATION_SYNC"
  case lineCompleted = "LINE_COMPLETED"
  case lineSkipped = "LINE_SKIPPED"
  case roleAssigned = "ROLE_ASSIGNED"
  case playerReady = "PLAYER_READY"
  case gameStarted = "GAME_STARTED"
  case turnAdvanced = "TURN_ADVANCED"
  case leaderboardUpdate = "LEADERBOARD_UPDATE"
  case lobbyUpdate = "LOBBY_UPDATE"
  case clientJoin = "CLIENT_JOIN"
  case startGame = "START_GAME"
}

/// What a packet says.
///
/// Spec: BAB 4.2.
public enum PacketPayload: Hashable, Sendable {
  case handshake(Participant)
  case heartbeat
  case generateRequest(prompt: String)
  case dialogLineAdded(DialogLine)
  case voteRequest(proposerID: String, action: VoteAction)
  case voteCast(voterID: String, vote: Bool)
  /// Boxed: a session state is ten times as large as any other payload.
  indirect case fullStateSnapshot(SessionState)
  case navigationSync(screenName: String)
  case lineCompleted(lineID: String, result: PronunciationResult)
  case lineSkipped(lineID: String)
  case roleAssigned(playerID: String, roleID: String)
  case playerReady(playerID: String, isReady: Bool)
  case gameStarted
  case turnAdvanced(nextPlayerID: String, pendingLine: DialogLine?)
  case leaderboardUpdate(Leaderboard)
  case lobbyUpdate(LobbyState)
  case clientJoin(LobbyProfile)
  case startGame

  /// The payload's own kind; the envelope of an honest packet names the same.
  public var type: PacketType {
    switch self {
    case .handshake: .handshake
    case .heartbeat: .heartbeat
    case .generateRequest: .generateRequest
    case .dialogLineAdded: .dialogLineAdded
    case .voteRequest: .voteRequest
    case .voteCast: .voteCast
    case .fullStateSnapshot: .fullStateSnapshot
    case .navigationSync: .navigationSync
    case .lineCompleted: .lineCompleted
    case .lineSkipped: .lineSkipped
    case .roleAssigned: .roleAssigned
    case .playerReady: .playerReady
    case .gameStarted: .gameStarted
    case .turnAdvanced: .turnAdvanced
    case .leaderboardUpdate: .leaderboardUpdate
    case .lobbyUpdate: .lobbyUpdate
    case .clientJoin: .clientJoin
    case .startGame: .startGame
    }
  }
}
