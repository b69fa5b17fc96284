import AppSeam
import BluetoothWire
import SimKernel

/// Joining, leaving and the lobby's own settings (BAB 5.1, 5.2).
extension HostEngine {
  // MARK: Joining

  func shakeHands(_ participant: Participant, _ link: LinkID) {
    guard let index = sessionIndex(link), sessions[index].peerID == nil else { return }
    guard makeWay(for: participant.id, on: link, address: sessions[index].address),
      let own = sessionIndex(link)
    else { return }
    sessions[own].peerID = participant.id
    sessions[own].displayName = participant.name
    let me = Participant(id: peerID, name: configuration.displayName, role: role(of: peerID), isHost: true)
    send(.handshake(me), to: link)
  }

  /// A peer that comes again over a new link before its old one has timed out takes its own place; anybody else
  /// who uses an id that is taken is turned away (BAB 7.9).
  private func makeWay(for id: String, on link: LinkID, address: BluetoothAddress) -> Bool {
    guard let other = sessions.first(where: { $0.peerID == id && $0.link != link && !$0.isRefused }) else {
      return true
    }
    if other.address == address {
      refuse(other.link)
      return true
    }
    violation(link, BabRule.identityInUse, "HANDSHAKE of \(id), who has another link")
    refuse(link)
    return false
  }

  func clientJoins(_ profile: LobbyProfile, _ link: LinkID) {
    guard let index = sessionIndex(link), let id = sessions[index].peerID else { return }
    guard profile.playerID == id else {
      return violation(link, BabRule.actingForAnother, "CLIENT_JOIN for \(profile.playerID) from \(id)")
    }
    guard !sessions[index].hasJoined else { return }
    let isReturning = remembered.contains { $0.player.id == id }
    guard players.count < dialect.capacity, isReturning || !isPlaying && phase != .finished else {
      report(.refused(link, reason: isPlaying ? "the game has begun" : "the lobby is full"))
      return refuse(link)
    }
    sessions[index].hasJoined = true
    effects.append(.cancelTimer(EngineTimer.join(link)))
    seat(id, name: profile.displayName, link)
    showLinkState()
    if isReturning { sendSnapshot(to: link, player: id) }
    lobbyChanged(tellClients: true)
    tellRoles(to: link)
    // Who comes back may have a role.
    updatePhaseBeforeGame()
  }

  private func seat(_ id: String, name: String, _ link: LinkID) {
    var player = Player(id: id, name: name, joinIndex: nextJoinIndex, link: link)
    if let index = remembered.firstIndex(where: { $0.player.id == id }) {
      player = remembered.remove(at: index).player
      player.link = link
      player.name = name
      if let role = player.roleID, players.contains(where: { $0.roleID == role }) {
        player.roleID = nil
        player.isReady = false
      }
      armForget()
    } else {
      nextJoinIndex += 1
    }
    let place = players.firstIndex { $0.joinIndex > player.joinIndex } ?? players.count
    players.insert(player, at: place)
  }

  /// What LOBBY_UPDATE does not say: the roles and readiness that were settled before a newcomer came.
  private func tellRoles(to link: LinkID) {
    for player in players {
      guard let role = player.roleID else { continue }
      send(.roleAssigned(playerID: player.id, roleID: role), to: link)
      if player.isReady { send(.playerReady(playerID: player.id, isReady: true), to: link) }
    }
  }

  // MARK: Leaving

  /// Out of the lobby at once; score and role are kept for the reconnect window and the time it then takes to join
  /// (BAB 5.7.2).
  func playersLeft(_ links: [LinkID]) {
    let gone = players.filter { player in player.link.map(links.contains) ?? false }
    guard !gone.isEmpty else { return }
    players.removeAll { player in player.link.map(links.contains) ?? false }
    if isHosting {
      let keep = dialect.reconnectWindow + configuration.joinTimeout
      remembered += gone.map { RememberedPlayer(player: $0, forgetAt: now + keep) }
      armForget()
    }
    lobbyChanged(tellClients: true)
    showLinkState()
    guard isPlaying else { return updatePhaseBeforeGame() }
    if let reader = gone.first(where: { $0.id == turnPlayerID }) { nextTurn(after: reader.joinIndex) }
    settleVote()
  }

  func forgetPlayers() {
    remembered.removeAll { $0.forgetAt <= now }
    armForget()
    advertiseIfRoom(again: false)
  }

  private func armForget() {
    guard let earliest = remembered.map(\.forgetAt).min() else {
      return effects.append(.cancelTimer(EngineTimer.forget))
    }
    effects.append(.setTimer(EngineTimer.forget, at: earliest))
  }

  // MARK: Settings

  func setLobbyScenario(_ id: String) {
    guard isHosting, !isPlaying, phase != .finished, scenario(id) != nil, id != scenarioID else { return }
    scenarioID = id
    for index in players.indices {
      players[index].roleID = nil
      players[index].isReady = false
    }
    updatePhaseBeforeGame()
    lobbyChanged(tellClients: true)
  }

  func setLobbyDifficulty(_ level: String) {
    guard isHosting, !isPlaying, phase != .finished, LobbyRules.difficulties.contains(level), level != difficulty
    else { return }
    difficulty = level
    lobbyChanged(tellClients: true)
  }

  func scenario(_ id: String) -> GameScenario? { configuration.scenarios.first { $0.id == id } }

  var lobbyState: LobbyState {
    LobbyState(
      selectedScenarioID: scenarioID, difficultyLevel: difficulty,
      connectedPlayers: players.map { LobbyProfile(playerID: $0.id, displayName: $0.name) })
  }

  /// Shows the lobby, and tells every client (BAB 5.2.4).
  func lobbyChanged(tellClients: Bool) {
    let state = lobbyState
    let roster = players.map(\.id)
    let view = LobbyView(scenarioID: scenarioID, difficulty: difficulty, players: roster)
    if view != shown.lobby {
      shown.lobby = view
      report(.lobby(view))
    }
    if roster != shown.roster {
      shown.roster = roster
      report(.roster(roster))
    }
    if tellClients { broadcast(.lobbyUpdate(state)) }
    publishReadableState(state)
  }

  /// The value a read of the state characteristic returns (BAB 2.9): a LOBBY_UPDATE without a fragment header.
  private func publishReadableState(_ state: LobbyState) {
    guard dialect.hasReadableState else { return }
    let packet = BabPacket(senderID: peerID, vectorClock: clock, payload: .lobbyUpdate(state))
    let json = PacketCoder.encode(packet)
    guard json.count <= LobbyRules.attributeLimit else { return }
    effects.append(.setValue(characteristic: dialect.state.uuid, octets: json))
  }
}

enum LobbyRules {
  static let difficulties = ["easy", "normal", "hard"]
  /// The longest attribute value (Core v5.4, Vol 3, Part F, 3.2.9).
  static let attributeLimit = 512
}
