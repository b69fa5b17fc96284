extension ScenarioDecoder {
  /// Whom a phrase such as `host`, `client-3`, `client`, `all clients`, `everyone` or `client-1, client-2` means.
  ///
  /// - Returns: device indices, ascending; nil after noting that there is no such device.
  func selection(_ phrase: String, at location: SourceLocation) -> [Int]? {
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
        note(location, "“\(shown(name))” means nobody here; add a client under “devices”")
        return nil
      }
      for index in indices { chosen[index] = true }
    }
    return chosen.indices.filter { chosen[$0] }
  }

  /// One device by its name.
  func single(_ tree: YAMLTree, _ what: String) -> Int? {
    guard let name = text(tree, what), !devices.isEmpty else { return nil }
    if let index = devices.firstIndex(where: { $0.name == name }) { return index }
    note(
      tree.location,
      "there is no device “\(shown(name))”; \(Suggestion.advice(for: name, in: devices.map(\.name)))")
    return nil
  }

  /// Everything that may stand for devices, shortest list first for messages.
  var selectable: [String] {
    var names = ["everyone", "all clients"]
    for device in devices where !names.contains(device.group) { names.append(device.group) }
    for device in devices where !names.contains(device.name) { names.append(device.name) }
    return names
  }

  private func matching(_ name: String) -> [Int]? {
    switch name {
    case "everyone": return Array(devices.indices)
    case "all clients", "clients": return devices.indices.filter { devices[$0].role == .client }
    default:
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
