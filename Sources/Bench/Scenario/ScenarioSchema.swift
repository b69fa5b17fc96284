/// The JSON Schema of scenario files, for editors; made from the tables the reader uses, so the two cannot differ.
///
/// It knows keys and shapes. What only the reader can say (whether a device exists, whether a sentence is a condition)
/// it leaves open.
public enum ScenarioSchema {
  /// The whole schema, two-space indented, with a newline at the end. `Docs/Formats/scenario.schema.json` is this text.
  public static func json(_ language: ScenarioLanguage) -> String { document(language.tables).text(indent: 0) + "\n" }

  /// Every key the reader knows, by the id of its table, for checks of the documentation.
  public static func keys(_ language: ScenarioLanguage) -> [(table: String, names: [String])] {
    language.tables.all.map { ($0.id, $0.names) }
  }

  /// Actions that take no value.
  public static func plainActions(_ language: ScenarioLanguage) -> [String] { language.tables.plainActions }

  /// The schema of another kind of file, in the same form.
  /// - Parameter tables: that of the file first, then all that its keys name.
  package static func json(_ tables: [KeyTable], title: String, description: String) -> String {
    var entries: [(String, JSON)] = [
      ("$schema", .text("https://json-schema.org/draft/2020-12/schema")), ("title", .text(title)),
      ("description", .text(description)),
    ]
    entries += table(tables[0])
    entries.append(("$defs", .object(tables.dropFirst().map { ($0.id, JSON.object(table($0))) })))
    return JSON.object(entries).text(indent: 0) + "\n"
  }

  private static func document(_ tables: ScenarioTables) -> JSON {
    var entries: [(String, JSON)] = [
      ("$schema", .text("https://json-schema.org/draft/2020-12/schema")),
      ("title", .text("babbench scenario")),
      ("description", .text("A lobby of simulated phones, what happens to it, and what must hold.")),
    ]
    entries += table(tables.scenario)
    var definitions = tables.all.filter { $0.id != "scenario" }.map { ($0.id, JSON.object(table($0))) }
    definitions.append(("condition", condition))
    definitions.append(("expectationEntry", .object([("anyOf", .list([plainText, reference("expectation")]))])))
    definitions.append(("action", action(tables)))
    entries.append(("$defs", .object(definitions)))
    return .object(entries)
  }

  private static func table(_ table: KeyTable) -> [(String, JSON)] {
    let properties = table.keys.map { key -> (String, JSON) in
      guard case .object(let fields) = schema(key.kind) else { return (key.name, schema(key.kind)) }
      return (key.name, .object([("description", .text(key.help))] + fields))
    }
    var entries: [(String, JSON)] = [("type", .text("object")), ("properties", .object(properties))]
    let needed = table.keys.filter(\.isRequired).map { JSON.text($0.name) }
    if !needed.isEmpty { entries.append(("required", .list(needed))) }
    entries.append(("additionalProperties", table.others.map(schema) ?? .literal("false")))
    return entries
  }

  private static func reference(_ id: String) -> JSON { .object([("$ref", .text("#/$defs/" + id))]) }
  private static let plainText = JSON.object([("type", .text("string"))])

  private static var condition: JSON {
    .object([
      (
        "anyOf",
        .list([
          plainText, .object([("type", .text("array")), ("items", reference("condition"))]), reference("conditions"),
        ])
      )
    ])
  }

  private static func action(_ tables: ScenarioTables) -> JSON {
    let words = JSON.object([("enum", .list(tables.plainActions.map { .text($0) }))])
    return .object([
      (
        "anyOf",
        .list([
          words, reference("actions"), .object([("type", .text("array")), ("items", reference("action"))]),
        ])
      )
    ])
  }

  private static func pattern(_ units: String, range: Bool = false) -> JSON {
    let one = "[-+]?[0-9][0-9_]*(\\.[0-9]+)? *(\(units))"
    return .object([
      ("type", .text("string")), ("pattern", .text(range ? "^\(one)( *\\.\\. *\(one))?$" : "^\(one)$")),
    ])
  }

  private static func schema(_ kind: ValueKind) -> JSON {
    let number = JSON.object([("type", .text("number"))])
    switch kind {
    case .text: return .object([("type", .list([.text("string"), .text("number"), .text("boolean")]))])
    case .profile:
      return .object([("type", .text("string")), ("pattern", .text("^[^#]+(\\.ya?ml|#[a-z0-9-]+)$"))])
    case .boolean: return .object([("enum", .list([.literal("true"), .literal("false"), .text("yes"), .text("no")]))])
    case .seed:
      return .object([
        (
          "anyOf",
          .list([.object([("type", .text("integer")), ("minimum", .literal("0"))]), plainText])
        )
      ])
    case .duration: return pattern("ns|us|µs|μs|ms|s|min|h")
    case .durationRange: return pattern("ns|us|µs|μs|ms|s|min|h", range: true)
    case .share: return pattern("%|‰")
    case .shareRange: return pattern("%|‰", range: true)
    case .loss: return pattern("%|‰|ppm")
    case .decibel: return pattern("dB")
    case .level: return pattern("dBm")
    case .clock: return pattern("ppm")
    case .current: return pattern("nA|uA|µA|mA")
    case .length: return .object([("anyOf", .list([number, pattern("m|cm|km")]))])
    case .factor: return number
    case .integer(let low, let high):
      return .object([
        ("type", .text("integer")), ("minimum", .literal(String(low))), ("maximum", .literal(String(high))),
      ])
    case .integerRange: return .object([("type", .list([.text("string"), .text("integer")]))])
    case .point:
      return .object([
        ("type", .text("array")), ("items", schema(.length)), ("minItems", .literal("2")), ("maxItems", .literal("3")),
      ])
    case .word(let words): return .object([("enum", .list(words.map { .text($0) }))])
    case .table(let id): return reference(id)
    case .definition(let id): return reference(id)
    case .list(let item): return .object([("type", .text("array")), ("items", schema(item))])
    case .either(let kinds): return .object([("anyOf", .list(kinds.map(schema)))])
    case .mapping(let value):
      return .object([
        ("type", .text("object")),
        ("additionalProperties", .object([("anyOf", .list([schema(value), .object([("type", .text("null"))])]))])),
      ])
    }
  }
}

/// As much JSON as a schema needs.
private indirect enum JSON {
  case text(String)
  /// A number, true or false.
  case literal(String)
  case list([JSON])
  case object([(String, JSON)])

  func text(indent: Int) -> String {
    let pad = String(repeating: " ", count: indent + 2)
    let end = String(repeating: " ", count: indent)
    switch self {
    case .text(let text): return Self.quoted(text)
    case .literal(let text): return text
    case .list(let items):
      return "[\n" + items.map { pad + $0.text(indent: indent + 2) }.joined(separator: ",\n") + "\n\(end)]"
    case .object(let entries):
      return "{\n"
        + entries.map { pad + Self.quoted($0) + ": " + $1.text(indent: indent + 2) }.joined(separator: ",\n")
        + "\n\(end)}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text.unicodeScalars {
      if character == "\"" || character == "\\" { result += "\\" }
      result.unicodeScalars.append(character)
    }
    return result + "\""
  }
}
