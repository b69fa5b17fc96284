/// What the bench tells a program at first, beside what every phone is told.
public struct Hello: Decodable {
  struct Game: Decodable {
    var scenarios: [Scenario]
    var heartbeatMilliseconds: Int
  }
  struct Scenario: Decodable { var id: String }
  var game: Game

  /// The ids of the scenarios that the lobby may play.
  public var scenarios: [String] { game.scenarios.map(\.id) }
  /// Between two HEARTBEATs of a client; 0: it sends none.
  public var heartbeatMilliseconds: Int { game.heartbeatMilliseconds }
}

extension Lobby {
  /// What a person does in a lobby, by the action's name; any other action is ignored.
  public func perform(_ action: String, _ text: (String) -> String?) {
    switch action {
    case "setLobbyScenario": select(text("scenario") ?? "")
    case "setLobbyDifficulty": set(difficulty: text("difficulty") ?? "")
    case "startLobbyGame": start()
    default: break
    }
  }
}

extension LobbyGuest {
  /// What a guest's person does in a lobby, by the action's name; any other action is ignored.
  public func perform(_ action: String, _ text: (String) -> String?, _ flag: (String) -> Bool?) {
    switch action {
    case "requestRole": ask(forRole: text("role") ?? "")
    case "setReady": set(ready: flag("ready") ?? false)
    default: break
    }
  }
}
