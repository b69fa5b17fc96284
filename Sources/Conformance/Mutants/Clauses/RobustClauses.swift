import BabSim

/// Defects of hostile octets.
extension Mutants {
  static let robust: [Mutant] = []
}
