/// A YAML file as a tree in which every value knows where it stands.
package struct YAMLTree: Hashable, Sendable {
  package var location: SourceLocation
  package var value: Value

  package init(location: SourceLocation, value: Value) {
    self.location = location
    self.value = value
  }

  package indirect enum Value: Hashable, Sendable {
    /// `isPlain`: without quotes, so an empty one means "nothing was written".
    case scalar(String, isPlain: Bool)
    case sequence([YAMLTree])
    case mapping([Entry])
  }

  package struct Entry: Hashable, Sendable {
    package var key: String
    package var keyLocation: SourceLocation
    package var value: YAMLTree

    package init(key: String, keyLocation: SourceLocation, value: YAMLTree) {
      self.key = key
      self.keyLocation = keyLocation
      self.value = value
    }
  }

  package var isEmpty: Bool {
    if case .scalar(let text, true) = value { return text.isEmpty || text == "~" || text == "null" }
    return false
  }

  /// What kind of thing it is, for messages.
  package var kindName: String {
    switch value {
    case .scalar: isEmpty ? "nothing" : "a text"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  /// The same tree, every location replaced.
  func relocated(to location: SourceLocation) -> YAMLTree {
    var copy = self
    copy.location = location
    switch value {
    case .scalar: break
    case .sequence(let items): copy.value = .sequence(items.map { $0.relocated(to: location) })
    case .mapping(let entries):
      copy.value = .mapping(
        entries.map { Entry(key: $0.key, keyLocation: location, value: $0.value.relocated(to: location)) })
    }
    return copy
  }
}
