import AppSeam
import Bench

/// Bab's actions that have a value.
extension ScenarioDecoder {
  func babAction(_ key: String, _ tree: YAMLTree) -> Step.UserAction? {
    switch key {
    case "assign role": return assignment(tree)
    case "join":
      if tree.isEmpty { return Step.UserAction(.init(BabAction.joinHost)) }
      return single(tree, "the host").map { Step.UserAction(.init(BabAction.joinHostAt(address: "")), about: $0) }
    default: return plainValue(key, tree).map { Step.UserAction(.init($0)) }
    }
  }

  private func plainValue(_ key: String, _ tree: YAMLTree) -> BabAction? {
    switch key {
    case "set scenario": text(tree, "the scenario").map { .setLobbyScenario($0) }
    case "set difficulty":
      choice(tree, "difficulty", from: BabVocabulary.difficulties).map { .setLobbyDifficulty($0) }
    case "request role": text(tree, "the role").map { .requestRole($0) }
    case "complete line": .some(Keys.completion.read(tree, self))
    case "propose vote": choice(tree, "vote", from: BabVocabulary.votes).map { .proposeVote($0) }
    case "vote": boolean(tree, "the vote").map { .castVote($0) }
    case "generate": text(tree, "the prompt").map { .generate(prompt: $0) }
    case "speak": text(tree, "what is spoken").map { .speak($0) }
    case "end solo": choice(tree, "“end solo”", from: ["save", "discard"]).map { .endSolo(save: $0 == "save") }
    default: nil
    }
  }

  /// The player is a device here; how it is called is known when the step is done.
  private func assignment(_ tree: YAMLTree) -> Step.UserAction? {
    guard let fields = fields(tree, .assignment) else { return nil }
    let player = required("player", fields, .assignment).flatMap { single($0, "“player”") }
    let role = required("role", fields, .assignment).flatMap { text($0, "“role”") }
    guard let player, let role else { return nil }
    return Step.UserAction(.init(BabAction.assignRole(player: "", role: role)), about: player)
  }
}
