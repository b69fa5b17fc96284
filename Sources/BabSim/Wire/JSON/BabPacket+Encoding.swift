extension BabPacket {
  /// The packet's canonical text: one UTF-8 JSON object, as the published encoder writes it.
  ///
  /// Spec: BAB 4.1–4.17. Total: every packet has a text.
  public func encoded() -> [UInt8] {
    var writer = JSONWriter(capacity: 640)
    writer.packet(self)
    return writer.octets
  }
}

extension JSONWriter {
  mutating func packet(_ packet: BabPacket) {
    raw("{\"type\":\"")
    word(packet.type.rawValue)
    raw("\",\"senderId\":")
    string(packet.senderID)
    raw(",\"vectorClock\":")
    clock(packet.vectorClock)
    raw(",\"payload\":{\"type\":\"com.bablabs.bringabrainlanguage.domain.models.PacketPayload.")
    payload(packet.payload)
    raw("}}")
  }

  mutating func clock(_ clock: VectorClock) {
    raw("{\"timestamps\":{")
    let entries = clock.timestamps.entries
    for index in entries.indices {
      if index > 0 { octet(0x2C) }
      string(entries[index].key)
      octet(0x3A)
      integer(entries[index].value)
    }
    raw("}}")
  }

  /// From the discriminator's last word to the last field.
  private mutating func payload(_ payload: PacketPayload) {
    switch payload {
    case .handshake(let participant):
      raw("Handshake\",\"participant\":")
      self.participant(participant)
    case .heartbeat: raw("Heartbeat\"")
    case .generateRequest(let prompt):
      raw("GenerateRequest\",\"prompt\":")
      string(prompt)
    case .dialogLineAdded(let line):
      raw("DialogLineAdded\",\"line\":")
      self.line(line)
    case .voteRequest(let proposerID, let action):
      raw("VoteRequest\",\"proposerId\":")
      string(proposerID)
      raw(",\"action\":\"")
      word(action.rawValue)
      octet(0x22)
    case .voteCast(let voterID, let vote):
      raw("VoteCast\",\"voterId\":")
      string(voterID)
      raw(",\"vote\":")
      boolean(vote)
    case .fullStateSnapshot(let state):
      raw("FullStateSnapshot\",\"state\":")
      self.state(state)
    case .navigationSync(let screenName):
      raw("NavigationSync\",\"screenName\":")
      string(screenName)
    default: turnOrLobby(payload)
    }
  }

  private mutating func turnOrLobby(_ payload: PacketPayload) {
    switch payload {
    case .lineCompleted(let lineID, let result):
      raw("LineCompleted\",\"lineId\":")
      string(lineID)
      raw(",\"result\":")
      self.result(result)
    case .lineSkipped(let lineID):
      raw("LineSkipped\",\"lineId\":")
      string(lineID)
    case .roleAssigned(let playerID, let roleID):
      raw("RoleAssigned\",\"playerId\":")
      string(playerID)
      raw(",\"roleId\":")
      string(roleID)
    case .playerReady(let playerID, let isReady):
      raw("PlayerReady\",\"playerId\":")
      string(playerID)
      raw(",\"isReady\":")
      boolean(isReady)
    case .gameStarted: raw("GameStarted\"")
    case .turnAdvanced(let nextPlayerID, let pendingLine):
      raw("TurnAdvanced\",\"nextPlayerId\":")
      string(nextPlayerID)
      raw(",\"pendingLine\":")
      optionalLine(pendingLine)
    case .leaderboardUpdate(let leaderboard):
      raw("LeaderboardUpdate\",\"leaderboard\":")
      self.leaderboard(leaderboard)
    case .lobbyUpdate(let lobby):
      raw("LobbyUpdate\",\"lobbyState\":")
      self.lobby(lobby)
    case .clientJoin(let profile):
      raw("ClientJoin\",\"profile\":")
      self.profile(profile)
    case .startGame: raw("StartGame\"")
    case .handshake, .heartbeat, .generateRequest, .dialogLineAdded, .voteRequest, .voteCast, .fullStateSnapshot,
      .navigationSync:
      break
    }
  }
}
