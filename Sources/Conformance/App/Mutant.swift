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
  /// Changes what the inner engine is told about its game; most mutants leave it alone.
  let adjust: @Sendable (inout AppConfiguration) -> Void
  let wrapped: @Sendable (any AppEngine, AppConfiguration) -> any AppEngine

  package init(
    _ name: String, _ role: AppRole, clause: String, failedBy oracle: String? = nil,
    _ summary: String,
    adjust: @escaping @Sendable (inout AppConfiguration) -> Void = { _ in },
    wrapped: @escaping @Sendable (any AppEngine, AppConfiguration) -> any AppEngine = { engine, _ in engine }
  ) {
    self.name = name
    self.clause = clause
    self.role = role
    self.summary = summary
    self.oracle = oracle
    self.adjust = adjust
    self.wrapped = wrapped
  }

  /// The defect around an engine; the engine must have been made with `configuration` after `adjusted`.
  public func wrap(_ engine: any AppEngine, configuration: AppConfiguration) -> any AppEngine {
    wrapped(engine, configuration)
  }

  /// The configuration the inner engine gets.
  public func adjusted(_ configuration: AppConfiguration) -> AppConfiguration {
    var adjusted = configuration
    adjust(&adjusted)
    return adjusted
  }
}
