public import AppSeam
public import Bench
public import CaptureCheck
public import SimKernel

/// Everything that the bench knows of one app's protocol above what a world needs: the one value by which commands,
/// runner and reports reach an app.
public struct AppProtocol: Sendable {
  /// What a world knows of it.
  public let app: any SimulatedApp
  /// For people: its name as its documents write it.
  public let title: String
  /// By number.
  public var clauses: [ClauseText] { deferredClauses.value.texts }
  public let exemptions: [ClauseExemption]
  /// The clause that whoever breaks down, or never comes to rest, has broken.
  public let breakdownClause: String
  /// Every test purpose there is, in the order in which reports list them.
  public var purposes: [TestPurpose] { deferredPurposes.value }
  public var mutants: [Mutant] { deferredMutants.value }
  /// Engines that are less than whole, which nobody may accuse of anything but what they leave out.
  public var partials: [PartialEngine] { deferredPartials.value }
  /// Which of the mutants are designs that published documents describe.
  public var designs: [PublishedDesign] { deferredDesigns.value }
  /// What an implementation can claim.
  public let ics: [ICS.Item]
  /// In the order in which reports list them.
  public let oracles: [OracleDescription]
  /// A reader that judges one run by all oracles.
  public let makeOracleReader: @Sendable () -> any RunJudge
  /// The engine that keeps every clause.
  public let makeReference: @Sendable (AppConfiguration) -> any AppEngine
  /// The published ways to speak it; the first is what an implementation is taken for that names none.
  public let profiles: [Profile]
  /// What the bench can do for an implementation that does not.
  public let assumedSteps: AssumedSteps
  /// The test bed of one case.
  public let makeBed: @Sendable (CaseSetup) -> TestBed
  public let chart: ChartWords
  /// The BLE half for an engine that is a library without a radio; nil: there is none, and every engine has its own.
  public let glue: EngineGlue?
  /// How its packets become values; nil: it has no packets of its own.
  public let framing: PacketFraming?
  /// What can be measured of its apps.
  public let milestones: AppMilestones
  /// What `babbench limits` asks of it.
  public let limits: [LimitQuestion]
  /// What `babbench figures` asks of it; nil: nothing.
  public let figures: ProtocolFigures?
  /// What finds it in captures; nil: captures cannot be judged by it.
  public let traffic: SpokenProtocol?
  /// How long after the last thing that was done to a device every claim of its oracles is due.
  public let everythingIsDue: SimDuration
  private let deferredClauses: Deferred<(texts: [ClauseText], places: [String: Int])>
  private let deferredPurposes: Deferred<[TestPurpose]>
  private let deferredMutants: Deferred<[Mutant]>
  private let deferredPartials: Deferred<[PartialEngine]>
  private let deferredDesigns: Deferred<[PublishedDesign]>

  /// A protocol without what it does not have: the arguments with defaults are for more than the least.
  ///
  /// - Parameters:
  ///   - app: what worlds and scenario files know of it.
  ///   - title: its name as its documents write it.
  ///   - clauses: what its documents ask for; purposes, mutants and oracles name them by their ids.
  ///   - breakdownClause: the id of the clause that whoever ends its program, or never rests, has broken; may be empty.
  ///   - makeOracleReader: a new reader that judges one run, for example an `OracleReader`.
  ///   - makeReference: a new engine that keeps every clause, for one launch of an app.
  ///   - makeBed: a test bed for one case; `TestBed($0, testers: [:])` where there are no purposes.
  ///   - traffic: what finds it in captures; nil: `check` and `inspect` do not know it.
  ///   - spoken: the same as a value, in place of `traffic`.
  ///   - everythingIsDue: how long after the last thing that was done to a device every claim of its oracles is due.
  public init(
    _ app: any SimulatedApp, title: String, clauses: @autoclosure @escaping @Sendable () -> [ClauseText],
    exemptions: [ClauseExemption], breakdownClause: String,
    purposes: @autoclosure @escaping @Sendable () -> [TestPurpose],
    mutants: @autoclosure @escaping @Sendable () -> [Mutant],
    partials: @autoclosure @escaping @Sendable () -> [PartialEngine] = [],
    designs: @autoclosure @escaping @Sendable () -> [PublishedDesign], ics: [ICS.Item], oracles: [OracleDescription],
    makeOracleReader: @escaping @Sendable () -> any RunJudge,
    makeReference: @escaping @Sendable (AppConfiguration) -> any AppEngine,
    profiles: [Profile] = [], assumedSteps: AssumedSteps = .none,
    makeBed: @escaping @Sendable (CaseSetup) -> TestBed, chart: ChartWords,
    traffic: (any TrafficProtocol.Type)?, spoken: SpokenProtocol? = nil, glue: EngineGlue? = nil,
    framing: PacketFraming? = nil, milestones: AppMilestones = .none, limits: [LimitQuestion] = [],
    figures: ProtocolFigures? = nil, everythingIsDue: SimDuration = .seconds(60)
  ) {
    self.everythingIsDue = everythingIsDue
    self.framing = framing
    self.milestones = milestones
    self.limits = limits
    self.figures = figures
    self.app = app
    self.title = title
    deferredClauses = Deferred {
      let texts = clauses()
      return (texts, Dictionary(texts.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { $1 }))
    }
    self.exemptions = exemptions
    self.breakdownClause = breakdownClause
    deferredPurposes = Deferred(purposes)
    deferredMutants = Deferred(mutants)
    deferredPartials = Deferred(partials)
    deferredDesigns = Deferred(designs)
    self.ics = ics
    self.oracles = oracles
    self.makeOracleReader = makeOracleReader
    self.makeReference = makeReference
    self.profiles = profiles
    self.assumedSteps = assumedSteps
    self.makeBed = makeBed
    self.chart = chart
    self.traffic = spoken ?? traffic.map { SpokenProtocol($0) }
    self.glue = glue
  }

  /// As it is written on a command line.
  public var name: String { app.name }
  /// Whether a file or a command line means it: by its name, or by the path of its file as it was written.
  public func isCalled(_ word: String) -> Bool { name == word || app.spellings.contains(word) }
  /// In the order of lists; devices of the first role stand first in the scenario of a case.
  public var roles: [AppRole] { app.roles.map(\.role) }
  public var dialects: [DialectName] { app.dialects }
  /// The dialect in which mutants are tried and purposes explained, where they apply to it.
  public var mainDialect: DialectName { app.defaultDialect }

  /// What an app is told when no scenario says anything.
  public func configuration(
    _ role: AppRole, _ dialect: DialectName, peerID: String, displayName: String
  ) -> AppConfiguration {
    AppConfiguration(
      device: 0, app: name, role: role, dialect: dialect, peerID: peerID, displayName: displayName, seed: 0,
      settings: app.settings(nil, ScenarioDecoder(file: "")))
  }

  /// Nil for what is no clause of this protocol, for example one of the Core Specification.
  public func clause(_ id: String) -> ClauseText? {
    let clauses = deferredClauses.value
    return clauses.places[id].map { clauses.texts[$0] }
  }

  /// What `--assume` knows, in the order in which the protocol takes the steps.
  public var stepNames: [String] { steps.map(\.name) }

  /// The steps that the bench can take for an implementation.
  public var steps: [AssumedStep] { assumedSteps.all }

  public func purpose(_ id: String) -> TestPurpose? { purposes.first { $0.id == id } }

  public func profile(_ name: String) -> Profile? { profiles.first { $0.name == name } }

  /// The purposes for engines of a role.
  public func purposes(role: AppRole) -> [TestPurpose] { purposes.filter { $0.role == role } }

  public func mutant(_ name: String) -> Mutant? { mutants.first { $0.name == name } }

  /// The main dialect, or the first one that a purpose applies to.
  public func dialect(for purpose: TestPurpose) -> DialectName {
    purpose.dialects.contains(mainDialect) ? mainDialect : purpose.dialects[0]
  }
}
