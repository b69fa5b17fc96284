/// What payloads are called on the wire.
extension PacketType {
  /// What the discriminator of every payload starts with.
  static let prefix: StaticString = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."

  /// The rest of the payload's discriminator.
  var payloadName: StaticString {
    switch self {
    case .handshake: "Handshake"
    case .heartbeat: "Heartbeat"
    case .generateRequest: "GenerateRequest"
    case .dialogLineAdded: "DialogLineAdded"
    case .voteRequest: "VoteRequest"
    case .voteCast: "VoteCast"
    case .fullStateSnapshot: "FullStateSnapshot"
    case .navigationSync: "NavigationSync"
    case .lineCompleted: "LineCompleted"
    case .lineSkipped: "LineSkipped"
    case .roleAssigned: "RoleAssigned"
    case .playerReady: "PlayerReady"
    case .gameStarted: "GameStarted"
    case .turnAdvanced: "TurnAdvanced"
    case .leaderboardUpdate: "LeaderboardUpdate"
    case .lobbyUpdate: "LobbyUpdate"
    case .clientJoin: "ClientJoin"
    case .startGame: "StartGame"
    }
  }

  /// The kind whose discriminator is `text`.
  init?(discriminator text: UnsafeBufferPointer<UInt8>) {
    let length = Self.prefix.utf8CodeUnitCount
    guard text.count > length,
      JSONReader.equal(UnsafeBufferPointer(rebasing: text[..<length]), Self.prefix)
    else { return nil }
    let word = UnsafeBufferPointer(rebasing: text[length...])
    for type in Self.allCases where JSONReader.equal(word, type.payloadName) {
      self = type
      return
    }
    return nil
  }
}
