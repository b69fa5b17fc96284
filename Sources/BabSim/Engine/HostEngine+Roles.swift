import AppSeam
import SimKernel

/// Roles, readiness and both ways to start (BAB 5.2, 5.3).
extension HostEngine {
  func playerIndex(_ id: String) -> Int? {
    for index in players.indices where players[index].id == id { return index }
    return nil
  }

  /// The role a player has, as the selected scenario describes it.
  func role(of id: String) -> Role? {
    guard let index = playerIndex(id), let roleID = players[index].roleID else { return nil }
    return scenario(scenarioID)?.availableRoles.first { $0.id == roleID }
  }

  /// Gives a player a role of the selected scenario that nobody else has; false = nothing changed for the worse.
  @discardableResult
  func assignRole(_ id: String, _ roleID: String) -> Bool {
    guard isHosting, !isPlaying, phase != .finished, let index = playerIndex(id),
      let scenario = scenario(scenarioID), scenario.availableRoles.contains(where: { $0.id == roleID }),
      !players.contains(where: { $0.roleID == roleID && $0.id != id })
    else { return false }
    guard players[index].roleID != roleID else { return true }
    players[index].roleID = roleID
    players[index].isReady = false
    report(.role(player: id, role: roleID))
    broadcast(.roleAssigned(playerID: id, roleID: roleID))
    updatePhaseBeforeGame()
    return true
  }

  @discardableResult
  func setReady(_ id: String, _ isReady: Bool) -> Bool {
    guard isHosting, !isPlaying, phase != .finished, let index = playerIndex(id), players[index].roleID != nil
    else { return false }
    guard players[index].isReady != isReady else { return true }
    players[index].isReady = isReady
    report(.ready(player: id, isReady))
    broadcast(.playerReady(playerID: id, isReady: isReady))
    updatePhaseBeforeGame()
    return true
  }

  /// LOBBY, ROLE_SELECTION from the first role on, WAITING once this app's own player is ready (BAB 5.3.7).
  func updatePhaseBeforeGame() {
    guard !isPlaying, phase != .finished else { return }
    phase = .beforeGame(
      anyRole: players.contains { $0.roleID != nil },
      ownReady: players.contains { $0.id == peerID && $0.isReady })
    showPhase()
  }

  // MARK: Starting

  /// The plain start: a scenario and at least one client (BAB 5.2.7).
  func startLobbyGame() {
    guard canStart else { return }
    broadcast(.startGame)
    begin()
  }

  /// The start with roles: every player ready with a role (BAB 5.3.8).
  func startMultiplayerGame() {
    guard canStart, players.allSatisfy({ $0.roleID != nil && $0.isReady }) else { return }
    broadcast(.gameStarted)
    begin()
  }

  private var canStart: Bool {
    isHosting && !isPlaying && phase != .finished && scenario(scenarioID) != nil && players.count >= 2
  }

  private func begin() {
    phase = .active
    showPhase()
    gameStart = now
    advertiseIfRoom(again: false)
    beginTurn(of: players[0].id)
  }
}

extension GamePhase {
  /// The phase that is shown while no game is on.
  static func beforeGame(anyRole: Bool, ownReady: Bool) -> GamePhase {
    if ownReady { return .waiting }
    return anyRole ? .roleSelection : .lobby
  }
}
