extension JSONReader {
  mutating func participant() throws(BabPacketError) -> Participant {
    var id: String?
    var name: String?
    var role: Role?
    var isHost = false
    try beginObject()
    while try nextKey() {
      if key(is: "id") {
        id = try string()
      } else if key(is: "name") {
        name = try string()
      } else if key(is: "role") {
        role = try optional { (reader) throws(BabPacketError) in try reader.role() }
      } else if key(is: "isHost") {
        isHost = try boolean()
      } else {
        try skipValue()
      }
    }
    return Participant(id: try required(id, "id"), name: try required(name, "name"), role: role, isHost: isHost)
  }

  mutating func role() throws(BabPacketError) -> Role {
    var id: String?
    var name: String?
    var description: String?
    try beginObject()
    while try nextKey() {
      if key(is: "id") {
        id = try string()
      } else if key(is: "name") {
        name = try string()
      } else if key(is: "description") {
        description = try string()
      } else {
        try skipValue()
      }
    }
    return Role(
      id: try required(id, "id"), name: try required(name, "name"),
      description: try required(description, "description"))
  }

  mutating func line() throws(BabPacketError) -> DialogLine {
    var id: String?
    var speakerID: String?
    var roleName: String?
    var textNative: String?
    var textTranslated: String?
    var timestamp: Int64?
    var assignedToPlayerID = ""
    var visibility = LineVisibility.committed
    var pronunciationResult: PronunciationResult?
    try beginObject()
    while try nextKey() {
      if key(is: "id") {
        id = try string()
      } else if key(is: "speakerId") {
        speakerID = try string()
      } else if key(is: "roleName") {
        roleName = try string()
      } else if key(is: "textNative") {
        textNative = try string()
      } else if key(is: "textTranslated") {
        textTranslated = try string()
      } else if key(is: "timestamp") {
        timestamp = try int64()
      } else if key(is: "assignedToPlayerId") {
        assignedToPlayerID = try string()
      } else if key(is: "visibility") {
        visibility = try name(LineVisibility.self, "visibility")
      } else if key(is: "pronunciationResult") {
        pronunciationResult = try optional { (reader) throws(BabPacketError) in try reader.result() }
      } else {
        try skipValue()
      }
    }
    return DialogLine(
      id: try required(id, "id"), speakerID: try required(speakerID, "speakerId"),
      roleName: try required(roleName, "roleName"), textNative: try required(textNative, "textNative"),
      textTranslated: try required(textTranslated, "textTranslated"),
      timestamp: try required(timestamp, "timestamp"), assignedToPlayerID: assignedToPlayerID,
      visibility: visibility, pronunciationResult: pronunciationResult)
  }

  mutating func result() throws(BabPacketError) -> PronunciationResult {
    var errorCount: Int32?
    var accuracy: Float?
    var wordErrors: [WordError]?
    var skipped: Bool?
    var duration: Int64?
    try beginObject()
    while try nextKey() {
      if key(is: "errorCount") {
        errorCount = try int32()
      } else if key(is: "accuracy") {
        accuracy = try float()
      } else if key(is: "wordErrors") {
        wordErrors = try array { (reader) throws(BabPacketError) in try reader.wordError() }
      } else if key(is: "skipped") {
        skipped = try boolean()
      } else if key(is: "duration") {
        duration = try int64()
      } else {
        try skipValue()
      }
    }
    return PronunciationResult(
      errorCount: try required(errorCount, "errorCount"), accuracy: try required(accuracy, "accuracy"),
      wordErrors: try required(wordErrors, "wordErrors"), skipped: try required(skipped, "skipped"),
      duration: try required(duration, "duration"))
  }

  /// `expected` and `heard` may be null but not absent.
  private mutating func wordError() throws(BabPacketError) -> WordError {
    var word: String?
    var position: Int32?
    var expected: String??
    var heard: String??
    try beginObject()
    while try nextKey() {
      if key(is: "word") {
        word = try string()
      } else if key(is: "position") {
        position = try int32()
      } else if key(is: "expected") {
        expected = .some(try optionalString())
      } else if key(is: "heard") {
        heard = .some(try optionalString())
      } else {
        try skipValue()
      }
    }
    return WordError(
      word: try required(word, "word"), position: try required(position, "position"),
      expected: try required(expected, "expected"), heard: try required(heard, "heard"))
  }

  mutating func leaderboard() throws(BabPacketError) -> Leaderboard {
    var rankings: [Ranking]?
    var updatedAt: Int64?
    try beginObject()
    while try nextKey() {
      if key(is: "rankings") {
        rankings = try array { (reader) throws(BabPacketError) in try reader.ranking() }
      } else if key(is: "updatedAt") {
        updatedAt = try int64()
      } else {
        try skipValue()
      }
    }
    return Leaderboard(rankings: try required(rankings, "rankings"), updatedAt: try required(updatedAt, "updatedAt"))
  }

  mutating func ranking() throws(BabPacketError) -> Ranking {
    var rank: Int32?
    var playerID: String?
    var displayName: String?
    var score: Int32?
    var highlight: String?
    try beginObject()
    while try nextKey() {
      if key(is: "rank") {
        rank = try int32()
      } else if key(is: "playerId") {
        playerID = try string()
      } else if key(is: "displayName") {
        displayName = try string()
      } else if key(is: "score") {
        score = try int32()
      } else if key(is: "highlight") {
        highlight = try optionalString()
      } else {
        try skipValue()
      }
    }
    return Ranking(
      rank: try required(rank, "rank"), playerID: try required(playerID, "playerId"),
      displayName: try required(displayName, "displayName"), score: try required(score, "score"),
      highlight: highlight)
  }

  mutating func lobby() throws(BabPacketError) -> LobbyState {
    var lobby = LobbyState()
    try beginObject()
    while try nextKey() {
      if key(is: "selectedScenarioId") {
        lobby.selectedScenarioID = try string()
      } else if key(is: "difficultyLevel") {
        lobby.difficultyLevel = try string()
      } else if key(is: "connectedPlayers") {
        lobby.connectedPlayers = try array { (reader) throws(BabPacketError) in try reader.profile() }
      } else {
        try skipValue()
      }
    }
    return lobby
  }

  mutating func profile() throws(BabPacketError) -> LobbyProfile {
    var playerID: String?
    var displayName: String?
    try beginObject()
    while try nextKey() {
      if key(is: "playerId") {
        playerID = try string()
      } else if key(is: "displayName") {
        displayName = try string()
      } else {
        try skipValue()
      }
    }
    return LobbyProfile(
      playerID: try required(playerID, "playerId"), displayName: try required(displayName, "displayName"))
  }
}
