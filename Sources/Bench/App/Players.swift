public import AppSeam

/// App protocols with their engines by name, as one value: whoever makes a room plays with them and depends on none.
///
/// The suite of a protocol has one with the reference, all mutants and the judge, and `Players([…])` of `Conformance`
/// holds several protocols. The target of a protocol's engines has one that needs no suite, with the reference only:
/// nobody judges then.
public struct Players: Sendable {
  /// What scenario files may name.
  package let language: ScenarioLanguage
  /// Makes the app of any device, by its protocol and the engine's name.
  package let engines: EngineFactory
  /// Judges a run of a scenario; nil: nobody does.
  package let makeReferee: (@Sendable (Scenario) -> any Referee)?
  /// Starts the programs of a world; nil: scenarios have none.
  package let makePrograms: (@Sendable () -> any WorldPrograms)?

  package init(
    language: ScenarioLanguage, engines: @escaping EngineFactory,
    makeReferee: (@Sendable (Scenario) -> any Referee)? = nil,
    makePrograms: (@Sendable () -> any WorldPrograms)? = nil
  ) {
    self.language = language
    self.engines = engines
    self.makeReferee = makeReferee
    self.makePrograms = makePrograms
  }

  /// One protocol with the engine that keeps every clause, and no other.
  public init(reference app: any SimulatedApp, make: @escaping @Sendable (AppConfiguration) -> any AppEngine) {
    self.init(
      language: ScenarioLanguage(apps: [app], engines: [ScenarioLanguage.reference]),
      engines: { _, configuration in make(configuration) })
  }

  /// The protocols, as scenario files name them.
  public var names: [String] { language.apps.map(\.name) }

  /// The engines for a role of a protocol, the reference first.
  public func engines(of app: String, role: String) -> [String] {
    let owner = ScenarioLanguage.EngineOwner(app: app, role: AppRole(rawValue: role))
    let mutants = language.engines.filter { language.engineOwners[$0]?.contains(owner) ?? false }
    return [ScenarioLanguage.reference] + mutants
  }
}
