import Bench
import SimKernel

extension ScenarioDecoder {
  func game(_ tree: YAMLTree) -> GameSettings {
    var game = GameSettings()
    guard let fields = fields(tree, .game) else { return game }
    if let tree = fields["scenario"], let value = text(tree, "“scenario”") { game.scenarioID = value }
    if let tree = fields["roles"], let items = items(tree, "“roles”") { game.roles = roles(items) }
    if let tree = fields["script"], let items = items(tree, "“script”") {
      game.script = items.compactMap { scriptLine($0, roles: game.roles) }
      if !game.script.isEmpty { game.totalLines = game.script.count }
    }
    if let tree = fields["lines"], let value = integer(tree, "“lines”", 1...1_000_000) { game.totalLines = value }
    if let tree = fields["heartbeat"] {
      if case .scalar("none", _) = tree.value {
        game.heartbeat = nil
      } else {
        game.heartbeat = duration(tree, "“heartbeat”", least: .milliseconds(1))
      }
    }
    if let tree = fields["autoplay"] { game.autoplay = autoplay(tree) }
    return game
  }

  private func roles(_ items: [YAMLTree]) -> [GameSettings.Role] {
    var roles: [GameSettings.Role] = []
    for item in items {
      guard let fields = fields(item, .role), let tree = required("id", fields, .role),
        let id = text(tree, "“id”")
      else { continue }
      if roles.contains(where: { $0.id == id }) {
        note(tree.location, "two roles are called “\(shown(id))”; rename one of them")
        continue
      }
      let name = fields["name"].flatMap { text($0, "“name”") } ?? id
      let description = fields["description"].flatMap { text($0, "“description”") } ?? ""
      roles.append(GameSettings.Role(id: id, name: name, description: description))
    }
    return roles
  }

  private func scriptLine(_ item: YAMLTree, roles: [GameSettings.Role]) -> GameSettings.ScriptLine? {
    guard let fields = fields(item, .scriptLine) else { return nil }
    var role: String? = nil
    if let tree = fields["role"] {
      role = roles.isEmpty ? text(tree, "“role”") : choice(tree, "role", from: roles.map(\.id))
    }
    let native = required("native", fields, .scriptLine).flatMap { text($0, "“native”") }
    let translated = required("translated", fields, .scriptLine).flatMap { text($0, "“translated”") }
    guard let native, let translated else { return nil }
    return GameSettings.ScriptLine(role: role, native: native, translated: translated)
  }

  private func autoplay(_ tree: YAMLTree) -> Autoplay? {
    if case .scalar = tree.value, !tree.isEmpty {
      guard boolean(tree, "“autoplay”") == true else { return nil }
      return Autoplay(players: [Autoplay.Habits](repeating: Autoplay.Habits(), count: devices.count))
    }
    guard let fields = fields(tree, .autoplay) else { return nil }
    let common = habits(fields, base: Autoplay.Habits())
    var players = [Autoplay.Habits](repeating: common, count: devices.count)
    if let tree = fields["players"] {
      guard case .mapping(let entries) = tree.value else {
        note(tree.location, "“players” must be a mapping of devices, not \(tree.kindName); write “client-1: idle”")
        return nil
      }
      for entry in entries {
        guard let chosen = selection(entry.key, at: entry.keyLocation) else { continue }
        var habit = common
        if case .scalar("idle", _) = entry.value.value {
          habit.isActive = false
        } else if let fields = self.fields(entry.value, .habits) {
          habit = habits(fields, base: common)
        }
        for index in chosen { players[index] = habit }
      }
    }
    return Autoplay(players: players)
  }

  private func habits(_ fields: Fields, base: Autoplay.Habits) -> Autoplay.Habits {
    var habits = base
    if let tree = fields["think"], let value = durationRange(tree, "“think”") { habits.thinkTime = value }
    if let tree = fields["accuracy"], let value = permilleRange(tree, "“accuracy”") { habits.accuracyPermille = value }
    if let tree = fields["skip"], let value = quantity(tree, "“skip”", .permille, 0...1_000, "0% to 100%") {
      habits.skipPermille = Int(value)
    }
    return habits
  }
}
