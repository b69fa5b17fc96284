import SimKernel

/// One `--set path=value`: changes the file's tree before it is decoded, so the same checks apply.
///
/// The path names keys, joined by dots; in it a hyphen may stand for the blank of a key (`game.radio.packet-loss`).
/// A list entry is named by its number from 1. The value is YAML, so lists and mappings can be given too. A device that
/// the file does not have is given whole: `devices.third={role: client}`.
public struct ScenarioOverride: Hashable, Sendable {
  public var path: [String]
  public var value: String

  public init(path: [String], value: String) {
    self.path = path
    self.value = value
  }

  /// Reads `path=value`; nil when there is no `=` or an empty key.
  public init?(_ text: String) {
    guard let equals = text.firstIndex(of: "=") else { return nil }
    path = text[..<equals].split(separator: ".", omittingEmptySubsequences: false).map { $0.trimmingBlanks() }
    value = text[text.index(after: equals)...].trimmingBlanks()
    if path.contains(where: \.isEmpty) { return nil }
  }

  /// Writes the value into the tree; missing mappings on the way are made.
  func apply(to tree: inout YAMLTree, number: Int, tables: ScenarioTables) throws(YAMLTree.Refusal) {
    let location = SourceLocation(line: 0, column: number)
    var new = YAMLTree(location: location, value: .scalar("", isPlain: true))
    if !value.isEmpty {
      do {
        new = try YAMLTree.parse(value).relocated(to: location)
      } catch {
        throw YAMLTree.Refusal(location: location, message: "the value is no YAML; \(error.message)")
      }
    }
    if path.count > YAMLTree.depthLimit {
      throw YAMLTree.Refusal(location: location, message: "the path is too long")
    }
    try Self.set(new, at: path[...], in: &tree, below: "", location: location, tables)
  }

  private static func set(
    _ new: YAMLTree, at path: ArraySlice<String>, in tree: inout YAMLTree, below parent: String,
    location: SourceLocation, _ tables: ScenarioTables
  ) throws(YAMLTree.Refusal) {
    guard let key = path.first else {
      tree = new
      return
    }
    switch tree.value {
    case .sequence(var items):
      guard let number = Int(key), items.indices.contains(number - 1) else {
        throw YAMLTree.Refusal(
          location: location, message: "“\(key)” names no entry of the list; write a number from 1 to \(items.count)")
      }
      try set(new, at: path.dropFirst(), in: &items[number - 1], below: "", location: location, tables)
      tree.value = .sequence(items)
    case .mapping(var entries):
      try set(new, key, path, in: &entries, below: parent, location: location, tables)
      tree.value = .mapping(entries)
    case .scalar(let text, _):
      // `radio: ideal` and `phone: iphone` are short for a mapping with that preset, `lobbies: 4` for one with that
      // count.
      var entries: [YAMLTree.Entry] = []
      if !tree.isEmpty {
        if ["yes", "no", "true", "false", "none", "idle"].contains(text) {
          entries = []
        } else {
          entries = [
            YAMLTree.Entry(key: Int(text) == nil ? "preset" : "count", keyLocation: tree.location, value: tree)
          ]
        }
      }
      try set(new, key, path, in: &entries, below: parent, location: location, tables)
      tree = YAMLTree(location: location, value: .mapping(entries))
    }
  }

  private static func set(
    _ new: YAMLTree, _ key: String, _ path: ArraySlice<String>, in entries: inout [YAMLTree.Entry],
    below parent: String, location: SourceLocation, _ tables: ScenarioTables
  ) throws(YAMLTree.Refusal) {
    let blank = String(key.map { $0 == "-" || $0 == "_" ? " " : $0 })
    let name =
      entries.contains { $0.key == key } ? key : tables.all.contains { $0.names.contains(blank) } ? blank : key
    var child = YAMLTree(location: location, value: .mapping([]))
    let index = entries.firstIndex { $0.key == name }
    if index == nil, parent == "devices", path.count > 1 {
      let names = entries.flatMap { [$0.key] + members(of: $0) }
      if !names.contains(name) {
        let shown = ShownText.oneLine(name)
        let near = Suggestion.nearest(to: name, in: names).map { "did you mean “\($0)”?" }
        throw YAMLTree.Refusal(
          location: location,
          message: "there is no device “\(shown)”; "
            + (near ?? "write \(Suggestion.alternatives(entries.map(\.key))), or a whole device: devices.\(shown)={…}"))
      }
    }
    if let index { child = entries[index].value }
    try set(new, at: path.dropFirst(), in: &child, below: name, location: location, tables)
    let entry = YAMLTree.Entry(key: name, keyLocation: location, value: child)
    if let index { entries[index] = entry } else { entries.append(entry) }
  }

  /// The devices of a group with a count: `client-1`, `client-2`.
  private static func members(of entry: YAMLTree.Entry) -> [String] {
    guard case .mapping(let keys) = entry.value.value,
      case .scalar(let text, _)? = keys.first(where: { $0.key == "count" })?.value.value, let count = Int(text),
      (1...ScenarioDecoder.deviceLimit).contains(count)
    else { return [] }
    return (1...count).map { "\(entry.key)-\($0)" }
  }
}
