package import AppSeam
public import Bench

/// Bab as worlds and scenarios know it.
package struct BabApp: SimulatedApp {
  package static let name = "bab"

  package init() {}

  package var name: String { Self.name }
  package let roles = [
    RoleDescription(.host, plural: "hosts", leads: true),
    RoleDescription(.client, plural: "clients", leads: false),
  ]
  package var dialects: [DialectName] { DialectName.bab }
  package var defaultDialect: DialectName { .sdk }
  package var takesPart: Bool { true }
  package var reports: any AppStatement.Type { BabReport.self }
  package var actions: any AppStatement.Type { BabAction.self }
  package var settingsMember: StaticString? { "game" }
  package let words = BabVocabulary.words

  package func settings(_ tree: YAMLTree?, _ decoder: ScenarioDecoder) -> AppSettings {
    AppSettings(tree.map(decoder.game) ?? GameSettings())
  }

  package func options(_ settings: AppSettings) -> [TraceHeader.Option] {
    guard let game = settings.record as? GameSettings else { return [] }
    return [TraceHeader.Option(key: "game.lines", value: String(game.totalLines))]
  }

  package func action(_ word: String) -> Step.UserAction? {
    BabVocabulary.plainActions.first { $0.word == word }.map { Step.UserAction(AppAction($0.action)) }
  }

  package func action(_ action: Step.UserAction, towards leader: Int) -> Step.UserAction {
    guard case .joinHost = action.action.bab else { return action }
    return Step.UserAction(AppAction(BabAction.joinHostAt(address: "")), about: leader)
  }

  package func action(_ key: String, _ value: YAMLTree, _ decoder: ScenarioDecoder) -> Step.UserAction? {
    decoder.babAction(key, value)
  }

  package func action(_ action: AppAction, about peer: PeerNames) -> AppAction {
    switch action.bab {
    case .assignRole(_, let role): AppAction(BabAction.assignRole(player: peer.peerID ?? "", role: role))
    case .joinHostAt: AppAction(BabAction.joinHostAt(address: peer.address))
    default: action
    }
  }

  package func fact(_ words: [String]) -> AppFact? { BabFact(words).map { AppFact($0) } }

  package func makeFacts(_ cast: AppCast, settings: AppSettings) -> any AppFacts {
    BabFacts(cast, (settings.record as? GameSettings)?.autoplay)
  }

  package func makePeople(_ scenario: Scenario, settings: AppSettings, seed: UInt64) -> (any AppPeople)? {
    guard let autoplay = (settings.record as? GameSettings)?.autoplay else { return nil }
    return BabPeople(autoplay, scenario.devices, seed: seed)
  }

  package var worlds: (any AppWorlds)? { BabWorlds() }
}

extension ScenarioLanguage {
  /// Scenarios in which Bab is played, and nothing else.
  /// - Parameter engines: those besides `reference`; empty: any name is taken.
  public static func bab(engines: [String] = []) -> ScenarioLanguage {
    ScenarioLanguage(apps: [BabApp()], engines: engines)
  }
}

extension Scenario {
  /// What is played in this scenario; to be set only where devices play Bab.
  public var game: GameSettings {
    get { settings(of: BabApp.name)?.record as? GameSettings ?? GameSettings() }
    set { set(AppSettings(newValue), of: BabApp()) }
  }

  /// A scenario in which every device plays Bab: those of role `host` lead.
  public static func bab(name: String, devices: [Device]) -> Scenario {
    var scenario = Scenario(name: name, devices: devices.playing(BabApp(), ledBy: .host))
    scenario.dialect = .sdk
    scenario.game = GameSettings()
    return scenario
  }
}
