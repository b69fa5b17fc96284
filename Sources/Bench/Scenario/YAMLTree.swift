/// A YAML file as a tree in which every value knows where it stands.
public struct YAMLTree: Hashable, Sendable {
  public var location: SourceLocation
  public var value: Value

  public init(location: SourceLocation, value: Value) {
    self.location = location
    self.value = value
  }

  public indirect enum Value: Hashable, Sendable {
    /// `isPlain`: without quotes, so an empty one means "nothing was written".
    case scalar(String, isPlain: Bool)
    case sequence([YAMLTree])
    case mapping([Entry])
  }

  public struct Entry: Hashable, Sendable {
    public var key: String
    public var keyLocation: SourceLocation
    public var value: YAMLTree

    public init(key: String, keyLocation: SourceLocation, value: YAMLTree) {
      self.key = key
      self.keyLocation = keyLocation
      self.value = value
    }
  }

  public var isEmpty: Bool {
    if case .scalar(let text, true) = value { return text.isEmpty || text == "~" || text == "null" }
    return false
  }

  /// What kind of thing it is, for messages.
  public var kindName: String {
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
