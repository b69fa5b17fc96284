public enum SessionMode: String, Hashable, Sendable, CaseIterable {
  case solo = "SOLO"
  case host = "HOST"
  case client = "CLIENT"
}

public enum ConnectionStatus: String, Hashable, Sendable, CaseIterable {
  case disconnected = "DISCONNECTED"
  case connecting = "CONNECTING"
  case connected = "CONNECTED"
  case reconnecting = "RECONNECTING"
}

public enum GamePhase: String, Hashable, Sendable, CaseIterable {
  case lobby = "LOBBY"
  case roleSelection = "ROLE_SELECTION"
  case waiting = "WAITING"
  case active = "ACTIVE"
  case voting = "VOTING"
  case finished = "FINISHED"
}

public enum VoteAction: String, Hashable, Sendable, CaseIterable {
  case changeScene = "CHANGE_SCENE"
  case endGame = "END_GAME"
  case skipLine = "SKIP_LINE"
}

public struct PendingVote: Hashable, Sendable {
  public var proposerID: String
  public var action: VoteAction
  public var requiredVotes: Int32
  public init(proposerID: String, action: VoteAction, requiredVotes: Int32) {
    self.proposerID = proposerID
    self.action = action
    self.requiredVotes = requiredVotes
  }
}

/// The whole state of a session as a snapshot carries it; the fields are in the order of the wire.
///
/// Spec: BAB 4.16. Every field has a default, so `{}` is a state.
public struct SessionState: Hashable, Sendable {
  public var mode: SessionMode = .solo
  public var connectionStatus: ConnectionStatus = .disconnected
  public var peers: [Participant] = []
  public var localPeerID = ""
  public var scenario: GameScenario?
  public var roles: OrderedMap<Role> = [:]
  public var dialogHistory: [DialogLine] = []
  public var currentPhase: GamePhase = .lobby
  public var pendingVote: PendingVote?
  public var voteResults: OrderedMap<Bool> = [:]
  public var vectorClock = VectorClock()
  /// Milliseconds of the host's clock.
  public var lastSyncTimestamp: Int64 = 0
  /// Carried, not interpreted.
  public var playerContexts: OrderedMap<JSONValue> = [:]
  /// Carried, not interpreted; never `.null`.
  public var activePlotTwist: JSONValue?
  /// Carried, not interpreted.
  public var recentFeedback: [JSONValue] = []
  /// Carried, not interpreted; never `.null`.
  public var sessionStats: JSONValue?
  public var lobbyPlayers: [LobbyPlayer] = []
  public var isAdvertising = false
  public var connectedPeers: [ConnectedPeer] = []
  public var currentTurnPlayerID: String?
  public var pendingLine: DialogLine?
  public var committedHistory: [DialogLine] = []
  public var playerStats: OrderedMap<PlayerStats> = [:]
  public var sessionLeaderboard: Leaderboard?
  public var sessionSummary: SessionSummary?

  public init() {}
}
