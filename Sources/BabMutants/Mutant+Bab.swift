import AppSeam
import BabSim
import Conformance

extension Mutant {
  /// A reference engine of Bab with a defect around it, or with something else told to it.
  /// - Parameters:
  ///   - oracle: that must fail it in a whole game; nil where only test purposes do.
  ///   - adjust: changes what the inner engine is told about its game; most mutants leave it alone.
  ///   - wrapped: puts the defect around the engine; it is handed what the engine was told.
  init(
    _ name: String, _ role: AppRole, clause: String, failedBy oracle: String? = nil,
    _ summary: String,
    adjust: @escaping @Sendable (inout BabConfiguration) -> Void = { _ in },
    wrapped: @escaping @Sendable (any AppEngine, BabConfiguration) -> any AppEngine = { engine, _ in engine }
  ) {
    self.init(name, role, clause: clause, failedBy: oracle, summary) { app in
      var configuration = BabConfiguration(app)
      adjust(&configuration)
      return wrapped(BabEngines.reference(role, configuration), configuration)
    }
  }
}
