import BabSim

/// What the client shows of the lobby (BAB 5.2.6, 5.3.5, 5.3.7).
struct LobbyScreen {
  private(set) var lobby: LobbyView?
  private var roles: [String: String] = [:]
  private var ready: Set<String> = []
  private var isPlaying = false
  private var phase = "LOBBY"

  /// What a packet changes on the screen.
  mutating func take(_ content: IncomingMessage.Content, as own: String) -> [BabReport] {
    var reports: [BabReport] = []
    switch content {
    case .lobby(let new):
      if new.scenarioID != lobby?.scenarioID {
        roles = [:]
        ready = []
      }
      roles = roles.filter { new.players.contains($0.key) }
      ready = ready.filter(new.players.contains)
      if new != lobby { reports.append(.lobby(new)) }
      if new.players != lobby?.players { reports.append(.roster(new.players)) }
      lobby = new
    case .role(let player, let role) where roles[player] != role:
      roles[player] = role
      ready.remove(player)
      reports.append(.role(player: player, role: role))
    case .ready(let player, let isReady) where ready.contains(player) != isReady:
      if isReady { ready.insert(player) } else { ready.remove(player) }
      reports.append(.ready(player: player, isReady))
    case .start: isPlaying = true
    default: break
    }
    let now = isPlaying ? "ACTIVE" : ready.contains(own) ? "WAITING" : roles.isEmpty ? "LOBBY" : "ROLE_SELECTION"
    if now != phase { reports.append(.phase(now)) }
    phase = now
    return reports
  }
}
