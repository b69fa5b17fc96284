package import Bench

extension YAMLTree {
  /// With profiles named from another folder; the prefix ends with a slash.
  package func movingProfiles(to prefix: String) -> YAMLTree {
    var copy = self
    switch value {
    case .scalar: break
    case .sequence(let items): copy.value = .sequence(items.map { $0.movingProfiles(to: prefix) })
    case .mapping(let entries):
      copy.value = .mapping(
        entries.map { entry in
          var entry = entry
          if ["phone", "radio", "preset"].contains(entry.key), let text = entry.value.scalar,
            ScenarioDecoder.isReference(text), !text.hasPrefix("/")
          {
            entry.value = YAMLTree(text: prefix + text)
          } else {
            entry.value = entry.value.movingProfiles(to: prefix)
          }
          return entry
        })
    }
    return copy
  }
}
