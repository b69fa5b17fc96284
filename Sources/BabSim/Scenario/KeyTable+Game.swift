import Bench

/// What Bab adds to the keys of scenario files.
extension KeyTable {
  static let game = KeyTable(
    id: "game", title: "“game”",
    keys: [
      Key("scenario", .text, "id of the story; default coffee-shop"),
      Key("roles", .list(.table("role")), "when the story is not a known one"),
      Key("lines", .integer(1, 1_000_000), "the game ends after so many; default 16, or as many as the script has"),
      Key("script", .list(.table("scriptLine")), "what the generator says, again from the top when it is through"),
      Key("heartbeat", .either([.word(["none"]), .duration]), "pause between heartbeats; default none"),
      Key("autoplay", .either([.boolean, .table("autoplay")]), "people who play on their own; default no"),
    ])

  static let role = KeyTable(
    id: "role", title: "a role",
    keys: [
      Key("id", .text, "unique", isRequired: true),
      Key("name", .text, "default the id"),
      Key("description", .text, "default nothing"),
    ])

  static let scriptLine = KeyTable(
    id: "scriptLine", title: "a line of the script",
    keys: [
      Key("role", .text, "who says it; default whoever's turn it is"),
      Key("native", .text, "in the player's language", isRequired: true),
      Key("translated", .text, "in the language to learn", isRequired: true),
    ])

  static let autoplay = KeyTable(
    id: "autoplay", title: "“autoplay”",
    keys: [
      Key("think", .durationRange, "time before a line is done; default 500ms..1500ms", usual: "500ms..1500ms"),
      Key("accuracy", .shareRange, "default 80%..100%"),
      Key("skip", .share, "how often a line is skipped instead; default 0%"),
      Key(
        "players", .mapping(of: .either([.word(["idle"]), .table("habits")])),
        "other habits for single devices or groups; “idle” does nothing"),
    ])

  static let habits = KeyTable(
    id: "habits", title: "a player's habits",
    keys: [
      Key("think", .durationRange, "as above"),
      Key("accuracy", .shareRange, "as above"),
      Key("skip", .share, "as above"),
    ])

  static let assignment = KeyTable(
    id: "assignment", title: "“assign role”",
    keys: [
      Key("player", .text, "a device", isRequired: true),
      Key("role", .text, "a role's id", isRequired: true),
    ])

  static let completion = KeyTable(
    id: "completion", title: "“complete line”",
    keys: [
      Key("accuracy", .share, "default 100%"),
      Key("errors", .integer(0, 1_000), "default 0"),
      Key("takes", .duration, "how long the person says it took; default 2s"),
    ])
}
