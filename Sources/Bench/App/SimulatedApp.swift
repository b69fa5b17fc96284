public import AppSeam

/// What a world and its scenarios need to know of an app's protocol; another protocol is another of these.
///
/// Engines come from elsewhere (`EngineFactory`), because mutants of an app are nothing that a world knows of.
public protocol SimulatedApp: Sendable {
  /// As scenarios and the command line write it: lower case, one word.
  var name: String { get }
  /// How scenario files and the command line write it besides: the path of a protocol file, as it was written.
  var spellings: [String] { get }
  /// In the order in which reports list them.
  var roles: [RoleDescription] { get }
  /// The published ways to write its packets, at least one.
  var dialects: [DialectName] { get }
  /// One of `dialects`: what is spoken where a scenario names none.
  var defaultDialect: DialectName { get }
  /// Whether `everyone` means its devices too; false for those that are only in the room.
  var takesPart: Bool { get }
  /// Whether its apps speak over a network; a scenario that says nothing of one has an ideal one then.
  var usesNetwork: Bool { get }
  /// Whether a program may be one of its apps though it has no test purposes; where it has, one may.
  var takesPrograms: Bool { get }
  /// What its apps show.
  var reports: any AppStatement.Type { get }
  /// What its people do.
  var actions: any AppStatement.Type { get }

  /// The member that holds its settings in what a program is told (Docs/Formats/iut-protocol.md); nil: it has none.
  var settingsMember: StaticString? { get }
  /// Its words in scenario files.
  var words: AppWords { get }
  /// What all apps of a run know.
  /// - Parameter tree: the value of `words.settingsKey`; nil when the file has none.
  func settings(_ tree: YAMLTree?, _ decoder: ScenarioDecoder) -> AppSettings
  /// What of the settings a run prints as its options.
  func options(_ settings: AppSettings) -> [TraceHeader.Option]
  /// What the app of one device knows in place of `settings`, from its own keys (`words.deviceKeys`); nil: nothing.
  /// - Parameters:
  ///   - device: as far as its other keys say it; its phone and its address may be changed.
  ///   - fields: all keys of the device.
  func settings(
    of device: inout Device, _ fields: ScenarioDecoder.Fields, _ decoder: ScenarioDecoder
  ) -> AppSettings?
  /// What people should know of settings of a device before they trust a run, a line each.
  func remarks(on settings: AppSettings) -> [String]
  /// An action that takes no value; nil when the word is none of this app's.
  func action(_ word: String) -> Step.UserAction?
  /// An action with somebody to lead those who do it, where there are other leaders in the room.
  func action(_ action: Step.UserAction, towards leader: Int) -> Step.UserAction
  /// An action with a value, one of `words.actions`; nil after noting what is wrong.
  func action(_ key: String, _ value: YAMLTree, _ decoder: ScenarioDecoder) -> Step.UserAction?
  /// An action that names another device, now that it is known how that one is called in the run.
  func action(_ action: AppAction, about peer: PeerNames) -> AppAction
  /// What the words of a predicate say, fillers such as “is” left out; nil when this app has no such predicate.
  func fact(_ words: [String]) -> AppFact?
  /// What is wrong with words that begin as a predicate of this app does, and what to write instead; nil: nothing, or
  /// they are none of its words.
  /// - Parameter roles: those of the devices of which they are said; empty: nobody knows.
  func problem(with words: [String], of roles: [AppRole]) -> String?

  /// Keeps what the apps of a run show.
  func makeFacts(_ cast: AppCast, settings: AppSettings) -> any AppFacts
  /// The people at the devices who act on their own; nil when nobody does.
  func makePeople(_ scenario: Scenario, settings: AppSettings, seed: UInt64) -> (any AppPeople)?

  /// What its people do in worlds that are drawn; nil: nobody draws worlds of it.
  var worlds: (any AppWorlds)? { get }
}

extension SimulatedApp {
  /// None.
  public var spellings: [String] { [] }
  /// False.
  public var usesNetwork: Bool { false }
  /// False.
  public var takesPrograms: Bool { false }
  /// Nothing.
  public func settings(
    of device: inout Device, _ fields: ScenarioDecoder.Fields, _ decoder: ScenarioDecoder
  ) -> AppSettings? { nil }
  /// None.
  public func remarks(on settings: AppSettings) -> [String] { [] }
  /// None.
  public func problem(with words: [String], of roles: [AppRole]) -> String? { nil }
  /// None.
  public var worlds: (any AppWorlds)? { nil }
  /// The action as it is: it names nobody.
  public func action(_ action: Step.UserAction, towards leader: Int) -> Step.UserAction { action }

  /// The role that scenario files call by this name; nil: there is none.
  public func role(named name: String) -> RoleDescription? { roles.first { $0.role.rawValue == name } }
  /// How a role is called; nil for one of another protocol.
  public func description(of role: AppRole) -> RoleDescription? { roles.first { $0.role == role } }
}

/// One role of a protocol.
public struct RoleDescription: Hashable, Sendable {
  public var role: AppRole
  /// `clients`: scenarios say `all clients`.
  public var plural: String
  /// Others join it; a lobby has at most one of these.
  public var leads: Bool

  /// As scenarios call one device of the role, and all of them.
  public init(_ role: AppRole, plural: String, leads: Bool) {
    self.role = role
    self.plural = plural
    self.leads = leads
  }
}

/// The words that an app brings into scenario files.
public struct AppWords: Sendable {
  /// The key at the top of a scenario that holds its settings; nil when it has none.
  public var settingsKey: KeyTable.Key?
  /// Keys that its devices have and those of other protocols do not.
  public var deviceKeys: [KeyTable.Key] = []
  /// Tables that its keys name.
  public var tables: [KeyTable] = []
  /// Actions that take no value.
  public var plainActions: [String] = []
  /// Actions with a value.
  public var actions: [KeyTable.Key] = []
  /// The roles in which actions can be done, by their first words; those that are not here go with any role.
  public var rolesOfActions: [String: [AppRole]] = [:]
  /// One spelling of every predicate, for messages.
  public var predicates: [String] = []
  /// Things that can be counted, and other last words of predicates, for messages.
  public var counted: [String] = []

  /// No words at all.
  public init() {}
}

/// How a device is called in a run.
public struct PeerNames: Hashable, Sendable {
  /// Nil before its app has said so.
  public var peerID: String?
  /// As advertisers show it.
  public var address: String
}
