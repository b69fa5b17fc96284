/// Trees that are in no file yet.
extension YAMLTree {
  public static let nowhere = SourceLocation(line: 1, column: 1)

  public static func scalar(_ text: String) -> YAMLTree {
    YAMLTree(location: nowhere, value: .scalar(text, isPlain: true))
  }

  public static func scalar(_ number: Int) -> YAMLTree { scalar(String(number)) }

  public static func flag(_ value: Bool) -> YAMLTree { scalar(value ? "yes" : "no") }

  public static func list(_ items: [YAMLTree]) -> YAMLTree { YAMLTree(location: nowhere, value: .sequence(items)) }

  /// A mapping; keys without a value are left out.
  public static func map(_ entries: [(String, YAMLTree?)]) -> YAMLTree {
    YAMLTree(
      location: nowhere,
      value: .mapping(
        entries.compactMap { key, value in value.map { Entry(key: key, keyLocation: nowhere, value: $0) } }))
  }
}

/// Parts of a tree; nothing where it is of another kind.
extension YAMLTree {
  public var entries: [Entry] {
    if case .mapping(let entries) = value { return entries }
    return []
  }

  public var items: [YAMLTree] {
    if case .sequence(let items) = value { return items }
    return []
  }

  public var scalar: String? {
    if case .scalar(let text, _) = value { return text }
    return nil
  }

  public func entry(_ key: String) -> YAMLTree? { entries.first { $0.key == key }?.value }
}
