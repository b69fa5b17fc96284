public import AppSeam

/// Engines by name, as scenarios and commands ask for them.
extension AppProtocol {
  /// The engine that keeps every clause.
  public static let reference = "reference"

  /// A name that is neither `reference` nor a mutant, or a mutant of the other role.
  public struct UnknownEngine: Error, CustomStringConvertible {
    public var description: String
  }

  /// Every name there is for a role, the reference first.
  public func engineNames(role: AppRole) -> [String] {
    [Self.reference] + mutants.filter { $0.role == role }.map(\.name)
  }

  /// How to make an engine of that name and role, as often as one is needed.
  public func engineMaker(
    name: String, role: AppRole
  ) throws(UnknownEngine) -> @Sendable (AppConfiguration) -> any AppEngine {
    if name == Self.reference { return makeReference }
    guard let mutant = mutant(name) else {
      throw UnknownEngine(
        description: "no engine is called \"\(name)\"; there is reference, and babbench list --mutants shows the others"
      )
    }
    guard mutant.role == role else {
      throw UnknownEngine(description: "engine \"\(name)\" is a \(mutant.role.rawValue), not a \(role.rawValue)")
    }
    return mutant.makeEngine
  }

  public func makeEngine(name: String, _ configuration: AppConfiguration) throws(UnknownEngine) -> any AppEngine {
    try engineMaker(name: name, role: configuration.role)(configuration)
  }
}
