import AppSeam
import BabSim
package import Conformance

/// What a defect of Bab is made of: something else told to the reference engine, and something put around it.
struct BabDefect: Sendable {
  /// Changes what the inner engine is told about its game; most leave it alone.
  let adjust: @Sendable (inout BabConfiguration) -> Void
  /// Puts the defect around an engine; it is handed what the engine was told.
  let wrapped: @Sendable (any AppEngine, BabConfiguration) -> any AppEngine
}

extension Mutant {
  /// A reference engine of Bab with a defect around it, or with something else told to it.
  /// - Parameters:
  ///   - oracle: that must fail it in a whole game; nil where only test purposes do.
  init(
    _ name: String, _ role: AppRole, clause: String, failedBy oracle: String? = nil,
    _ summary: String,
    adjust: @escaping @Sendable (inout BabConfiguration) -> Void = { _ in },
    wrapped: @escaping @Sendable (any AppEngine, BabConfiguration) -> any AppEngine = { engine, _ in engine }
  ) {
    let defect = BabDefect(adjust: adjust, wrapped: wrapped)
    self.init(name, role, clause: clause, failedBy: oracle, summary, parts: [defect]) { app in
      Self.engine(role, app, [defect])
    }
  }

  /// The same, which an oracle must fail in a whole game.
  func failed(by oracle: String) -> Mutant {
    Mutant(name, role, clause: clause, failedBy: oracle, summary, parts: parts, makeEngine: makeEngine)
  }

  /// An engine with the defects of all these mutants, the first innermost; it breaks the clause of the first.
  package init(_ name: String, _ summary: String, stacking mutants: [Mutant]) {
    let role = mutants[0].role
    let defects = mutants.flatMap { $0.parts as? [BabDefect] ?? [] }
    self.init(name, role, clause: mutants[0].clause, failedBy: nil, summary, parts: defects) { app in
      Self.engine(role, app, defects)
    }
  }

  private static func engine(_ role: AppRole, _ app: AppConfiguration, _ defects: [BabDefect]) -> any AppEngine {
    var configuration = BabConfiguration(app)
    for defect in defects { defect.adjust(&configuration) }
    return defects.reduce(BabEngines.reference(role, configuration)) { $1.wrapped($0, configuration) }
  }
}
