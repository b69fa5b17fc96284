import AppSeam
import Bench

/// An app of which the bench knows no protocol: it has the words of the platform and no others.
struct WordlessApp: SimulatedApp {
  let name = "phone"
  let roles = [RoleDescription(RoomOpening.phone, plural: "phones", leads: false)]
  let dialects = [DialectName(rawValue: "plain")]
  var defaultDialect: DialectName { dialects[0] }
  let takesPart = false
  var reports: any AppStatement.Type { NoWords.self }
  var actions: any AppStatement.Type { NoWords.self }
  var settingsMember: StaticString? { nil }
  let words = AppWords()

  func settings(_ tree: YAMLTree?, _ decoder: ScenarioDecoder) -> AppSettings { AppSettings(NoSettings.empty) }
  func options(_ settings: AppSettings) -> [TraceHeader.Option] { [] }
  func action(_ word: String) -> Step.UserAction? { nil }
  func action(_ key: String, _ value: YAMLTree, _ decoder: ScenarioDecoder) -> Step.UserAction? { nil }
  func action(_ action: AppAction, about peer: PeerNames) -> AppAction { action }
  func fact(_ words: [String]) -> AppFact? { nil }
  func makeFacts(_ cast: AppCast, settings: AppSettings) -> any AppFacts { NoFacts() }
  func makePeople(_ scenario: Scenario, settings: AppSettings, seed: UInt64) -> (any AppPeople)? { nil }
}

/// Nothing is known of it but what is known of every device.
private final class NoFacts: AppFacts {
  let readsValues = false
  func read(_ input: AppInput, device: Int, peer: Int?) {}
  func read(_ report: AppReport, device: Int) {}
  func peerID(of device: Int) -> String? { nil }
  func holds(_ fact: AppFact, device: Int) -> Bool { false }
  func detail(_ fact: AppFact, device: Int) -> String { "" }
  func columns(of device: Int) -> [RunOutcome.Column] { [] }
}
