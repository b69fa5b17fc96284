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

  var empty: String { "the file is empty; \(noun) needs at least \(least)" }
}
