public import AppSeam

/// A named defect: a reference engine with one clause broken, which a judge must fail.
public struct Mutant: Sendable {
  /// Lower case with hyphens, as scenarios and options name engines.
  public let name: String
  /// The clause of its protocol that it breaks.
  public let clause: String
  public let role: AppRole
  public let summary: String
  /// The id of the oracle that must fail it in a whole game; nil where only test purposes do.
  public let oracle: String?
  /// Makes the engine with the defect.
  public let makeEngine: @Sendable (AppConfiguration) -> any AppEngine
  /// What its protocol made it of, for engines with several defects.
  public let parts: (any Sendable)?

  /// - Parameters:
  ///   - clause: the id of the clause that it breaks.
  ///   - oracle: the id of the oracle that must fail it in a whole game; nil where only test purposes do.
  ///   - summary: one sentence: what it does wrong.
  public init(
    _ name: String, _ role: AppRole, clause: String, failedBy oracle: String?, _ summary: String,
    parts: (any Sendable)? = nil, makeEngine: @escaping @Sendable (AppConfiguration) -> any AppEngine
  ) {
    self.name = name
    self.clause = clause
    self.role = role
    self.summary = summary
    self.oracle = oracle
    self.parts = parts
    self.makeEngine = makeEngine
  }
}
