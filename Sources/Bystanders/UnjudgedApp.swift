package import AppSeam
package import Bench

/// An app of which nothing is claimed: it has one dialect, its people do nothing, and `everyone` does not mean its
/// devices.
package protocol UnjudgedApp: SimulatedApp {}

extension UnjudgedApp {
  package var dialects: [DialectName] { [DialectName(rawValue: "plain")] }
  package var defaultDialect: DialectName { dialects[0] }
  package var takesPart: Bool { false }
  package var actions: any AppStatement.Type { NoWords.self }
  package var settingsMember: StaticString? { nil }
  package func options(_ settings: AppSettings) -> [TraceHeader.Option] { [] }
  package func action(_ word: String) -> Step.UserAction? { nil }
  package func action(_ key: String, _ value: YAMLTree, _ decoder: ScenarioDecoder) -> Step.UserAction? { nil }
  package func action(_ action: AppAction, about peer: PeerNames) -> AppAction { action }
  package func makePeople(_ scenario: Scenario, settings: AppSettings, seed: UInt64) -> (any AppPeople)? { nil }
}
