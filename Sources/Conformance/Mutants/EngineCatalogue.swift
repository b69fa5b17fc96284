public import BabSim

/// Makes engines by name, as scenarios ask for them.
public enum EngineCatalogue {
  /// The engine that keeps every clause.
  public static let reference = "reference"

  /// A name that is neither `reference` nor a mutant, or a mutant of the other role.
  public struct UnknownEngine: Error, CustomStringConvertible {
    public var description: String
  }

  /// Every name there is for a role, the reference first.
  public static func names(role: AppRole) -> [String] {
    [reference] + Mutants.all.filter { $0.role == role }.map(\.name)
  }

  /// How to make an engine of that name and role, as often as one is needed.
  public static func maker(
    name: String, role: AppRole
  ) throws(UnknownEngine) -> @Sendable (BabConfiguration) -> any AppEngine {
    if name == reference { return { makeReference(role, $0) } }
    guard let mutant = Mutants.named(name) else {
      throw UnknownEngine(
        description: "no engine is called \"\(name)\"; there is reference, and babbench list --mutants shows the others"
      )
    }
    guard mutant.role == role else {
      throw UnknownEngine(description: "engine \"\(name)\" is a \(mutant.role.rawValue), not a \(role.rawValue)")
    }
    return maker(mutant)
  }

  /// How to make a mutant.
  static func maker(_ mutant: Mutant) -> @Sendable (BabConfiguration) -> any AppEngine {
    { configuration in
      let adjusted = mutant.adjusted(configuration)
      return mutant.wrap(makeReference(mutant.role, adjusted), configuration: adjusted)
    }
  }

  public static func makeEngine(
    name: String, role: AppRole, configuration: BabConfiguration
  ) throws(UnknownEngine) -> any AppEngine {
    try maker(name: name, role: role)(configuration)
  }

  static func makeReference(_ role: AppRole, _ configuration: BabConfiguration) -> any AppEngine {
    switch role {
    case .host: HostEngine(configuration: configuration)
    case .client: ClientEngine(configuration: configuration)
    }
  }
}
