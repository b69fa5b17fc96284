extension ScenarioDecoder {
  /// Whom a phrase such as `host`, `client-3`, `client`, `all clients`, `everyone` or `client-1, client-2` means.
  ///
  /// - Returns: device indices, ascending; nil after noting that there is no such device.
  package func selection(_ phrase: String, at location: SourceLocation) -> [Int]? {
    var chosen = [Bool](repeating: false, count: devices.count)
    for part in phrase.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.trimmingBlanks()
      guard let indices = matching(name) else {
        // Without devices every selection is wrong, and the reason has been said already.
        if devices.isEmpty { return nil }
        note(location, "there is no device “\(shown(name))”; \(Suggestion.advice(for: name, in: selectable))")
        return nil
      }
      if indices.isEmpty {
        note(location, "“\(shown(name))” means nobody here; add such a device under “devices”")
        return nil
      }
      for index in indices { chosen[index] = true }
    }
    return chosen.indices.filter { chosen[$0] }
  }

  /// One device by its name.
  package func single(_ tree: YAMLTree, _ what: String) -> Int? {
    guard let name = text(tree, what), !devices.isEmpty else { return nil }
    if let index = devices.firstIndex(where: { $0.name == name }) { return index }
    note(
      tree.location,
      "there is no device “\(shown(name))”; \(Suggestion.advice(for: name, in: devices.map(\.name)))")
    return nil
  }

  /// How the roles of the devices are called, all of one role together.
  private var plurals: [String] {
    var words: [String] = []
    for app in language.apps {
      for role in app.roles where devices.contains(where: { $0.app == app.name && $0.role == role.role }) {
        let isSeveral = devices.count { $0.app == app.name && $0.role == role.role } > 1
        if !role.leads || isSeveral, !words.contains(role.plural) { words.append(role.plural) }
      }
    }
    return words
  }

  /// Everything that may stand for devices, shortest list first for messages.
  var selectable: [String] {
    var names = ["everyone"] + plurals.map { "all \($0)" }
    for device in devices where !names.contains(device.group) { names.append(device.group) }
    for device in devices where !names.contains(device.name) { names.append(device.name) }
    return names
  }

  private func matching(_ name: String) -> [Int]? {
    switch name {
    case "everyone": return devices.indices.filter { devices[$0].takesPart }
    default:
      let plural = name.hasPrefix("all ") ? String(name.dropFirst(4)) : name
      let roles = language.apps.flatMap { app in app.roles.filter { $0.plural == plural }.map { (app.name, $0.role) } }
      if !roles.isEmpty {
        return devices.indices.filter { index in
          roles.contains { devices[index].app == $0.0 && devices[index].role == $0.1 }
        }
      }
      if let index = devices.firstIndex(where: { $0.name == name }) { return [index] }
      let members = devices.indices.filter { devices[$0].group == name }
      return members.isEmpty ? nil : members
    }
  }
}

extension Substring {
  func trimmingBlanks() -> String {
    var text = self.drop { $0 == " " || $0 == "\t" }
    while let last = text.last, last == " " || last == "\t" { text = text.dropLast() }
    return String(text)
  }
}
