/// What packets and payloads are called on the wire.
extension PacketType {
  private static let discriminatorPrefix: StaticString = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."

  /// Name of the envelope, last word of the payload's discriminator.
  private static let names: [(type: PacketType, envelope: StaticString, payload: StaticString)] = [
    (.handshake, "HANDSHAKE", "Handshake"),
    (.heartbeat, "HEARTBEAT", "Heartbeat"),
    (.generateRequest, "GENERATE_REQUEST", "GenerateRequest"),
    (.dialogLineAdded, "DIALOG_LINE_ADDED", "DialogLineAdded"),
    (.voteRequest, "VOTE_REQUEST", "VoteRequest"),
    (.voteCast, "VOTE_CAST", "VoteCast"),
    (.fullStateSnapshot, "FULL_STATE_SNAPSHOT", "FullStateSnapshot"),
    (.navigationSync, "NAVIGATION_SYNC", "NavigationSync"),
    (.lineCompleted, "LINE_COMPLETED", "LineCompleted"),
    (.lineSkipped, "LINE_SKIPPED", "LineSkipped"),
    (.roleAssigned, "ROLE_ASSIGNED", "RoleAssigned"),
    (.playerReady, "PLAYER_READY", "PlayerReady"),
    (.gameStarted, "GAME_STARTED", "GameStarted"),
    (.turnAdvanced, "TURN_ADVANCED", "TurnAdvanced"),
    (.leaderboardUpdate, "LEADERBOARD_UPDATE", "LeaderboardUpdate"),
    (.lobbyUpdate, "LOBBY_UPDATE", "LobbyUpdate"),
    (.clientJoin, "CLIENT_JOIN", "ClientJoin"),
    (.startGame, "START_GAME", "StartGame"),
  ]

  /// The kind that the envelope calls `text`.
  init?(envelope text: UnsafeBufferPointer<UInt8>) {
    for name in Self.names where JSONReader.equal(text, name.envelope) {
      self = name.type
      return
    }
    return nil
  }

  /// The kind whose discriminator is `text`.
  init?(discriminator text: UnsafeBufferPointer<UInt8>) {
    let length = Self.discriminatorPrefix.utf8CodeUnitCount
    guard text.count > length,
      JSONReader.equal(UnsafeBufferPointer(rebasing: text[..<length]), Self.discriminatorPrefix)
    else { return nil }
    let word = UnsafeBufferPointer(rebasing: text[length...])
    for name in Self.names where JSONReader.equal(word, name.payload) {
      self = name.type
      return
    }
    return nil
  }
}

extension JSONReader {
  /// A payload. When its discriminator is the first key the fields are read as they come; else the whole object is
  /// taken in first, and the last discriminator counts. Spec: BAB 4.37.
  mutating func payload() throws(BabPacketError) -> PacketPayload {
    skipSpaces()
    let start = position
    if let type = try leadingDiscriminator() {
      keepHead()
      return try payload(type)
    }
    position = start
    let members = try object()
    guard let discriminator = members["type"] else { throw BabPacketError(.missingDiscriminator, offset: start) }
    let type: PacketType?
    switch discriminator {
    case .string(var text), .literal(var text): type = text.withUTF8 { PacketType(discriminator: $0) }
    case .null, .array, .object: type = nil
    }
    guard let type else { throw BabPacketError(.unknownName("payload type"), offset: start) }
    // Written anew the object is canonical, so the reader below needs no rules of its own.
    var writer = JSONWriter(capacity: 2 * (position - start))
    writer.value(.object(members))
    let outcome: Result<PacketPayload, BabPacketError> = writer.octets.withUnsafeBufferPointer { text in
      var reader = JSONReader(text, base: text.baseAddress!)
      reader.readsWholeScalars = true
      do throws(BabPacketError) {
        return .success(try reader.payload(type))
      } catch {
        return .failure(BabPacketError(error.reason, offset: start))
      }
    }
    return try outcome.get()
  }

  /// The kind of the payload whose first key is its discriminator; nil when the first key is another one.
  private mutating func leadingDiscriminator() throws(BabPacketError) -> PacketType? {
    guard position < end, base[position] == 0x7B else { throw unexpected("{") }
    position += 1
    skipSpaces()
    guard position < end, base[position] == 0x22 || Self.isPlain(base[position]) else { return nil }
    let key = try scanString()
    guard withText(key, { Self.equal($0, "type") }) else { return nil }
    try expect(0x3A, ":")
    skipSpaces()
    let start = position
    guard position < end, base[position] == 0x22 || Self.isPlain(base[position]) else { return nil }
    let span = try scanString()
    guard let type = withText(span, { PacketType(discriminator: $0) }) else {
      throw BabPacketError(.unknownName("payload type"), offset: start)
    }
    return type
  }

  private mutating func payload(_ type: PacketType) throws(BabPacketError) -> PacketPayload {
    switch type {
    case .handshake:
      return .handshake(try only("participant") { (reader) throws(BabPacketError) in try reader.participant() })
    case .heartbeat: return try nothing(.heartbeat)
    case .generateRequest:
      return .generateRequest(prompt: try only("prompt") { (reader) throws(BabPacketError) in try reader.string() })
    case .dialogLineAdded:
      return .dialogLineAdded(try only("line") { (reader) throws(BabPacketError) in try reader.line() })
    case .voteRequest: return try voteRequest()
    case .voteCast: return try voteCast()
    case .fullStateSnapshot:
      return .fullStateSnapshot(try only("state") { (reader) throws(BabPacketError) in try reader.state() })
    case .navigationSync:
      return .navigationSync(
        screenName: try only("screenName") { (reader) throws(BabPacketError) in try reader.string() })
    case .lineCompleted: return try lineCompleted()
    case .lineSkipped:
      return .lineSkipped(lineID: try only("lineId") { (reader) throws(BabPacketError) in try reader.string() })
    case .roleAssigned: return try roleAssigned()
    case .playerReady: return try playerReady()
    case .gameStarted: return try nothing(.gameStarted)
    case .turnAdvanced: return try turnAdvanced()
    case .leaderboardUpdate:
      return .leaderboardUpdate(
        try only("leaderboard") { (reader) throws(BabPacketError) in try reader.leaderboard() })
    case .lobbyUpdate:
      return .lobbyUpdate(try only("lobbyState") { (reader) throws(BabPacketError) in try reader.lobby() })
    case .clientJoin:
      return .clientJoin(try only("profile") { (reader) throws(BabPacketError) in try reader.profile() })
    case .startGame: return try nothing(.startGame)
    }
  }

  /// A payload without fields.
  private mutating func nothing(_ payload: PacketPayload) throws(BabPacketError) -> PacketPayload {
    try beginPayload()
    while try nextKey() { try skipValue() }
    return payload
  }

  /// A payload with one field.
  @inline(__always)
  private mutating func only<Value>(
    _ name: StaticString, _ read: (inout JSONReader) throws(BabPacketError) -> Value
  ) throws(BabPacketError) -> Value {
    var value: Value?
    try beginPayload()
    while try nextKey() {
      if key(is: name) { value = try read(&self) } else { try skipValue() }
    }
    return try required(value, name)
  }

  private mutating func voteRequest() throws(BabPacketError) -> PacketPayload {
    var proposerID: String?
    var action: VoteAction?
    try beginPayload()
    while try nextKey() {
      if key(is: "proposerId") {
        proposerID = try string()
      } else if key(is: "action") {
        action = try name(VoteAction.self, "vote action")
      } else {
        try skipValue()
      }
    }
    return .voteRequest(proposerID: try required(proposerID, "proposerId"), action: try required(action, "action"))
  }

  private mutating func voteCast() throws(BabPacketError) -> PacketPayload {
    var voterID: String?
    var vote: Bool?
    try beginPayload()
    while try nextKey() {
      if key(is: "voterId") {
        voterID = try string()
      } else if key(is: "vote") {
        vote = try boolean()
      } else {
        try skipValue()
      }
    }
    return .voteCast(voterID: try required(voterID, "voterId"), vote: try required(vote, "vote"))
  }

  private mutating func lineCompleted() throws(BabPacketError) -> PacketPayload {
    var lineID: String?
    var result: PronunciationResult?
    try beginPayload()
    while try nextKey() {
      if key(is: "lineId") {
        lineID = try string()
      } else if key(is: "result") {
        result = try self.result()
      } else {
        try skipValue()
      }
    }
    return .lineCompleted(lineID: try required(lineID, "lineId"), result: try required(result, "result"))
  }

  private mutating func roleAssigned() throws(BabPacketError) -> PacketPayload {
    var playerID: String?
    var roleID: String?
    try beginPayload()
    while try nextKey() {
      if key(is: "playerId") {
        playerID = try string()
      } else if key(is: "roleId") {
        roleID = try string()
      } else {
        try skipValue()
      }
    }
    return .roleAssigned(playerID: try required(playerID, "playerId"), roleID: try required(roleID, "roleId"))
  }

  private mutating func playerReady() throws(BabPacketError) -> PacketPayload {
    var playerID: String?
    var isReady: Bool?
    try beginPayload()
    while try nextKey() {
      if key(is: "playerId") {
        playerID = try string()
      } else if key(is: "isReady") {
        isReady = try boolean()
      } else {
        try skipValue()
      }
    }
    return .playerReady(playerID: try required(playerID, "playerId"), isReady: try required(isReady, "isReady"))
  }

  private mutating func turnAdvanced() throws(BabPacketError) -> PacketPayload {
    var nextPlayerID: String?
    var pendingLine: DialogLine??
    try beginPayload()
    while try nextKey() {
      if key(is: "nextPlayerId") {
        nextPlayerID = try string()
      } else if key(is: "pendingLine") {
        pendingLine = .some(try optional { (reader) throws(BabPacketError) in try reader.line() })
      } else {
        try skipValue()
      }
    }
    return .turnAdvanced(
      nextPlayerID: try required(nextPlayerID, "nextPlayerId"), pendingLine: try required(pendingLine, "pendingLine"))
  }
}
