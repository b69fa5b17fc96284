public enum ConnectionQuality: String, Hashable, Sendable, CaseIterable {
  case excellent = "EXCELLENT"
  case good = "GOOD"
  case fair = "FAIR"
  case poor = "POOR"
}

/// A player of the roles-and-ready lobby.
public struct LobbyPlayer: Hashable, Sendable {
  public var peerID: String
  public var displayName: String
  public var assignedRole: Role?
  public var isReady: Bool
  public var connectionQuality: ConnectionQuality
  public init(
    peerID: String, displayName: String, assignedRole: Role?, isReady: Bool,
    connectionQuality: ConnectionQuality = .good
  ) {
    self.peerID = peerID
    self.displayName = displayName
    self.assignedRole = assignedRole
    self.isReady = isReady
    self.connectionQuality = connectionQuality
  }
}

/// A peer that the host has a link to.
public struct ConnectedPeer: Hashable, Sendable {
  public var peerID: String
  public var displayName: String
  public var isHost: Bool
  /// Milliseconds of the host's clock.
  public var lastSeen: Int64
  public init(peerID: String, displayName: String, isHost: Bool = false, lastSeen: Int64 = 0) {
    self.peerID = peerID
    self.displayName = displayName
    self.isHost = isHost
    self.lastSeen = lastSeen
  }
}

/// A player as CLIENT_JOIN introduces it and LOBBY_UPDATE lists it.
public struct LobbyProfile: Hashable, Sendable {
  public var playerID: String
  public var displayName: String
  public init(playerID: String, displayName: String) {
    self.playerID = playerID
    self.displayName = displayName
  }
}

/// What LOBBY_UPDATE carries: the host's whole lobby.
public struct LobbyState: Hashable, Sendable {
  /// Empty while none is selected.
  public var selectedScenarioID: String
  /// easy, normal or hard; other texts are carried as they are.
  public var difficultyLevel: String
  public var connectedPlayers: [LobbyProfile]
  public init(
    selectedScenarioID: String = "", difficultyLevel: String = "normal", connectedPlayers: [LobbyProfile] = []
  ) {
    self.selectedScenarioID = selectedScenarioID
    self.difficultyLevel = difficultyLevel
    self.connectedPlayers = connectedPlayers
  }
}
