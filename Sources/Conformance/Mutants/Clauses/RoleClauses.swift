import BabSim

/// Defects of roles and readiness.
extension Mutants {
  static let role: [Mutant] = []
}
