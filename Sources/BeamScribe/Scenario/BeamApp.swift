package import AppSeam
package import Bench

/// BeamScribe as worlds and scenarios know it.
package struct BeamApp: SimulatedApp {
  package static let name = "beamscribe"
  /// The option that says when a host advertises, and its value for as long as a seat is free.
  package static let advertisesOption = "beamscribe.host advertises"
  package static let freeSeats = "free seats"

  package init() {}

  package var name: String { Self.name }
  package let roles = [
    RoleDescription(.beamHost, plural: "hosts", leads: true),
    RoleDescription(.beamGuest, plural: "guests", leads: false),
  ]
  package let dialects: [DialectName] = [.beamNetwork, .beamMPC]
  package var defaultDialect: DialectName { .beamNetwork }
  package var takesPart: Bool { true }
  package var usesNetwork: Bool { true }
  package var reports: any AppStatement.Type { BeamReport.self }
  package var actions: any AppStatement.Type { BeamAction.self }
  package var settingsMember: StaticString? { "beamscribe" }
  package let words = BeamVocabulary.words

  package func settings(_ tree: YAMLTree?, _ decoder: ScenarioDecoder) -> AppSettings {
    AppSettings(tree.map { Keys.beamScribe.read($0, decoder) } ?? BeamSettings())
  }

  package func options(_ settings: AppSettings) -> [TraceHeader.Option] {
    guard let settings = settings.record as? BeamSettings else { return [] }
    return [
      TraceHeader.Option(
        key: Self.advertisesOption, value: settings.advertisesFreeSeats ? Self.freeSeats : "first guest"),
      TraceHeader.Option(key: "beamscribe.sent timestamp", value: settings.writesSentTimestamp ? "yes" : "no"),
    ]
  }

  package func action(_ word: String) -> Step.UserAction? {
    BeamVocabulary.plainActions.first { $0.word == word }.map { Step.UserAction(AppAction($0.action)) }
  }

  /// Where several events go on side by side, guests join that of their own host.
  package func action(_ action: Step.UserAction, towards leader: Int) -> Step.UserAction {
    guard action.action.beam == .join else { return action }
    return Step.UserAction(AppAction(BeamAction.joinEvent(name: "")), about: leader)
  }

  package func action(_ key: String, _ value: YAMLTree, _ decoder: ScenarioDecoder) -> Step.UserAction? {
    decoder.beamAction(key, value)
  }

  /// A host calls itself as its event is called.
  package func action(_ action: AppAction, about peer: PeerNames) -> AppAction {
    guard case .joinEvent = action.beam, let name = peer.peerID else { return action }
    return AppAction(BeamAction.joinEvent(name: name))
  }

  package func fact(_ words: [String]) -> AppFact? { BeamFact(words).map { AppFact($0) } }

  package func makeFacts(_ cast: AppCast, settings: AppSettings) -> any AppFacts { BeamFacts(cast) }

  package func makePeople(_ scenario: Scenario, settings: AppSettings, seed: UInt64) -> (any AppPeople)? {
    guard let speech = (settings.record as? BeamSettings)?.speech else { return nil }
    return BeamSpeakers(speech, scenario.devices, seed: seed)
  }

  package var worlds: (any AppWorlds)? { BeamWorlds() }
}

extension ScenarioLanguage {
  /// Scenarios in which BeamScribe is used, and nothing else.
  /// - Parameter engines: those besides `reference`; empty: any name is taken.
  package static func beamScribe(engines: [String] = []) -> ScenarioLanguage {
    ScenarioLanguage(apps: [BeamApp()], engines: engines)
  }
}

extension Scenario {
  /// How the apps of this scenario are set; to be set only where devices have BeamScribe.
  package var beamScribe: BeamSettings {
    get { settings(of: BeamApp.name)?.record as? BeamSettings ?? BeamSettings() }
    set { set(AppSettings(newValue), of: BeamApp()) }
  }
}
