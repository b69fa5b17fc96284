extension ScenarioDecoder {
  static let phases = ["LOBBY", "ROLE_SELECTION", "WAITING", "ACTIVE", "VOTING", "FINISHED"]
  static let linkStates = ["DISCONNECTED", "CONNECTING", "CONNECTED", "RECONNECTING"]
  static let packetTypes = [
    "HANDSHAKE", "HEARTBEAT", "GENERATE_REQUEST", "DIALOG_LINE_ADDED", "VOTE_REQUEST", "VOTE_CAST",
    "FULL_STATE_SNAPSHOT", "NAVIGATION_SYNC", "LINE_COMPLETED", "LINE_SKIPPED", "ROLE_ASSIGNED", "PLAYER_READY",
    "GAME_STARTED", "TURN_ADVANCED", "LEADERBOARD_UPDATE", "LOBBY_UPDATE", "CLIENT_JOIN", "START_GAME",
  ]
  static let counted = ["links", "lines", "players", "refused packets", "violations"]
  /// One spelling of every predicate, for messages.
  static let predicates =
    ["in lobby", "on turn", "ready", "ended", "resumed", "shows summary"]
    + ["agrees on lobby", "agrees on lines", "agrees on leaderboard"]
    + ["has role …", "has ATT_MTU …", "has at least … links", "advertised as …"] + phases + linkStates

  /// A phrase, a list (all of them), or `all:` / `any:`.
  func condition(_ tree: YAMLTree) -> Condition? {
    switch tree.value {
    case .scalar(let text, _):
      if tree.isEmpty {
        note(tree.location, "a condition is missing; write “all clients in lobby”")
        return nil
      }
      return phrase(text, at: tree.location)
    case .sequence(let items): return conditions(items, at: tree.location).map { .all($0) }
    case .mapping:
      guard let fields = fields(tree, .condition) else { return nil }
      guard fields.entries.count == 1 else {
        note(tree.location, "a condition has either “all” or “any”; write one of them")
        return nil
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
    if items.isEmpty {
      note(location, "an empty list of conditions; write at least one")
      return nil
    }
    let decoded = items.map(condition)
    return decoded.contains { $0 == nil } ? nil : decoded.compactMap { $0 }
  }

  /// `subject predicate`, for example `any client is RECONNECTING`.
  private func phrase(_ text: String, at location: SourceLocation) -> Condition? {
    var words = Self.words(text)
    guard let (quantifier, subject) = subject(&words, at: location) else { return nil }
    let isNegated = words.contains("not") || (words.contains("no") && words.first != "has" && words.first != "have")
    let fillers = ["is", "are", "has", "have", "been", "the", "a", "an", "does", "do", "not", "its", "their", "of"]
    let predicate = words.filter { !fillers.contains($0) }
    guard let fact = fact(predicate, of: text, at: location), let subject else { return nil }
    guard isNegated else { return .devices(subject, quantifier, fact) }
    switch quantifier {
    case .every: return .devices(subject, .none, fact)
    case .any, .none:
      note(location, "“not” beside “any” or “no” can be read two ways; write “\(shown(text))” the other way round")
      return nil
    }
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
      note(location, "a condition is missing; write “all clients in lobby”")
      return nil
    }
    words.removeFirst()
    var quantifier = Condition.Quantifier.every
    var name = first
    if ["all", "every", "any", "no"].contains(first), let second = words.first {
      words.removeFirst()
      quantifier = first == "any" ? .any : first == "no" ? .none : .every
      name = ["client", "clients"].contains(second) ? "all clients" : second
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

  private func fact(_ words: [String], of text: String, at location: SourceLocation) -> Condition.Fact? {
    let joined = words.joined(separator: " ")
    switch joined {
    case "in lobby": return .inLobby
    case "on turn": return .onTurn
    case "ready": return .ready
    case "ended": return .sessionEnded
    case "resumed": return .resumed
    case "shows summary", "show summary": return .summaryShown
    case "agrees on lobby", "agree on lobby": return .lobbyEqualsHost
    case "agrees on lines", "agree on lines": return .linesEqualHost
    case "agrees on leaderboard", "agree on leaderboard": return .leaderboardEqualsHost
    default: break
    }
    if Self.phases.contains(joined) { return .phase(joined) }
    if Self.linkStates.contains(joined) { return .linkState(joined) }
    if words.count == 2, words[0] == "role" { return .role(words[1]) }
    if words.count == 3, words[0] == "advertised", words[1] == "as" { return .advertisedNameContains(words[2]) }
    if let count = count(words) { return count }
    if joined.isEmpty {
      note(location, "“\(shown(text))” says nothing about anybody; write for example “… in lobby”")
      return nil
    }
    note(
      location, "“\(shown(joined))” is no condition; " + predicateAdvice(joined, words))
    return nil
  }

  private func predicateAdvice(_ joined: String, _ words: [String]) -> String {
    if let near = Suggestion.nearest(to: joined, in: Self.predicates) { return "did you mean “\(near)”?" }
    if let last = words.last, let near = Suggestion.nearest(to: last, in: Self.counted + Self.packetTypes + ["packets"])
    {
      return "did you mean “\(near)”?"
    }
    return "write for example “in lobby”, “is ACTIVE”, “has at least 3 lines”; Docs/Formats/scenario.md has all"
  }

  /// `[exactly|at least|at most|no] [n] what`, or `ATT_MTU [at least|at most] n`.
  private func count(_ words: [String]) -> Condition.Fact? {
    var rest = words[...]
    let isATTMTU = rest.first == "ATT_MTU"
    if isATTMTU { rest = rest.dropFirst() }
    var comparison = Condition.Comparison.exactly
    var bound: Int? = nil
    if rest.first == "no" {
      bound = 0
      rest = rest.dropFirst()
    } else {
      if rest.starts(with: ["at", "least"]) {
        comparison = .atLeast
        rest = rest.dropFirst(2)
      } else if rest.starts(with: ["at", "most"]) {
        comparison = .atMost
        rest = rest.dropFirst(2)
      } else if rest.first == "exactly" {
        rest = rest.dropFirst()
      }
      guard let number = rest.first.flatMap({ Int($0) }), (0...1_000_000).contains(number) else { return nil }
      bound = number
      rest = rest.dropFirst()
    }
    guard let bound else { return nil }
    if isATTMTU { return rest.isEmpty ? .count(.attMTU, comparison, bound) : nil }
    switch rest.joined(separator: " ") {
    case "link", "links": return .count(.links, comparison, bound)
    case "line", "lines": return .count(.committedLines, comparison, bound)
    case "player", "players": return .count(.lobbyPlayers, comparison, bound)
    case "refused packet", "refused packets": return .count(.refusals, comparison, bound)
    case "violation", "violations": return .count(.violations, comparison, bound)
    default:
      guard rest.count == 2, let type = rest.first, Self.packetTypes.contains(type),
        rest.last == "packet" || rest.last == "packets"
      else { return nil }
      return .count(.packets(type), comparison, bound)
    }
  }
}
