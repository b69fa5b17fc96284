public import AppSeam
public import Bench
public import Judging
public import VirtualRadio

/// Somebody's engine, and what is known about it before it is tested.
///
/// One engine is made for every launch of the app, so each case starts a fresh one. Three ways lead here: a Swift type
/// in process, a child process that speaks `Docs/Formats/iut-protocol.md`, a built-in engine by name.
public struct ImplementationUnderTest: Sendable {
  public let app: AppProtocol
  /// For reports; unique among those tested together.
  public var name: String
  public var role: AppRole
  /// The dialects it is to be tested in.
  public var dialects: [DialectName]
  public var ics: ICS
  /// The published way that it speaks; nil: the protocol's first, or the protocol has none.
  public var profile: Profile?
  /// What its engines are connected by.
  public var seam = EngineSeam.ble
  public var waivers: [Waiver] = []
  /// The phone that it runs on; nil: an ideal one.
  public var phone: PhonePreset?
  /// Where it comes from, for people: a command line, `built in`, a Swift type.
  public var origin = "built in"
  /// Makes the engine for one launch. Whatever can go wrong shows in `FallibleEngine.failure`.
  public var makeEngine: @Sendable (AppConfiguration) -> any AppEngine

  /// - Parameters:
  ///   - app: whose protocol it speaks.
  ///   - dialects: nil: all there are.
  ///   - ics: nil: it claims everything.
  public init(
    of app: AppProtocol, name: String, role: AppRole, dialects: [DialectName]? = nil, ics: ICS? = nil,
    makeEngine: @escaping @Sendable (AppConfiguration) -> any AppEngine
  ) {
    self.app = app
    self.name = name
    self.role = role
    self.dialects = dialects ?? app.dialects
    self.ics = ics.map(app.ordered) ?? app.everything
    self.makeEngine = makeEngine
  }

  /// The app for one launch, with the BLE half around it where it has none of its own.
  package func makeApp(_ configuration: AppConfiguration) -> any AppEngine {
    let engine = makeEngine(configuration)
    guard seam == .messages, let glue = app.glue else { return engine }
    return LayeredEngine(around: engine, whole: glue.make(engine, configuration))
  }

  /// A built-in engine: the reference or a mutant.
  /// - Throws: for a name that is not in the catalogue, or is of the other role.
  public static func builtIn(
    _ name: String, of app: AppProtocol, role: AppRole, dialects: [DialectName]? = nil
  ) throws(AppProtocol.UnknownEngine) -> Self {
    let make = try app.engineMaker(name: name, role: role)
    var implementation = Self(of: app, name: name, role: role, dialects: dialects, makeEngine: make)
    let design = app.designs.first { $0.engine == name }
    if let profile = design?.profile.flatMap(app.profile) {
      implementation.follow(profile, inAllItsDialects: dialects == nil)
    }
    return implementation
  }

  /// Speaks a published way from now on.
  public mutating func follow(_ profile: Profile, inAllItsDialects: Bool) {
    self.profile = profile
    // What a description or a hello claims goes before what documents let expect.
    if ics == app.everything, let usual = profile.ics { ics = app.ordered(usual) }
    if inAllItsDialects { dialects = profile.dialects }
  }

  /// The engine that keeps every clause.
  package static func reference(_ role: AppRole, of app: AppProtocol) -> Self {
    Self(of: app, name: AppProtocol.reference, role: role, makeEngine: app.makeReference)
  }

  package static func mutant(_ mutant: Mutant, of app: AppProtocol) -> Self {
    Self(of: app, name: mutant.name, role: mutant.role, makeEngine: mutant.makeEngine)
  }
}
