/// What a person does with a Bab app, as a scenario step writes it.
public enum BabAction: Hashable, Sendable {
  // Host
  case startHosting
  case setLobbyScenario(String)
  /// easy, normal or hard.
  case setLobbyDifficulty(String)
  /// The plain start: START_GAME, then the phase is ACTIVE.
  case startLobbyGame
  /// The start with roles: GAME_STARTED once every player is ready with a role.
  case startMultiplayerGame
  case assignRole(player: String, role: String)
  case endGame
  // Client
  case joinHost
  /// Joins the host at this address and no other, as a person does who picks it from the list of those found.
  case joinHostAt(address: String)
  case requestRole(String)
  // Either
  case setReady(Bool)
  /// Complete the pending line; accuracy in thousandths, duration in milliseconds.
  case completeLine(accuracyPermille: Int, errorCount: Int, durationMilliseconds: Int)
  case skipLine
  /// CHANGE_SCENE, END_GAME or SKIP_LINE.
  case proposeVote(String)
  case castVote(Bool)
  case generate(prompt: String)
  case leave
  // Solo mode
  case startSolo
  /// In solo mode, words of the line (BAB 5.10.3); in a game, the whole of the own pending line as it was heard: its
  /// errors and accuracy are those of BAB 6.11, its duration the time since the line was shown.
  case speak(String)
  case endSolo(save: Bool)
}
