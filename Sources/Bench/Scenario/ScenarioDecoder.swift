import SimKernel

/// Turns a tree into a scenario and collects every problem on the way; one per reading, never kept.
///
/// The parts are extensions, one file each. A helper that finds a problem notes it and returns nil, and its caller
/// goes on with the next value.
public final class ScenarioDecoder {
  /// How messages call the file.
  public let file: String
  /// Where profiles come from that are named.
  let profiles: ProfileSource
  /// Where programs are that are named.
  package let programs: ProgramFinder
  /// Profiles that were named so far; nil: it cannot be used, and that was said.
  var loadedProfiles: [(path: String, profile: PhoneProfile?)] = []
  let language: ScenarioLanguage
  var tables: ScenarioTables { language.tables }
  package private(set) var problems: [ScenarioProblem] = []
  private(set) var omitted = 0

  /// Devices as far as they are known; selections are resolved against them.
  public internal(set) var devices: [Device] = []
  /// The lobby whose steps and expectations are read, of several side by side; nil: the file is read for all devices.
  var lobby: Int?
  /// Labels of the steps of this lobby read so far, with the index of the last step of each entry.
  var labels: [(name: String, step: Int)] = []

  package init(
    file: String, language: ScenarioLanguage = .bare, profiles: ProfileSource = .none, programs: ProgramFinder = .none
  ) {
    self.file = file
    self.profiles = profiles
    self.programs = programs
    self.language = language
  }

  /// Notes a problem at a place of the file; the same one only once, and at most `ScenarioProblems.limit` of them.
  public func note(_ location: SourceLocation, _ message: String) {
    let problem = ScenarioProblem(file: file, location: location, message: message)
    if problems.contains(problem) { return }
    if problems.count < ScenarioProblems.limit { problems.append(problem) } else { omitted += 1 }
  }

  /// Notes a problem; nil is the value of what has one.
  package func refuse<Value>(_ location: SourceLocation, _ message: String) -> Value? {
    note(location, message)
    return nil
  }

  /// Where a file is that the scenario names by a path from its own folder; nil: there are no files here.
  package func path(ofFile written: String) -> String? {
    profiles.hasFiles && !written.unicodeScalars.contains("\0") ? profiles.name(written) : nil
  }

  /// Takes over the problems of another file.
  func adopt(_ others: ScenarioProblems) {
    for problem in others.list where !problems.contains(problem) {
      if problems.count < ScenarioProblems.limit { problems.append(problem) } else { omitted += 1 }
    }
    omitted += others.omitted
  }

  /// The problems in the order of the file, overrides first, those of other files last.
  package var sortedProblems: ScenarioProblems {
    let order = problems.indices.sorted { a, b in
      let (l, r) = (problems[a].location, problems[b].location)
      let (isForeign, isOtherForeign) = (problems[a].file != file, problems[b].file != file)
      if isForeign != isOtherForeign { return isOtherForeign }
      return (l.line, l.column, a) < (r.line, r.column, b)
    }
    return ScenarioProblems(list: order.map { problems[$0] }, omitted: omitted)
  }

  // MARK: Mappings

  /// The entries of a mapping by known key; unknown keys are noted, with what was probably meant.
  public func fields(_ tree: YAMLTree, _ table: KeyTable) -> Fields? {
    if tree.isEmpty { return Fields(location: tree.location, entries: []) }
    guard case .mapping(let entries) = tree.value else {
      return refuse(
        tree.location,
        "\(table.title) must be a mapping, not \(tree.kindName); write keys such as "
          + Suggestion.alternatives(table.names.prefix(3).map { "“\($0):”" }))
    }
    for entry in entries where !table.names.contains(entry.key) {
      note(
        entry.keyLocation,
        "\(table.title) has no key “\(shown(entry.key))”; \(Suggestion.advice(for: entry.key, in: table.names))")
    }
    return Fields(location: tree.location, entries: entries)
  }

  /// The entries of a mapping.
  public struct Fields {
    public var location: SourceLocation
    public var entries: [YAMLTree.Entry]

    /// The value of a key; nil: it is not written.
    public subscript(key: String) -> YAMLTree? { entries.first { $0.key == key }?.value }
    /// Where a key is, else where the mapping begins.
    public func keyLocation(_ key: String) -> SourceLocation {
      entries.first { $0.key == key }?.keyLocation ?? location
    }
  }

  /// The entries of a list; none where nothing is written, nil after noting that it is no list.
  public func items(_ tree: YAMLTree, _ what: String) -> [YAMLTree]? {
    if tree.isEmpty { return [] }
    guard case .sequence(let items) = tree.value else {
      return refuse(tree.location, "\(what) must be a list, not \(tree.kindName); begin each entry with “- ”")
    }
    return items
  }

  // MARK: Words

  /// A text of at most 4096 octets; nil after noting what is wrong.
  public func text(_ tree: YAMLTree, _ what: String) -> String? {
    guard case .scalar(let text, _) = tree.value, !tree.isEmpty else {
      return refuse(tree.location, "\(what) must be a text, not \(tree.kindName)")
    }
    guard text.utf8.count <= 4_096 else {
      return refuse(tree.location, "\(what) is longer than 4096 octets; shorten it")
    }
    return text
  }

  /// One of some words; nil after noting what is wrong, with what was probably meant.
  public func choice(_ tree: YAMLTree, _ what: String, from names: [String]) -> String? {
    guard let text = text(tree, what) else { return nil }
    if names.contains(text) { return text }
    return refuse(tree.location, "\(what) “\(shown(text))” does not exist; \(Suggestion.advice(for: text, in: names))")
  }

  /// “yes” or “no”; nil after noting what is wrong.
  public func boolean(_ tree: YAMLTree, _ what: String) -> Bool? {
    guard let text = text(tree, what) else { return nil }
    switch text {
    case "yes", "true", "on": return true
    case "no", "false", "off": return false
    default:
      return refuse(tree.location, "\(what) is “\(shown(text))”; write yes or no")
    }
  }

  /// A text as a message may quote it: one line, not too long.
  public func shown(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars.prefix(60) {
      result.unicodeScalars.append(scalar.value < 0x20 || scalar.value == 0x7F ? " " : scalar)
    }
    return text.unicodeScalars.count > 60 ? result + "…" : result
  }
}
