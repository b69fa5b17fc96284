import AppSeam
import Bench
import SimKernel

extension ProtocolFileReader {
  private static let patterns = "“when” and “then”, “never”, “at most” and “event”, “rises” and “event”, or “agree”"

  mutating func readClaim(_ entry: YAMLTree.Entry) {
    guard let fields = decoder.fields(entry.value, .protocolClaim) else { return }
    let octets = Array(entry.key.utf8)
    if !(octets.first.map { (0x41...0x5A).contains($0) } ?? false) || entry.key.contains(" ") || octets.count > 64 {
      decoder.note(entry.keyLocation, "“\(decoder.shown(entry.key))” is no name of a claim; write one like NobodyWaits")
    }
    let role = decoder.required("of", fields, .protocolClaim).flatMap { self.role($0, "role") }
    let clause = decoder.required("clause", fields, .protocolClaim).flatMap { self.clause($0) }
    let with = fields["with"].flatMap { event($0) }
    if let with, !with.verb.isNamed {
      decoder.note(fields.keyLocation("with"), "“with” needs an event that has fields; write one such as shows turn")
    }
    let kind = isOnePattern(fields) ? claimKind(fields, known: with.map { [$0] } ?? []) : nil
    guard let role, let clause, let kind else { return }
    for event in kind.events + (with.map { [$0] } ?? []) {
      guard let problem = form.problem(with: event, of: role) else { continue }
      decoder.note(entry.keyLocation, problem)
      return
    }
    let companion = with.map { " Here \($0.name) is the newest: “\($0.text)”." } ?? ""
    let text = fields["text"].flatMap { decoder.text($0, "“text”") } ?? kind.words(of: role.rawValue) + companion
    form.claims.append(
      ProtocolForm.Claim(id: entry.key, text: text, clause: clause, role: role, kind: kind, with: with))
  }

  func clause(_ tree: YAMLTree) -> String? {
    guard let text = decoder.text(tree, "“clause”") else { return nil }
    // A file without clauses cites those of a document elsewhere.
    if form.clauses.isEmpty || form.clauses.contains(where: { $0.id == text }) { return text }
    return decoder.choice(tree, "clause", from: form.clauses.map(\.id))
  }

  func event(
    _ tree: YAMLTree?, verbs: [EventForm.Verb] = EventForm.Verb.ofClaims, known: [EventForm] = []
  ) -> EventForm? {
    guard let tree, let text = decoder.text(tree, "an event") else { return nil }
    do throws(TypeReader.Refusal) {
      return try EventReader(form: form).event(text, verbs: verbs, known: known)
    } catch {
      return decoder.refuse(tree.location, error.message)
    }
  }

  /// The key that says which pattern a claim has, and those that go with it.
  private static let keysOfPatterns = [
    "when": ["then", "to", "within", "after"], "never": ["before", "after"],
    "at most": ["event", "within", "for each"], "rises": ["event"], "agree": ["for each"],
  ]

  /// Notes what belongs to another pattern than the claim's.
  private func isOnePattern(_ fields: ScenarioDecoder.Fields) -> Bool {
    let patterns = fields.entries.filter { Self.keysOfPatterns[$0.key] != nil }
    guard let pattern = patterns.first, let own = Self.keysOfPatterns[pattern.key] else { return true }
    if patterns.count > 1 {
      decoder.note(
        patterns[1].keyLocation, "a claim has “\(pattern.key)” or “\(patterns[1].key)”; write two claims")
      return false
    }
    let other = fields.entries.first { entry in
      !own.contains(entry.key) && Self.keysOfPatterns.values.contains { $0.contains(entry.key) }
    }
    guard let other else { return true }
    decoder.note(other.keyLocation, "“\(pattern.key)” has no “\(other.key)”; remove it")
    return false
  }

  private func claimKind(_ fields: ScenarioDecoder.Fields, known: [EventForm]) -> ProtocolForm.Claim.Kind? {
    let within = fields["within"].flatMap { decoder.duration($0, "“within”", least: .milliseconds(1)) }
    if let when = fields["when"] { return follows(when, fields, within, known) }
    if let never = fields["never"] {
      guard let event = event(never, known: known) else { return nil }
      if let before = fields["before"] {
        return self.event(before, known: [event] + known).map { .neverBefore(event, $0) }
      }
      if let after = fields["after"] { return self.event(after, known: known).map { .neverAfter(event, $0) } }
      return .never(event)
    }
    if let most = fields["at most"] {
      if case .scalar(let text, _) = most.value, fields["event"] == nil,
        let count = text.split(separator: " ").first.flatMap({ Int($0) }), text.contains(" ")
      {
        let event = text.drop { $0 != " " }.dropFirst()
        return decoder.refuse(
          most.location, "“at most” is a number; write at most: \(count), and event: \(decoder.shown(String(event)))")
      }
      guard let count = decoder.integer(most, "“at most”", 0...1_000_000),
        let event = event(decoder.required("event", fields, .protocolClaim), known: known)
      else { return nil }
      var each: String?
      if let tree = fields["for each"] {
        each = decoder.choice(tree, "field", from: fieldNames(event))
        if each == nil { return nil }
      }
      return .atMost(count, event, within: within, each: each)
    }
    if let rises = fields["rises"] {
      guard let event = event(decoder.required("event", fields, .protocolClaim), known: known),
        let field = decoder.choice(rises, "field", from: fieldNames(event))
      else { return nil }
      return .rises(event, field: field)
    }
    if let agree = fields["agree"] {
      guard let event = event(agree, known: known) else { return nil }
      guard let tree = fields["for each"] else { return .agree(event, by: nil) }
      return decoder.choice(tree, "field", from: fieldNames(event)).map { .agree(event, by: $0) }
    }
    return decoder.refuse(fields.location, "a claim needs \(Self.patterns)")
  }

  private func follows(
    _ when: YAMLTree, _ fields: ScenarioDecoder.Fields, _ within: SimDuration?, _ known: [EventForm]
  ) -> ProtocolForm.Claim.Kind? {
    guard let first = event(when, known: known), let then = decoder.required("then", fields, .protocolClaim),
      let second = event(then, known: [first] + known)
    else { return nil }
    guard let within else {
      if fields["within"] == nil {
        decoder.note(fields.keyLocation("then"), "“then” needs “within”; write within: 1 s, or how long it may take")
      }
      return nil
    }
    let reach = fields["to"].flatMap { decoder.choice($0, "“to”", from: ["the same link", "every link"]) }
    if reach == "every link", second.verb != .sends {
      decoder.note(fields.keyLocation("to"), "“to: every link” is for “sends”; remove it")
    }
    var after: EventForm?
    if let tree = fields["after"] {
      after = event(tree, known: known)
      if let event = after, event.verb != .hears, event.verb != .sends {
        decoder.note(
          fields.keyLocation("after"),
          "“after” of “when” says what has come on a link; write hears or sends and a packet")
      }
    }
    return .follows(first, second, within: within, toAll: reach == "every link", after: after)
  }

  private func fieldNames(_ event: EventForm) -> [String] {
    EventReader(form: form).fields(event.verb, event.name).map(\.name)
  }
}

extension ProtocolForm.Claim.Kind {
  /// A sentence for a claim that has none of its own.
  func words(of role: String) -> String {
    switch self {
    case .follows(let first, let second, let span, let toAll, let after):
      "After a \(role) \(first.text), it \(second.text)\(toAll ? " on every link" : "")"
        + (after.map { ", where it \($0.text) before," } ?? "") + " within \(span.shortSeconds) s."
    case .never(let event): "No \(role) ever \(event.text)."
    case .neverBefore(let event, let other): "No \(role) \(event.text) before it \(other.text)."
    case .neverAfter(let event, let other): "No \(role) \(event.text) after it \(other.text)."
    case .atMost(let count, let event, let span, let each):
      "A \(role) \(event.text) at most \(count) times" + (each.map { " for each \($0)" } ?? "")
        + (span.map { " in \($0.shortSeconds) s." } ?? ".")
    case .rises(let event, let field): "Where a \(role) \(event.text), \(field) never falls."
    case .agree(let event, let field):
      "No two \(role) devices disagree on the order\(field.map { " of each \($0)" } ?? "") in which each \(event.text)."
    }
  }

  /// Whether it says that something happens in time.
  var isLiveness: Bool { if case .follows = self { true } else { false } }
}
