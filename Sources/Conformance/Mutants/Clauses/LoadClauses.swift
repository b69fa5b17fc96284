import BabSim

/// Defects of back-pressure and crowds.
extension Mutants {
  static let load: [Mutant] = []
}
