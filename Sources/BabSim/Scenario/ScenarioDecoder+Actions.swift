import SimKernel

extension ScenarioDecoder {
  /// One action, or several in order, each with the words it was written in.
  func actions(_ tree: YAMLTree) -> [(action: Step.Action, text: String)] {
    switch tree.value {
    case .sequence(let items): return items.flatMap(actions)
    case .mapping(let entries):
      if entries.isEmpty {
        note(tree.location, "an action is missing; write “start hosting”, “join”, …")
      }
      return entries.compactMap { entry in
        action(entry).map { ($0, entry.key + inline(entry.value)) }
      }
    case .scalar(let text, _):
      guard !tree.isEmpty else {
        note(tree.location, "an action is missing; write “start hosting”, “join”, …")
        return []
      }
      if let action = Self.plain(text) { return [(action, text)] }
      if KeyTable.actions.names.contains(text) {
        note(tree.location, "“\(text)” needs to know more; write “\(text): …”")
      } else {
        note(
          tree.location,
          "there is no action “\(shown(text))”; "
            + Suggestion.advice(for: text, in: KeyTable.plainActions + KeyTable.actions.names))
      }
      return []
    }
  }

  private static func plain(_ text: String) -> Step.Action? {
    switch text {
    case "start hosting": .user(.startHosting)
    case "join": .user(.joinHost)
    case "start lobby game": .user(.startLobbyGame)
    case "start multiplayer game": .user(.startMultiplayerGame)
    case "end game": .user(.endGame)
    case "leave": .user(.leave)
    case "ready": .user(.setReady(true))
    case "not ready": .user(.setReady(false))
    case "skip line": .user(.skipLine)
    case "start solo": .user(.startSolo)
    case "vanish": .fault(.vanish)
    case "appear": .fault(.appear)
    case "radio off": .fault(.radioOff)
    case "radio on": .fault(.radioOn)
    case "kill": .fault(.kill)
    case "relaunch": .fault(.relaunch)
    case "background": .fault(.background)
    case "foreground": .fault(.foreground)
    case "disconnect": .fault(.disconnect(nil))
    case "go out of range": .fault(.outOfRange)
    case "come back": .fault(.comeBack)
    case "end message faults": .fault(.messagesOff)
    default: nil
    }
  }

  private func action(_ entry: YAMLTree.Entry) -> Step.Action? {
    let tree = entry.value
    switch entry.key {
    case "set scenario": return text(tree, "the scenario").map { .user(.setLobbyScenario($0)) }
    case "set difficulty":
      return choice(tree, "difficulty", from: KeyTable.difficulties).map { .user(.setLobbyDifficulty($0)) }
    case "assign role": return assignment(tree)
    case "request role": return text(tree, "the role").map { .user(.requestRole($0)) }
    case "complete line": return completion(tree)
    case "propose vote":
      return choice(tree, "vote", from: ["CHANGE_SCENE", "END_GAME", "SKIP_LINE"]).map { .user(.proposeVote($0)) }
    case "vote": return boolean(tree, "the vote").map { .user(.castVote($0)) }
    case "generate": return text(tree, "the prompt").map { .user(.generate(prompt: $0)) }
    case "speak": return text(tree, "what is spoken").map { .user(.speak($0)) }
    case "end solo":
      return choice(tree, "“end solo”", from: ["save", "discard"]).map { .user(.endSolo(save: $0 == "save")) }
    case "disconnect": return single(tree, "the other device").map { .fault(.disconnect($0)) }
    case "move to": return position(tree, "the place").map { .fault(.move($0)) }
    case "message fault": return messageFault(tree)
    default:
      if tree.isEmpty, let plain = Self.plain(entry.key) { return plain }
      if Self.plain(entry.key) != nil {
        note(tree.location, "“\(entry.key)” takes no value; write only “\(entry.key)”")
      } else {
        note(
          entry.keyLocation,
          "there is no action “\(shown(entry.key))”; "
            + Suggestion.advice(for: entry.key, in: KeyTable.actions.names + KeyTable.plainActions))
      }
      return nil
    }
  }

  private func assignment(_ tree: YAMLTree) -> Step.Action? {
    guard let fields = fields(tree, .assignment) else { return nil }
    let player = required("player", fields, .assignment).flatMap { single($0, "“player”") }
    let role = required("role", fields, .assignment).flatMap { text($0, "“role”") }
    guard let player, let role else { return nil }
    return .assignRole(player: player, role: role)
  }

  private func completion(_ tree: YAMLTree) -> Step.Action? {
    guard let fields = fields(tree, .completion) else { return nil }
    var accuracy = 1_000
    var errors = 0
    var takes = SimDuration.seconds(2)
    if let tree = fields["accuracy"], let value = quantity(tree, "“accuracy”", .permille, 0...1_000, "0% to 100%") {
      accuracy = Int(value)
    }
    if let tree = fields["errors"], let value = integer(tree, "“errors”", 0...1_000) { errors = value }
    if let tree = fields["takes"], let value = duration(tree, "“takes”") { takes = value }
    return .user(
      .completeLine(
        accuracyPermille: accuracy, errorCount: errors, durationMilliseconds: Int(takes / .milliseconds(1))))
  }

  private func messageFault(_ tree: YAMLTree) -> Step.Action? {
    guard let fields = fields(tree, .messageFault) else { return nil }
    let kind = required("do", fields, .messageFault)
      .flatMap { choice($0, "message fault", from: MessageFault.allCases.map(\.rawValue)) }
      .flatMap(MessageFault.init)
    var direction = MessageFaultRule.Direction.fromDevice
    if let tree = fields["to"],
      let word = choice(tree, "direction", from: MessageFaultRule.Direction.allCases.map(\.rawValue)),
      let value = MessageFaultRule.Direction(rawValue: word)
    {
      direction = value
    }
    let every = fields["every"].map { integer($0, "“every”", 1...1_000_000) ?? 1 } ?? 1
    let count = fields["count"].flatMap { integer($0, "“count”", 1...1_000_000) }
    guard let kind else { return nil }
    return .fault(
      .messages(MessageFaultRule(fault: kind, direction: direction, everyNth: every, count: count)))
  }

  /// A value as the trace shows it behind its key.
  private func inline(_ tree: YAMLTree) -> String {
    switch tree.value {
    case .scalar(let text, _): return tree.isEmpty ? "" : " " + shown(text)
    case .sequence(let items):
      return " [" + items.map { String(inline($0).drop { $0 == " " }) }.joined(separator: ", ") + "]"
    case .mapping(let entries):
      return " " + entries.map { $0.key + inline($0.value) }.joined(separator: ", ")
    }
  }
}
