public import BabSim
public import Judging

/// Somebody's engine, and what is known about it before it is tested.
///
/// One engine is made for every launch of the app, so each case starts a fresh one. Three ways lead here: a Swift type
/// in process, a child process that speaks `Docs/Formats/iut-protocol.md`, a built-in engine by name.
public struct ImplementationUnderTest: Sendable {
  /// For reports; unique among those tested together.
  public var name: String
  public var role: AppRole
  /// The dialects it is to be tested in.
  public var dialects: [DialectName]
  public var ics: ICS
  public var waivers: [Waiver] = []
  /// Where it comes from, for people: a command line, `built in`, a Swift type.
  public var origin = "built in"
  /// Makes the app for one launch. Whatever can go wrong shows in `FallibleEngine.failure`.
  public var makeEngine: @Sendable (BabConfiguration) -> any AppEngine

  public init(
    name: String, role: AppRole, dialects: [DialectName], ics: ICS = .everything,
    makeEngine: @escaping @Sendable (BabConfiguration) -> any AppEngine
  ) {
    self.name = name
    self.role = role
    self.dialects = dialects
    self.ics = ics
    self.makeEngine = makeEngine
  }

  /// A built-in engine: the reference or a mutant.
  /// - Throws: for a name that is not in the catalogue, or is of the other role.
  public static func builtIn(
    _ name: String, role: AppRole, dialects: [DialectName] = DialectName.allCases
  ) throws(EngineCatalogue.UnknownEngine) -> Self {
    let make = try EngineCatalogue.maker(name: name, role: role)
    return Self(name: name, role: role, dialects: dialects, makeEngine: make)
  }

  /// The engine that keeps every clause.
  static func reference(_ role: AppRole) -> Self {
    Self(name: EngineCatalogue.reference, role: role, dialects: DialectName.allCases) {
      EngineCatalogue.makeReference(role, $0)
    }
  }

  static func mutant(_ mutant: Mutant) -> Self {
    Self(
      name: mutant.name, role: mutant.role, dialects: DialectName.allCases, makeEngine: EngineCatalogue.maker(mutant))
  }
}
