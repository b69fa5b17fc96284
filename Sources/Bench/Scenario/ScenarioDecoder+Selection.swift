extension ScenarioDecoder {
  /// Whom a phrase such as `host`, `client-3`, `client`, `all clients`, `everyone` or `client-1, client-2` means.
  ///
  /// - Returns: device indices, ascending; nil after noting that there is no such device.
  public func selection(_ phrase: String, at location: SourceLocation) -> [Int]? {
    var chosen = [Bool](repeating: false, count: devices.count)
    for part in phrase.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.trimmingBlanks()
      guard let indices = matching(name) else {
        // Without devices every selection is wrong, and the reason has been said already.
        if devices.isEmpty { return nil }
        return refuse(location, "there is no device “\(shown(name))”; \(Suggestion.advice(for: name, in: selectable))")
      }
      if indices.isEmpty { return refuse(location, "“\(shown(name))” names no device here; add one under “devices”") }
      for index in indices { chosen[index] = true }
    }
    return chosen.indices.filter { chosen[$0] }
  }

  /// One device by its name.
  public func single(_ tree: YAMLTree, _ what: String) -> Int? {
    guard let name = text(tree, what), !devices.isEmpty else { return nil }
    if let index = inSight.first(where: { isCalled(name, $0) }) { return index }
    let names = inSight.map { String(devices[$0].ownName) }
    return refuse(tree.location, "there is no device “\(shown(name))”; \(Suggestion.advice(for: name, in: names))")
  }

  /// Devices that words can mean: those of the lobby that is read, and those that are in the room once for all.
  private var inSight: [Int] {
    guard let lobby else { return Array(devices.indices) }
    return devices.indices.filter { devices[$0].copy == nil || devices[$0].copy == lobby }
  }

  private func isCalled(_ name: String, _ device: Int) -> Bool {
    devices[device].ownName == name || devices[device].name == name
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
    for index in inSight where !names.contains(devices[index].group) { names.append(devices[index].group) }
    for index in inSight where !names.contains(String(devices[index].ownName)) {
      names.append(String(devices[index].ownName))
    }
    return names
  }

  private func matching(_ name: String) -> [Int]? {
    switch name {
    case "everyone": return inSight.filter { devices[$0].takesPart }
    default:
      let plural = name.hasPrefix("all ") ? String(name.dropFirst(4)) : name
      let roles = language.apps.flatMap { app in app.roles.filter { $0.plural == plural }.map { (app.name, $0.role) } }
      if !roles.isEmpty {
        return inSight.filter { index in
          roles.contains { devices[index].app == $0.0 && devices[index].role == $0.1 }
        }
      }
      let named = inSight.filter { isCalled(name, $0) }
      if !named.isEmpty { return named }
      let members = inSight.filter { devices[$0].group == name }
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
