/// Trees that are in no file yet.
extension YAMLTree {
  package static let nowhere = SourceLocation(line: 1, column: 1)

  package static func scalar(_ text: String) -> YAMLTree {
    YAMLTree(location: nowhere, value: .scalar(text, isPlain: true))
  }

  package static func scalar(_ number: Int) -> YAMLTree { scalar(String(number)) }

  package static func flag(_ value: Bool) -> YAMLTree { scalar(value ? "yes" : "no") }

  package static func list(_ items: [YAMLTree]) -> YAMLTree { YAMLTree(location: nowhere, value: .sequence(items)) }

  /// A mapping; keys without a value are left out.
  package static func map(_ entries: [(String, YAMLTree?)]) -> YAMLTree {
    YAMLTree(
      location: nowhere,
      value: .mapping(
        entries.compactMap { key, value in value.map { Entry(key: key, keyLocation: nowhere, value: $0) } }))
  }
}
