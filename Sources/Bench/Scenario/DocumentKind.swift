/// What a YAML file is meant to be, for messages.
package struct DocumentKind: Sendable {
  /// With its article: `a scenario`.
  package var noun: String
  /// Without: `scenario`.
  package var word: String
  /// What it needs at least.
  package var least: String
  /// What to do when the file is not there.
  package var whereToLook: String

  package init(noun: String, word: String, least: String, whereToLook: String) {
    self.noun = noun
    self.word = word
    self.least = least
    self.whereToLook = whereToLook
  }

  package static let scenario = DocumentKind(
    noun: "a scenario", word: "scenario", least: "“devices:” with a device in it",
    whereToLook: "“babbench list” shows the scenarios that are shipped")

  /// What a file of another kind is, by its keys, and what to do with it; nil: it may be of this kind.
  package func mistake(_ tree: YAMLTree) -> String? {
    guard case .mapping(let entries) = tree.value else { return nil }
    let keys = Set(entries.map(\.key))
    let found: String
    let remedy: String
    if keys.contains("devices") {
      (found, remedy) = (DocumentKind.scenario.noun, "babbench run plays it")
    } else if keys.contains("protocol"), !keys.isDisjoint(with: ["packets", "services"]) {
      found = "a protocol file"
      remedy = "babbench protocol explain reads it, and scenarios and descriptions name it: protocol: ./FILE"
    } else if keys.contains("role"), !keys.isDisjoint(with: ["command", "builtin"]) {
      found = "a description"
      remedy = "babbench conform --iut takes it, and a scenario has its command after “app:” of a device"
    } else {
      return nil
    }
    return found == noun ? nil : "this is \(found) and not \(noun); \(remedy)"
  }

  var empty: String { "the file is empty; \(noun) needs at least \(least)" }
}
