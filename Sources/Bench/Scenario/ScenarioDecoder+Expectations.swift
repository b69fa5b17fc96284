import SimKernel

extension ScenarioDecoder {
  /// Decodes `expect`; the steps must have been decoded before, for their labels.
  func expectations(_ tree: YAMLTree) -> [Expectation] {
    guard let items = items(tree, "“expect”") else { return [] }
    if items.count > 1_000 { note(tree.location, "more than 1000 expectations; split the scenario") }
    return items.prefix(1_000).compactMap { item in
      var expectation = expectation(item)
      expectation?.lobby = lobby ?? 0
      return expectation
    }
  }

  /// Decodes `claims`.
  func claims(_ tree: YAMLTree) -> [ScenarioClaim] {
    guard let items = items(tree, "“claims”") else { return [] }
    if items.count > 100 { note(tree.location, "more than 100 claims; leave some out") }
    return items.prefix(100).compactMap { item in
      guard let text = text(item, "a claim") else { return nil }
      if let refusal = language.claimRefusal(text) { return refuse(item.location, refusal) }
      return ScenarioClaim(text: text, source: item.location)
    }
  }

  private func expectation(_ item: YAMLTree) -> Expectation? {
    if case .scalar(let text, _) = item.value, !item.isEmpty {
      return condition(item).map {
        Expectation(source: item.location, condition: $0, deadline: .atEnd, text: "at the end: \(shown(text))")
      }
    }
    guard let fields = fields(item, .expectation) else { return nil }
    let step = fields["after"].map(label)
    if case .some(.none) = step { return nil }
    let start = step ?? nil
    let suffix = start.map { " after “\(labelName($0))”" } ?? ""
    switch (fields["that"], fields["always"]) {
    case (let tree?, nil):
      let condition = condition(tree)
      var deadline = Expectation.Deadline.atEnd
      var text = "at the end: \(words(tree))"
      if let limit = fields["within"] {
        guard let within = duration(limit, "“within”", least: .nanoseconds(1)) else { return nil }
        deadline = .within(within, afterStep: start)
        text = "within \(written(limit))\(suffix): \(words(tree))"
      } else if let after = fields["after"] {
        return refuse(after.location, "“after” needs a “within”; write “within: 15s” beside it")
      }
      return condition.map { Expectation(source: item.location, condition: $0, deadline: deadline, text: text) }
    case (nil, let tree?):
      if let limit = fields["within"] {
        return refuse(
          limit.location, "“always” has no end; leave “within” out, or write “that” for something that must come")
      }
      return condition(tree).map {
        Expectation(
          source: item.location, condition: $0, deadline: .always(afterStep: start),
          text: "always\(suffix): \(words(tree))")
      }
    case (_?, _?):
      note(fields.keyLocation("always"), "an expectation has “that” or “always”, not both; write two expectations")
    case (nil, nil):
      note(item.location, "an expectation needs “that” or “always”; write “that: everyone is FINISHED”")
    }
    return nil
  }

  /// The step of a label; nil after noting that there is none.
  private func label(_ tree: YAMLTree) -> Int? {
    guard let name = text(tree, "“after”") else { return nil }
    if let index = labels.last(where: { $0.name == name })?.step { return index }
    return refuse(
      tree.location,
      labels.isEmpty
        ? "no step has the label “\(shown(name))”; write “label: \(shown(name))” in one"
        : "no step has the label “\(shown(name))”; \(Suggestion.advice(for: name, in: labels.map(\.name)))")
  }

  private func labelName(_ step: Int) -> String { labels.last { $0.step == step }.map { shown($0.name) } ?? "" }

  private func written(_ tree: YAMLTree) -> String {
    if case .scalar(let text, _) = tree.value { return shown(text) }
    return ""
  }

  /// A condition in words, for people.
  private func words(_ tree: YAMLTree) -> String {
    switch tree.value {
    case .scalar(let text, _): return text
    case .sequence(let items): return items.map(words).joined(separator: " and ")
    case .mapping(let entries):
      return entries.map { entry in
        guard case .sequence(let items) = entry.value.value else { return entry.key }
        return items.map(words).joined(separator: entry.key == "any" ? " or " : " and ")
      }.joined(separator: " ")
    }
  }
}
