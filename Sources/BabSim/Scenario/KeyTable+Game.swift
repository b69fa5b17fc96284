import Bench
import SimKernel

/// What Bab adds to the keys of scenario files.
extension KeyTable {
  static let assignment = KeyTable(
    id: "assignment", title: "“assign role”",
    keys: [
      Key("player", .text, "a device", isRequired: true),
      Key("role", .text, "a role's id", isRequired: true),
    ])
}

extension Keys {
  static let game = KeyedMapping("game", "“game”", of: GameSettings()) { game, keys in
    keys("scenario", &game.scenarioID, .text, "id of the story; default coffee-shop")
    keys("roles", &game.roles, .list(role.form), "when the story is not a known one")
    keys(
      "lines", &game.totalLines, .whole(1...1_000_000),
      "the game ends after so many; default 16, or as many as the script has")
    keys(
      "script", &game.script, .list(scriptLine(game.roles.map(\.id).filter { !$0.isEmpty }).form),
      "what the generator says, again from the top when it is through")
    if keys.has("script"), !keys.has("lines"), !game.script.isEmpty { game.totalLines = game.script.count }
    keys(
      "heartbeat", &game.heartbeat, ValueForm.duration(least: .milliseconds(1)).orNone,
      "pause between heartbeats; default none")
    keys("autoplay", .either([.boolean, .table("autoplay")]), "people who play on their own; default no")
  }

  static let role = KeyedMapping(
    "role", "a role", of: GameSettings.Role(id: "", name: "", description: "")
  ) { role, keys in
    keys("id", .text, "unique", .required, value: role.id) { role = .init(id: $0, name: $0, description: "") }
    keys("name", &role.name, .text, "default the id")
    keys("description", &role.description, .text, "default nothing")
  }

  /// - Parameter roles: that the scenario declares; empty: any may be named.
  static func scriptLine(_ roles: [String]) -> KeyedMapping<GameSettings.ScriptLine> {
    KeyedMapping(
      "scriptLine", "a line of the script", of: GameSettings.ScriptLine(role: nil, native: "", translated: "")
    ) { line, keys in
      let role = roles.isEmpty ? ValueForm.text : .word(roles, "role")
      keys("role", &line.role, role, "who says it; default whoever's turn it is")
      keys("native", &line.native, .text, "in the player's language", .required)
      keys("translated", &line.translated, .text, "in the language to learn", .required)
    }
  }

  static let autoplay = KeyedMapping("autoplay", "“autoplay”", of: Autoplay.Habits()) { habits, keys in
    keys(
      "think", &habits.thinkTime, .durations, "time before a line is done; default 500ms..1500ms",
      pause: "500ms..1500ms")
    keys("accuracy", &habits.accuracyPermille, .shares, "default 80%..100%")
    keys("skip", &habits.skipPermille, .share(), "how often a line is skipped instead; default 0%")
    keys(
      "players", .mapping(of: .either([.word(["idle"]), .table("habits")])),
      "other habits for single devices or groups; “idle” does nothing")
  }

  static let habits = KeyedMapping("habits", "a player's habits", of: Autoplay.Habits()) { habits, keys in
    keys("think", &habits.thinkTime, .durations, "as above")
    keys("accuracy", &habits.accuracyPermille, .shares, "as above")
    keys("skip", &habits.skipPermille, .share(), "as above")
  }

  static let completion = KeyedMapping(
    "completion", "“complete line”",
    of: BabAction.completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 2_000)
  ) { action, keys in
    guard case .completeLine(var accuracy, var errors, let milliseconds) = action else { return }
    var takes = SimDuration.milliseconds(Int64(milliseconds))
    keys("accuracy", &accuracy, .share(), "default 100%")
    keys("errors", &errors, .whole(0...1_000), "default 0")
    keys("takes", &takes, .duration(), "how long the person says it took; default 2s")
    action = .completeLine(
      accuracyPermille: accuracy, errorCount: errors, durationMilliseconds: Int(takes / .milliseconds(1)))
  }
}
