/// Which of the keys, words and conditions of scenario files a scenario has, by names such as `phone.att mtu`,
/// `phone.preset=iphone`, `action vanish` and `condition in lobby`.
package struct ScenarioUses: Sendable {
  private let language: ScenarioLanguage
  private let tables: [String: KeyTable]
  /// Predicates by the words that tell them from others, `…` left out.
  private let predicates: [(name: String, words: [String])]

  package init(_ language: ScenarioLanguage) {
    self.language = language
    tables = Dictionary(language.tables.all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var names: [String] = []
    let general =
      ScenarioDecoder.generalPredicates + ["throughput", "latency", "packet error rate", "discovery time"]
      + ["disconnected with reason …"]
    for name in language.apps.flatMap({ $0.words.predicates + $0.words.counted }) + general
    where !names.contains(name) && name != "packets" {
      names.append(name)
    }
    predicates = names.map { ($0, Self.words($0)) }
  }

  /// Everything that there is, in the order of the schema.
  package var all: [String] {
    var names: [String] = []
    for table in language.tables.all {
      for key in table.keys {
        names.append("\(table.id).\(key.name)")
        names += Self.choices(key.kind).map { "\(table.id).\(key.name)=\($0)" }
      }
    }
    names += language.tables.plainActions.map { "action \($0)" }
    return names + predicates.map { "condition \($0.name)" }
  }

  /// What a scenario has of these, each once, in the order in which it has them.
  package func uses(of tree: YAMLTree) -> [String] {
    var found = Found()
    mapping(tree, language.tables.scenario, &found)
    return found.names
  }

  private struct Found {
    var names: [String] = []
    private var known: Set<String> = []

    mutating func add(_ name: String) { if known.insert(name).inserted { names.append(name) } }
  }

  /// The words that may be values of a key, and decide what the run is: of presets, kinds and the like.
  private static func choices(_ kind: ValueKind) -> [String] {
    switch kind {
    case .word(let words): words
    case .either(let kinds): kinds.flatMap(choices)
    case .list(let item): choices(item)
    default: []
    }
  }

  private func mapping(_ tree: YAMLTree, _ table: KeyTable, _ found: inout Found) {
    guard case .mapping(let entries) = tree.value else { return }
    for entry in entries {
      if let key = table.keys.first(where: { $0.name == entry.key }) {
        let name = "\(table.id).\(key.name)"
        found.add(name)
        value(entry.value, key.kind, name, &found)
      } else if let others = table.others {
        value(entry.value, others, "", &found)
      }
    }
  }

  private func value(_ tree: YAMLTree, _ kind: ValueKind, _ name: String, _ found: inout Found) {
    switch (kind, tree.value) {
    case (.table(let id), .mapping): if let table = tables[id] { mapping(tree, table, &found) }
    case (.definition("action"), _): action(tree, &found)
    case (.definition("condition"), _): condition(tree, &found)
    case (.definition("expectationEntry"), .mapping): mapping(tree, .expectation, &found)
    case (.definition("expectationEntry"), _): condition(tree, &found)
    case (.list(let item), .sequence(let items)): for one in items { value(one, item, name, &found) }
    case (.mapping(let item), .mapping(let entries)): for entry in entries { value(entry.value, item, name, &found) }
    case (.either(let kinds), _): for one in kinds { value(tree, one, name, &found) }
    case (.word(let words), .scalar(let word, _)): if words.contains(word) { found.add("\(name)=\(word)") }
    default: break
    }
  }

  private func action(_ tree: YAMLTree, _ found: inout Found) {
    switch tree.value {
    case .scalar(let word, _): if language.tables.plainActions.contains(word) { found.add("action \(word)") }
    case .sequence(let items): for item in items { action(item, &found) }
    case .mapping(let entries):
      for entry in entries where !entry.value.isEmpty || language.tables.actions.names.contains(entry.key) {
        mapping(YAMLTree(location: tree.location, value: .mapping([entry])), language.tables.actions, &found)
      }
    }
  }

  private func condition(_ tree: YAMLTree, _ found: inout Found) {
    switch tree.value {
    case .scalar(let text, _):
      let words = Self.words(text)
      for (name, pattern) in predicates where Self.has(words, pattern) { found.add("condition \(name)") }
    case .sequence(let items): for item in items { condition(item, &found) }
    case .mapping: mapping(tree, .condition, &found)
    }
  }

  /// Words without those that conditions do not look at, and without places for values.
  private static func words(_ text: String) -> [String] {
    let ignored = ["is", "are", "has", "have", "at", "least", "most", "its", "of"]
    return text.split(separator: " ").map(String.init).filter {
      !ignored.contains($0) && !$0.contains("…") && !$0.hasPrefix("\"")
    }
  }

  private static func has(_ words: [String], _ pattern: [String]) -> Bool {
    guard !pattern.isEmpty, words.count >= pattern.count else { return false }
    return (0...words.count - pattern.count).contains { start in
      Array(words[start..<start + pattern.count]) == pattern
    }
  }
}
