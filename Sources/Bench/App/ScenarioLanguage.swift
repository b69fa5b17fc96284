/// The protocols and engines that scenario files may name.
public struct ScenarioLanguage: Sendable {
  /// The first is spoken where a device names none.
  package let apps: [any SimulatedApp]
  /// Engines besides `reference`; empty: any name is taken, and whoever runs the scenario decides.
  public var engines: [String]
  package let tables: ScenarioTables
  /// What is wrong with a text that should be a claim about measures; nil: nothing. The layer that measures knows.
  package var claimRefusal: @Sendable (String) -> String? = { _ in nil }

  package init(apps: [any SimulatedApp], engines: [String] = []) {
    self.apps = apps
    self.engines = engines
    tables = ScenarioTables(apps)
  }

  /// No protocol: rooms of bare controllers only.
  public static let bare = ScenarioLanguage(apps: [])

  package func app(named name: String) -> (any SimulatedApp)? { apps.first { $0.name == name } }
}
