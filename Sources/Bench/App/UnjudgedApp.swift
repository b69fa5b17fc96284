package import AppSeam

/// An app of which nothing is claimed: it has one dialect, its people do nothing, `everyone` does not mean its devices,
/// and unless it says otherwise it has the words of the platform and no others.
package protocol UnjudgedApp: SimulatedApp {}

extension UnjudgedApp {
  package var dialects: [DialectName] { [DialectName(rawValue: "plain")] }
  package var defaultDialect: DialectName { dialects[0] }
  package var takesPart: Bool { false }
  package var reports: any AppStatement.Type { NoWords.self }
  package var actions: any AppStatement.Type { NoWords.self }
  package var settingsMember: StaticString? { nil }
  package func options(_ settings: AppSettings) -> [TraceHeader.Option] { [] }
  package func action(_ word: String) -> Step.UserAction? { nil }
  package func action(_ key: String, _ value: YAMLTree, _ decoder: ScenarioDecoder) -> Step.UserAction? { nil }
  package func action(_ action: AppAction, about peer: PeerNames) -> AppAction { action }
  package func fact(_ words: [String]) -> AppFact? { nil }
  package func makeFacts(_ cast: AppCast, settings: AppSettings) -> any AppFacts { NoFacts() }
  package func makePeople(_ scenario: Scenario, settings: AppSettings, seed: UInt64) -> (any AppPeople)? { nil }
}

/// Nothing is known of a device but what is known of every device.
private final class NoFacts: AppFacts {
  let readsValues = false
  func read(_ input: AppInput, device: Int, peer: Int?) {}
  func read(_ report: AppReport, device: Int) {}
  func peerID(of device: Int) -> String? { nil }
  func holds(_ fact: AppFact, device: Int) -> Bool { false }
  func detail(_ fact: AppFact, device: Int) -> String { "" }
  func columns(of device: Int) -> [RunOutcome.Column] { [] }
}
