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

  /// What a file is that is read as a scenario and is none, by its keys, and what to do with it; nil: it may be one.
  static func otherThanScenario(_ tree: YAMLTree) -> String? {
    guard case .mapping(let entries) = tree.value else { return nil }
    let keys = Set(entries.map(\.key))
    if keys.contains("devices") { return nil }
    if keys.contains("protocol"), !keys.isDisjoint(with: ["packets", "services"]) {
      return
        "this is a protocol file and no scenario; write one that names it with “protocol:” (babbench protocol new),"
        + " or read it with babbench protocol explain"
    }
    if keys.contains("role"), !keys.isDisjoint(with: ["command", "builtin"]) {
      return "this is a description of an implementation and no scenario; give it to babbench conform --iut, or write"
        + " its command after “app:” of a device"
    }
    return nil
  }

  var empty: String { "the file is empty; \(noun) needs at least \(least)" }
}
