import AppSeam

extension ScenarioDecoder {
  /// A phrase, a list (all of them), or `all:` / `any:`.
  func condition(_ tree: YAMLTree) -> Condition? {
    switch tree.value {
    case .scalar(let text, _):
      if tree.isEmpty { return refuse(tree.location, "a condition is missing; write “everyone \(example(0))”") }
      return phrase(text, at: tree.location)
    case .sequence(let items): return conditions(items, at: tree.location).map { .all($0) }
    case .mapping:
      guard let fields = fields(tree, .condition) else { return nil }
      guard fields.entries.count == 1 else {
        return refuse(tree.location, "a condition has either “all” or “any”; write one of them")
      }
      if let tree = fields["all"], let items = items(tree, "“all”") {
        return conditions(items, at: tree.location).map { .all($0) }
      }
      if let tree = fields["any"], let items = items(tree, "“any”") {
        return conditions(items, at: tree.location).map { .any($0) }
      }
      return nil
    }
  }

  private func conditions(_ items: [YAMLTree], at location: SourceLocation) -> [Condition]? {
    if items.isEmpty { return refuse(location, "an empty list of conditions; write at least one") }
    let decoded = items.map(condition)
    return decoded.contains { $0 == nil } ? nil : decoded.compactMap { $0 }
  }

  /// `subject predicate`, for example `any client is RECONNECTING`.
  private func phrase(_ text: String, at location: SourceLocation) -> Condition? {
    var words = Self.words(text)
    guard let (quantifier, subject) = subject(&words, at: location) else { return nil }
    // What an app shows is its own text: every word of it counts.
    let value = Self.takeValue(&words)
    let isNegated = words.contains("not") || (words.contains("no") && words.first != "has" && words.first != "have")
    var predicate = words.filter { !Self.fillers.contains($0) } + value
    if !value.isEmpty { predicate.removeAll { $0 == "no" && isNegated } }
    let decoded: Condition.Fact?
    switch measure(predicate, at: location) {
    case .fact(let fact): decoded = fact
    case .refused: decoded = nil
    case .otherWords:
      let rest = value.isEmpty ? predicate.filter { $0 != "of" } : predicate
      decoded = fact(rest, about: subject ?? [], of: text, at: location)
    }
    guard let fact = decoded, let subject else { return nil }
    guard isNegated else { return .devices(subject, quantifier, fact) }
    switch quantifier {
    case .every: return .devices(subject, .none, fact)
    case .any, .none:
      return refuse(
        location, "“not” beside “any” or “no” can be read two ways; write “\(shown(text))” the other way round")
    }
  }

  private static let fillers = [
    "is", "are", "was", "were", "has", "have", "been", "the", "a", "an", "does", "do", "not", "its", "their",
  ]

  /// Takes off what follows the name of a report: `line are you there` of `shows the line are you there`.
  private static func takeValue(_ words: inout [String]) -> [String] {
    guard let verb = words.firstIndex(where: { $0 == "shows" || $0 == "show" }) else { return [] }
    let name = words[words.index(after: verb)...].firstIndex { $0 != "no" && !fillers.contains($0) }
    guard let name else { return [] }
    let value = Array(words[name...])
    words.removeSubrange(name...)
    return value
  }

  /// Words at blanks; what stands between double quotes is one word.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for (index, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
      if index % 2 == 1 {
        words.append(String(part))
      } else {
        words += part.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" }).map(String.init)
      }
    }
    return words
  }

  /// Takes the subject off the words. A nil selection has been noted; the predicate is still looked at.
  private func subject(_ words: inout [String], at location: SourceLocation) -> (Condition.Quantifier, [Int]?)? {
    guard let first = words.first else {
      return refuse(location, "a condition is missing; write “everyone \(example(0))”")
    }
    words.removeFirst()
    var quantifier = Condition.Quantifier.every
    var name = first
    if ["all", "every", "any", "no"].contains(first), let second = words.first {
      words.removeFirst()
      quantifier = first == "any" ? .any : first == "no" ? .none : .every
      name = collective(second) ?? second
      if second == "one" || second == "device" { name = "everyone" }
    } else if first == "nobody" {
      quantifier = .none
      name = "everyone"
    } else if first == "someone" {
      quantifier = .any
      name = "everyone"
    }
    while name.hasSuffix(","), let next = words.first {
      words.removeFirst()
      name += next
    }
    return (quantifier, selection(name, at: location))
  }

  /// `all clients` for `client` and `clients`; nil for what is no role.
  private func collective(_ word: String) -> String? {
    let roles = language.apps.flatMap(\.roles)
    return roles.first { $0.role.rawValue == word || $0.plural == word }.map { "all " + $0.plural }
  }

  private func fact(
    _ words: [String], about subject: [Int], of text: String, at location: SourceLocation
  ) -> Condition.Fact? {
    if words.count == 3, words[0] == "advertised", words[1] == "as" { return .advertisedNameContains(words[2]) }
    if let count = count(words) { return count }
    let apps = language.apps.filter { app in
      subject.isEmpty || subject.contains { devices[$0].app == app.name }
    }
    for app in apps {
      let roles = subject.filter { devices[$0].app == app.name }.map { devices[$0].role }
      if let problem = app.problem(with: words, of: roles) { return refuse(location, problem) }
    }
    for app in apps { if let fact = app.fact(words) { return .app(fact) } }
    let joined = words.joined(separator: " ")
    if joined.isEmpty {
      return refuse(location, "“\(shown(text))” says nothing about anybody; write for example “… \(example(0))”")
    }
    if language.apps.contains(where: { $0.fact(words) != nil }) {
      let names = subject.map { devices[$0].name }.joined(separator: ", ")
      return refuse(
        location,
        "“\(shown(joined))” is said of an app that \(names) \(subject.count == 1 ? "does" : "do") not have; "
          + "name another device")
    }
    return refuse(location, "“\(shown(joined))” is no condition; " + predicateAdvice(joined, words))
  }

  /// The apps of the room; all where it has none.
  private var appsInRoom: [any SimulatedApp] {
    let own = language.apps.filter { app in devices.contains { $0.app == app.name } }
    return own.isEmpty ? language.apps : own
  }

  /// A predicate of the first protocol of the room, by number.
  private func example(_ index: Int) -> String {
    let predicates = appsInRoom.first?.words.predicates ?? []
    return index < predicates.count ? predicates[index] : "has no links"
  }

  private func predicateAdvice(_ joined: String, _ words: [String]) -> String {
    let predicates = appsInRoom.flatMap(\.words.predicates) + Self.generalPredicates + Self.measurePredicates
    if let near = Suggestion.nearest(to: joined, in: predicates) { return "did you mean “\(near)”?" }
    let counted = appsInRoom.flatMap(\.words.counted) + ["links"]
    if let last = words.last, let near = Suggestion.nearest(to: last, in: counted) {
      return near == last ? "write how many, “at least 1 \(near)”" : "did you mean “\(near)”?"
    }
    let examples = [example(0), example(1), "has at least 3 links"].map { "“\($0)”" }.joined(separator: ", ")
    return "write for example \(examples); Docs/Formats/scenario.md has all"
  }

  /// What can be said of any device.
  static let generalPredicates = [
    "has ATT_MTU …", "has at least … links", "has at least … advertising timeouts", "advertised as …",
  ]

  private func count(_ words: [String]) -> Condition.Fact? {
    guard let counted = CountedWords(words) else { return nil }
    switch counted.what {
    case ["ATT_MTU"]: return .count(.attMTU, counted.comparison, counted.bound)
    case ["link"], ["links"]: return .count(.links, counted.comparison, counted.bound)
    case ["advertising", "timeout"], ["advertising", "timeouts"]:
      return .count(.advertisingTimeouts, counted.comparison, counted.bound)
    default: return nil
    }
  }
}
