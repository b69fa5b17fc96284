import LobbyRules
import VirtualProgram

struct Hello: Decodable {
  struct Game: Decodable { var scenarios: [Scenario] }
  struct Scenario: Decodable { var id: String }
  var game: Game
}

VirtualProgram.run(implementation: "sound-host 1") { setup in
  let scenarios = (try? setup.decode(Hello.self))?.game.scenarios.map(\.id) ?? []
  let manager = HostManager()
  manager.lobby = Lobby(id: setup.peerID, name: setup.displayName, scenarios: scenarios, carrier: manager)
  VirtualProgram.report("identity", ["role": setup.role, "peerID": setup.peerID, "displayName": setup.displayName])
  return manager
} user: { manager, action in
  switch action.name {
  case "startHosting": manager.startHosting()
  case "setLobbyScenario": manager.lobby.select(action.text("scenario") ?? "")
  case "setLobbyDifficulty": manager.lobby.set(difficulty: action.text("difficulty") ?? "")
  case "startLobbyGame": manager.lobby.start()
  default: break
  }
}
