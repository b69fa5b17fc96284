extension BabPacket: PacketObject {
  static var blank: Self { Self(senderID: "", vectorClock: VectorClock(), payload: .heartbeat) }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("type", &type)
    try fields.required("senderId", &senderID)
    try fields.required("vectorClock", &vectorClock)
    try fields.required("payload", &payload)
  }
}

extension VectorClock: PacketObject {
  static var blank: Self { Self() }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.optional("timestamps", &timestamps)
  }
}

extension Participant: PacketObject {
  static var blank: Self { Self(id: "", name: "") }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("id", &id)
    try fields.required("name", &name)
    try fields.optional("role", &role)
    try fields.optional("isHost", &isHost)
  }
}

extension Role: PacketObject {
  static var blank: Self { Self(id: "", name: "", description: "") }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("id", &id)
    try fields.required("name", &name)
    try fields.required("description", &description)
  }
}

extension DialogLine: PacketObject {
  static var blank: Self {
    Self(id: "", speakerID: "", roleName: "", textNative: "", textTranslated: "", timestamp: 0)
  }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("id", &id)
    try fields.required("speakerId", &speakerID)
    try fields.required("roleName", &roleName)
    try fields.required("textNative", &textNative)
    try fields.required("textTranslated", &textTranslated)
    try fields.required("timestamp", &timestamp)
    try fields.optional("assignedToPlayerId", &assignedToPlayerID)
    try fields.optional("visibility", &visibility)
    try fields.optional("pronunciationResult", &pronunciationResult)
  }
}

extension PronunciationResult: PacketObject {
  static var blank: Self { Self(errorCount: 0, accuracy: 0, wordErrors: [], skipped: false, duration: 0) }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("errorCount", &errorCount)
    try fields.required("accuracy", &accuracy)
    try fields.required("wordErrors", &wordErrors)
    try fields.required("skipped", &skipped)
    try fields.required("duration", &duration)
  }
}

extension WordError: PacketObject {
  static var blank: Self { Self(word: "", position: 0) }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("word", &word)
    try fields.required("position", &position)
    try fields.required("expected", &expected)
    try fields.required("heard", &heard)
  }
}

extension Leaderboard: PacketObject {
  static var blank: Self { Self(rankings: [], updatedAt: 0) }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("rankings", &rankings)
    try fields.required("updatedAt", &updatedAt)
  }
}

extension Ranking: PacketObject {
  static var blank: Self { Self(rank: 0, playerID: "", displayName: "", score: 0) }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("rank", &rank)
    try fields.required("playerId", &playerID)
    try fields.required("displayName", &displayName)
    try fields.required("score", &score)
    try fields.optional("highlight", &highlight)
  }
}

extension LobbyState: PacketObject {
  static var blank: Self { Self() }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.optional("selectedScenarioId", &selectedScenarioID)
    try fields.optional("difficultyLevel", &difficultyLevel)
    try fields.optional("connectedPlayers", &connectedPlayers)
  }
}

extension LobbyProfile: PacketObject {
  static var blank: Self { Self(playerID: "", displayName: "") }

  mutating func visit<Visitor: PacketFieldVisitor & ~Copyable>(_ fields: inout Visitor) throws(Visitor.Failure) {
    try fields.required("playerId", &playerID)
    try fields.required("displayName", &displayName)
  }
}
