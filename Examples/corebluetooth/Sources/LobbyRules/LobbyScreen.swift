/// What a guest shows of its lobby (bab.md 5.2.6, 5.3.5, 5.3.7, 5.7.6).
struct LobbyScreen {
  struct Lobby: Equatable {
    var scenario: String
    var difficulty: String
    var players: [String]
  }

  typealias Report = (name: String, members: KeyValuePairs<String, any Encodable>)

  private(set) var lobby: Lobby?
  private(set) var phase = "LOBBY"
  private var roles: [String: String] = [:]
  private var ready: Set<String> = []
  private var hasBegun = false
  private var isOver = false

  /// What a packet of the host changes; a packet that lacks something changes nothing.
  mutating func take(_ packet: ReceivedPacket, as own: String) -> [Report] {
    var reports: [Report] = []
    switch packet.kind {
    case "LobbyUpdate":
      if let new = Self.lobby(packet) { reports = take(new) }
    case "RoleAssigned":
      if let player = packet["playerId"], let role = packet["roleId"], roles[player] != role {
        roles[player] = role
        ready.remove(player)
        reports = [("role", ["player": player, "role": role])]
      }
    case "PlayerReady":
      if let player = packet["playerId"], let isReady = packet.payload["isReady"] as? Bool,
        ready.contains(player) != isReady
      {
        if isReady { ready.insert(player) } else { ready.remove(player) }
        reports = [("ready", ["player": player, "ready": isReady])]
      }
    case "StartGame", "GameStarted": hasBegun = true
    case "FullStateSnapshot":
      let phase = packet["state", "currentPhase"] ?? ""
      if ["ACTIVE", "VOTING"].contains(phase) { hasBegun = true }
      if phase == "FINISHED" { isOver = true }
    default: break
    }
    return reports + showPhase(own)
  }

  private mutating func take(_ new: Lobby) -> [Report] {
    let old = lobby
    if new.scenario != old?.scenario {
      roles = [:]
      ready = []
    }
    roles = roles.filter { new.players.contains($0.key) }
    ready = ready.filter(new.players.contains)
    lobby = new
    if new == old { return [] }
    let shown: Report = (
      "lobby", ["scenarioID": new.scenario, "difficulty": new.difficulty, "players": new.players]
    )
    return new.players == old?.players ? [shown] : [shown, ("roster", ["players": new.players])]
  }

  private mutating func showPhase(_ own: String) -> [Report] {
    let now =
      isOver
      ? "FINISHED" : hasBegun ? "ACTIVE" : ready.contains(own) ? "WAITING" : roles.isEmpty ? "LOBBY" : "ROLE_SELECTION"
    if now == phase { return [] }
    phase = now
    return [("phase", ["phase": now])]
  }

  /// 4.14, with the defaults of table 4.D.
  private static func lobby(_ packet: ReceivedPacket) -> Lobby? {
    guard let state = packet.payload["lobbyState"] as? [String: Any],
      let scenario = (state["selectedScenarioId"] ?? "") as? String,
      let difficulty = (state["difficultyLevel"] ?? "normal") as? String,
      let profiles = (state["connectedPlayers"] ?? [Any]()) as? [[String: Any]]
    else { return nil }
    let players = profiles.compactMap { $0["displayName"] is String ? $0["playerId"] as? String : nil }
    return players.count == profiles.count
      ? Lobby(scenario: scenario, difficulty: difficulty, players: players) : nil
  }
}
