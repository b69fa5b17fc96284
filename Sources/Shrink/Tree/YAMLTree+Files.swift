package import Bench

extension YAMLTree {
  /// With profiles and programs named from another folder; the prefix ends with a slash.
  package func movingFiles(to prefix: String) -> YAMLTree {
    var copy = self
    switch value {
    case .scalar: break
    case .sequence(let items): copy.value = .sequence(items.map { $0.movingFiles(to: prefix) })
    case .mapping(let entries):
      copy.value = .mapping(
        entries.map { entry in
          var entry = entry
          if ["phone", "radio", "preset"].contains(entry.key), let text = entry.value.scalar,
            ScenarioDecoder.isReference(text), !text.hasPrefix("/")
          {
            entry.value = YAMLTree(text: prefix + text)
          } else if entry.key == "app" {
            entry.value = entry.value.runningProgram(in: prefix)
          } else {
            entry.value = entry.value.movingFiles(to: prefix)
          }
          return entry
        })
    }
    return copy
  }

  /// A device's program, which still runs where it ran: its arguments may be paths too.
  private func runningProgram(in prefix: String) -> YAMLTree {
    let folder = entry("folder")?.scalar
    if folder?.hasPrefix("/") == true { return self }
    let keys = items.isEmpty ? entries.filter { $0.key != "folder" }.map { ($0.key, $0.value) } : [("command", self)]
    return YAMLTree(entries: keys + [("folder", YAMLTree(text: prefix + (folder ?? "")))])
  }
}
