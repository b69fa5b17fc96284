import AppSeam
public import Bench

extension ScenarioLanguage {
  /// Everything that scenario files may name where these protocols are known.
  public init(_ protocols: [AppProtocol]) {
    self.init(apps: protocols.map(\.app), engines: protocols.flatMap(\.mutants).map(\.name))
    programmable = protocols.filter { !$0.purposes.isEmpty || $0.app.takesPrograms }.map(\.name)
    glued = protocols.filter { $0.glue != nil }.map(\.name)
    for app in protocols {
      for mutant in app.mutants {
        engineOwners[mutant.name, default: []].append(EngineOwner(app: app.name, role: mutant.role))
      }
    }
  }
}

extension AppProtocol {
  /// What its people do in worlds that are drawn; nil: nobody draws worlds of it.
  package var worlds: (any AppWorlds)? { app.worlds }
  /// Whether `everyone` means its devices too.
  package var takesPart: Bool { app.takesPart }
}

extension [AppProtocol] {
  /// Makes the app of any device of a scenario, by the protocol that it speaks. It throws
  /// `AppProtocol.UnknownEngine` for a protocol that is not here, or an engine that it does not have.
  public var engines: EngineFactory {
    { name, configuration throws in
      guard let app = self.first(where: { $0.name == configuration.app }) else {
        throw AppProtocol.UnknownEngine(description: "unknown protocol \"\(configuration.app)\"")
      }
      return try app.makeEngine(name: name, configuration)
    }
  }

  /// The protocol of a scenario's first app; the first of all where it has none.
  package func spoken(in scenario: Scenario) -> AppProtocol {
    first { app in scenario.apps.contains { $0.app.name == app.name } } ?? self[0]
  }

  /// Judges a run of a scenario by all that is claimed of the protocols in it: a reader for `World.run`.
  public func judge(of scenario: Scenario) -> any RunJudge {
    let apps = filter { app in scenario.apps.contains { $0.app.name == app.name } }
    return JointJudge(
      apps.map { $0.makeOracleReader() }, breakdownClauses: apps.map { ($0.name, $0.breakdownClause) })
  }
}
