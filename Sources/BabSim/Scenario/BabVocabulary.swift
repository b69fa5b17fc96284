import AppSeam
import Bench

/// Bab's words in scenario files, as lists.
enum BabVocabulary {
  static let phases = ["LOBBY", "ROLE_SELECTION", "WAITING", "ACTIVE", "VOTING", "FINISHED"]
  static let linkStates = ["DISCONNECTED", "CONNECTING", "CONNECTED", "RECONNECTING"]
  static let difficulties = ["easy", "normal", "hard"]
  static let votes = ["CHANGE_SCENE", "END_GAME", "SKIP_LINE"]
  static let packetTypes = PacketType.allCases.map(\.rawValue)

  static let plainActions: [(word: String, action: BabAction)] = [
    ("start hosting", .startHosting), ("join", .joinHost), ("start lobby game", .startLobbyGame),
    ("start multiplayer game", .startMultiplayerGame), ("end game", .endGame), ("leave", .leave),
    ("ready", .setReady(true)), ("not ready", .setReady(false)), ("skip line", .skipLine),
    ("start solo", .startSolo),
  ]

  static let actions: [KeyTable.Key] = [
    .init("set scenario", .text, "in the lobby; the host"),
    .init("set difficulty", .word(difficulties), "in the lobby; the host"),
    .init("assign role", .table("assignment"), "the host"),
    .init("join", .text, "the host that runs on this device, and no other; a client"),
    .init("request role", .text, "a client, for itself"),
    .init("complete line", .table("completion"), "whose turn it is"),
    .init("propose vote", .word(votes), "either"),
    .init("vote", .boolean, "yes or no"),
    .init("generate", .text, "asks for lines about this"),
    .init("speak", .text, "solo mode"),
    .init("end solo", .word(["save", "discard"]), "solo mode"),
  ]

  static var words: AppWords {
    var words = AppWords()
    words.settingsKey = .init("game", .table("game"), "what is played")
    words.tables = [
      Keys.game.table, Keys.role.table, Keys.scriptLine([]).table, Keys.autoplay.table, Keys.habits.table, .assignment,
      Keys.completion.table,
    ]
    words.plainActions = plainActions.map(\.word)
    words.actions = actions
    let hosts = [
      "start hosting", "start lobby game", "start multiplayer game", "end game", "set scenario", "set difficulty",
      "assign role",
    ]
    words.rolesOfActions = Dictionary(uniqueKeysWithValues: hosts.map { ($0, [.host]) } + [("join", [.client])])
    words.predicates =
      ["in lobby", "is ACTIVE", "on turn", "ready", "ended", "resumed", "shows summary"]
      + ["agrees on lobby", "agrees on lines", "agrees on leaderboard", "has role …"] + phases + linkStates
    words.counted = ["lines", "players", "refused packets", "violations", "packets"] + packetTypes
    return words
  }
}
