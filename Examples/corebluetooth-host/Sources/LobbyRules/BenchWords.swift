/// What the bench tells a program at first, beside what every phone is told.
public struct Hello: Decodable {
  struct Game: Decodable { var scenarios: [Scenario] }
  struct Scenario: Decodable { var id: String }
  var game: Game

  /// The ids of the scenarios that the lobby may play.
  public var scenarios: [String] { game.scenarios.map(\.id) }
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
