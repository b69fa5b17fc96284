import Bench

extension ScenarioDecoder {
  func game(_ tree: YAMLTree) -> GameSettings {
    var game = Keys.game.read(tree, self)
    for (number, role) in game.roles.enumerated() where game.roles[..<number].contains(where: { $0.id == role.id }) {
      guard let id = tree.entry("roles")?.items[number].entry("id"), !role.id.isEmpty else { continue }
      note(id.location, "two roles are called “\(shown(role.id))”; rename one of them")
    }
    game.autoplay = tree.entry("autoplay").flatMap(autoplay)
    return game
  }

  private func autoplay(_ tree: YAMLTree) -> Autoplay? {
    if case .scalar = tree.value, !tree.isEmpty {
      guard boolean(tree, "“autoplay”") == true else { return nil }
      return Autoplay(players: [Autoplay.Habits](repeating: Autoplay.Habits(), count: devices.count))
    }
    let common = Keys.autoplay.read(tree, self)
    var players = [Autoplay.Habits](repeating: common, count: devices.count)
    if let tree = tree.entry("players") {
      guard case .mapping(let entries) = tree.value else {
        return refuse(
          tree.location, "“players” must be a mapping of devices, not \(tree.kindName); write “client-1: idle”")
      }
      for entry in entries {
        guard let chosen = selection(entry.key, at: entry.keyLocation) else { continue }
        var habit = common
        if case .scalar("idle", _) = entry.value.value {
          habit.isActive = false
        } else {
          habit = Keys.habits.read(entry.value, self, from: common)
        }
        for index in chosen { players[index] = habit }
      }
    }
    return Autoplay(players: players)
  }
}
