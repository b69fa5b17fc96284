extension JSONWriter {
  mutating func participant(_ participant: Participant) {
    raw("{\"id\":")
    string(participant.id)
    raw(",\"name\":")
    string(participant.name)
    raw(",\"role\":")
    optionalRole(participant.role)
    raw(",\"isHost\":")
    boolean(participant.isHost)
    octet(0x7D)
  }

  mutating func role(_ role: Role) {
    raw("{\"id\":")
    string(role.id)
    raw(",\"name\":")
    string(role.name)
    raw(",\"description\":")
    string(role.description)
    octet(0x7D)
  }

  mutating func optionalRole(_ role: Role?) {
    if let role { self.role(role) } else { raw("null") }
  }

  mutating func line(_ line: DialogLine) {
    raw("{\"id\":")
    string(line.id)
    raw(",\"speakerId\":")
    string(line.speakerID)
    raw(",\"roleName\":")
    string(line.roleName)
    raw(",\"textNative\":")
    string(line.textNative)
    raw(",\"textTranslated\":")
    string(line.textTranslated)
    raw(",\"timestamp\":")
    integer(line.timestamp)
    raw(",\"assignedToPlayerId\":")
    string(line.assignedToPlayerID)
    raw(",\"visibility\":\"")
    word(line.visibility.rawValue)
    raw("\",\"pronunciationResult\":")
    if let result = line.pronunciationResult { self.result(result) } else { raw("null") }
    octet(0x7D)
  }

  mutating func optionalLine(_ line: DialogLine?) {
    if let line { self.line(line) } else { raw("null") }
  }

  mutating func result(_ result: PronunciationResult) {
    raw("{\"errorCount\":")
    integer(result.errorCount)
    raw(",\"accuracy\":")
    float(result.accuracy)
    raw(",\"wordErrors\":[")
    for index in result.wordErrors.indices {
      if index > 0 { octet(0x2C) }
      let error = result.wordErrors[index]
      raw("{\"word\":")
      string(error.word)
      raw(",\"position\":")
      integer(error.position)
      raw(",\"expected\":")
      optionalString(error.expected)
      raw(",\"heard\":")
      optionalString(error.heard)
      octet(0x7D)
    }
    raw("],\"skipped\":")
    boolean(result.skipped)
    raw(",\"duration\":")
    integer(result.duration)
    octet(0x7D)
  }

  mutating func leaderboard(_ leaderboard: Leaderboard) {
    raw("{\"rankings\":")
    rankings(leaderboard.rankings)
    raw(",\"updatedAt\":")
    integer(leaderboard.updatedAt)
    octet(0x7D)
  }

  mutating func rankings(_ rankings: [Ranking]) {
    octet(0x5B)
    for index in rankings.indices {
      if index > 0 { octet(0x2C) }
      let ranking = rankings[index]
      raw("{\"rank\":")
      integer(ranking.rank)
      raw(",\"playerId\":")
      string(ranking.playerID)
      raw(",\"displayName\":")
      string(ranking.displayName)
      raw(",\"score\":")
      integer(ranking.score)
      raw(",\"highlight\":")
      optionalString(ranking.highlight)
      octet(0x7D)
    }
    octet(0x5D)
  }

  mutating func lobby(_ lobby: LobbyState) {
    raw("{\"selectedScenarioId\":")
    string(lobby.selectedScenarioID)
    raw(",\"difficultyLevel\":")
    string(lobby.difficultyLevel)
    raw(",\"connectedPlayers\":[")
    for index in lobby.connectedPlayers.indices {
      if index > 0 { octet(0x2C) }
      profile(lobby.connectedPlayers[index])
    }
    raw("]}")
  }

  mutating func profile(_ profile: LobbyProfile) {
    raw("{\"playerId\":")
    string(profile.playerID)
    raw(",\"displayName\":")
    string(profile.displayName)
    octet(0x7D)
  }
}
