public import AppSeam

/// Every action by name, with its fields: the only place that names them.
extension BabAction: AppStatement {
  public static let words: [BabAction] = [
    .startHosting, .setLobbyScenario(""), .setLobbyDifficulty(""), .startLobbyGame, .startMultiplayerGame,
    .assignRole(player: "", role: ""), .endGame, .joinHost, .joinHostAt(address: ""), .requestRole(""),
    .setReady(false), .completeLine(accuracyPermille: 0, errorCount: 0, durationMilliseconds: 0), .skipLine,
    .proposeVote(""), .castVote(false), .generate(prompt: ""), .leave, .startSolo, .speak(""),
    .endSolo(save: false),
  ]

  public mutating func visit<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .startHosting: try visitor.word("startHosting")
    case .startLobbyGame: try visitor.word("startLobbyGame")
    case .startMultiplayerGame: try visitor.word("startMultiplayerGame")
    case .endGame: try visitor.word("endGame")
    case .joinHost: try visitor.word("joinHost")
    case .skipLine: try visitor.word("skipLine")
    case .leave: try visitor.word("leave")
    case .startSolo: try visitor.word("startSolo")
    default: try visitFields(&visitor)
    }
  }

  private mutating func visitFields<Visitor: WordVisitor>(_ visitor: inout Visitor) throws(Visitor.Failure) {
    switch self {
    case .setLobbyScenario(var scenario):
      try visitor.word("setLobbyScenario")
      try visitor.field("scenario", &scenario)
      self = .setLobbyScenario(scenario)
    case .setLobbyDifficulty(var difficulty):
      try visitor.word("setLobbyDifficulty")
      try visitor.field("difficulty", &difficulty)
      self = .setLobbyDifficulty(difficulty)
    case .assignRole(var player, var role):
      try visitor.word("assignRole")
      try visitor.field("player", &player)
      try visitor.field("role", &role)
      self = .assignRole(player: player, role: role)
    case .joinHostAt(var address):
      try visitor.word("joinHostAt")
      try visitor.field("address", &address)
      self = .joinHostAt(address: address)
    case .requestRole(var role):
      try visitor.word("requestRole")
      try visitor.field("role", &role)
      self = .requestRole(role)
    case .setReady(var isReady):
      try visitor.word("setReady")
      try visitor.field("ready", &isReady)
      self = .setReady(isReady)
    case .completeLine(var accuracy, var errors, var duration):
      try visitor.word("completeLine")
      try visitor.field("accuracyPermille", &accuracy)
      try visitor.field("errorCount", &errors)
      try visitor.field("durationMilliseconds", &duration)
      self = .completeLine(accuracyPermille: accuracy, errorCount: errors, durationMilliseconds: duration)
    case .proposeVote(var vote):
      try visitor.word("proposeVote")
      try visitor.field("vote", &vote)
      self = .proposeVote(vote)
    case .castVote(var isYes):
      try visitor.word("castVote")
      try visitor.field("yes", &isYes)
      self = .castVote(isYes)
    case .generate(var prompt):
      try visitor.word("generate")
      try visitor.field("prompt", &prompt)
      self = .generate(prompt: prompt)
    case .speak(var text):
      try visitor.word("speak")
      try visitor.field("text", &text)
      self = .speak(text)
    case .endSolo(var saves):
      try visitor.word("endSolo")
      try visitor.field("save", &saves)
      self = .endSolo(save: saves)
    default: break
    }
  }
}
