/// A payload is put together again only when a field has changed: a visitor that writes must leave it as it is.
extension PacketPayload: PacketFields {
  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .heartbeat, .gameStarted, .startGame: break
    case .handshake(var participant):
      try fields.required("participant", &participant)
      if fields.hasRead { self = .handshake(participant) }
    case .generateRequest(var prompt):
      try fields.required("prompt", &prompt)
      if fields.hasRead { self = .generateRequest(prompt: prompt) }
    case .dialogLineAdded(var line):
      try fields.required("line", &line)
      if fields.hasRead { self = .dialogLineAdded(line) }
    case .voteRequest(var proposerID, var action):
      try fields.required("proposerId", &proposerID)
      try fields.required("action", &action)
      if fields.hasRead { self = .voteRequest(proposerID: proposerID, action: action) }
    case .voteCast(var voterID, var vote):
      try fields.required("voterId", &voterID)
      try fields.required("vote", &vote)
      if fields.hasRead { self = .voteCast(voterID: voterID, vote: vote) }
    case .fullStateSnapshot(var state):
      try fields.required("state", &state)
      if fields.hasRead { self = .fullStateSnapshot(state) }
    case .navigationSync(var screenName):
      try fields.required("screenName", &screenName)
      if fields.hasRead { self = .navigationSync(screenName: screenName) }
    default: try visitTurnOrLobby(&fields)
    }
  }

  private mutating func visitTurnOrLobby<Visitor: PacketFieldVisitor & ~Copyable>(
    _ fields: inout Visitor
  ) throws(Visitor.Failure) {
    switch self {
    case .lineCompleted(var lineID, var result):
      try fields.required("lineId", &lineID)
      try fields.required("result", &result)
      if fields.hasRead { self = .lineCompleted(lineID: lineID, result: result) }
    case .lineSkipped(var lineID):
      try fields.required("lineId", &lineID)
      if fields.hasRead { self = .lineSkipped(lineID: lineID) }
    case .roleAssigned(var playerID, var roleID):
      try fields.required("playerId", &playerID)
      try fields.required("roleId", &roleID)
      if fields.hasRead { self = .roleAssigned(playerID: playerID, roleID: roleID) }
    case .playerReady(var playerID, var isReady):
      try fields.required("playerId", &playerID)
      try fields.required("isReady", &isReady)
      if fields.hasRead { self = .playerReady(playerID: playerID, isReady: isReady) }
    case .turnAdvanced(var nextPlayerID, var pendingLine):
      try fields.required("nextPlayerId", &nextPlayerID)
      try fields.required("pendingLine", &pendingLine)
      if fields.hasRead { self = .turnAdvanced(nextPlayerID: nextPlayerID, pendingLine: pendingLine) }
    case .leaderboardUpdate(var leaderboard):
      try fields.required("leaderboard", &leaderboard)
      if fields.hasRead { self = .leaderboardUpdate(leaderboard) }
    case .lobbyUpdate(var lobby):
      try fields.required("lobbyState", &lobby)
      if fields.hasRead { self = .lobbyUpdate(lobby) }
    case .clientJoin(var profile):
      try fields.required("profile", &profile)
      if fields.hasRead { self = .clientJoin(profile) }
    default: break
    }
  }

  /// One box for all, because a snapshot that has been read is put into a box of its own.
  private static let blankSnapshot = Self.fullStateSnapshot(.blank)

  /// What a payload of a kind is read into.
  static func blank(_ type: PacketType) -> Self {
    switch type {
    case .handshake: .handshake(.blank)
    case .heartbeat: .heartbeat
    case .generateRequest: .generateRequest(prompt: "")
    case .dialogLineAdded: .dialogLineAdded(.blank)
    case .voteRequest: .voteRequest(proposerID: "", action: .changeScene)
    case .voteCast: .voteCast(voterID: "", vote: false)
    case .fullStateSnapshot: blankSnapshot
    case .navigationSync: .navigationSync(screenName: "")
    case .lineCompleted: .lineCompleted(lineID: "", result: .blank)
    case .lineSkipped: .lineSkipped(lineID: "")
    case .roleAssigned: .roleAssigned(playerID: "", roleID: "")
    case .playerReady: .playerReady(playerID: "", isReady: false)
    case .gameStarted: .gameStarted
    case .turnAdvanced: .turnAdvanced(nextPlayerID: "", pendingLine: nil)
    case .leaderboardUpdate: .leaderboardUpdate(.blank)
    case .lobbyUpdate: .lobbyUpdate(.blank)
    case .clientJoin: .clientJoin(.blank)
    case .startGame: .startGame
    }
  }
}

extension PacketPayload: PacketValue {
  init(from reader: inout JSONReader) throws(BabPacketError) { self = try reader.payload() }

  func write(to writer: inout JSONWriter) {
    writer.raw("{\"type\":\"")
    writer.raw(PacketType.prefix)
    writer.raw(type.payloadName)
    writer.octet(0x22)
    writer.fields(of: self)
  }
}
