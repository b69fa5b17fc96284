import BabSim

/// Defects of authority and safety.
extension Mutants {
  static let auth: [Mutant] = []
}
