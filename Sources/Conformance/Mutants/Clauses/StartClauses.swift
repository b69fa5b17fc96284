import BabSim

/// Defects of both starts.
extension Mutants {
  static let start: [Mutant] = []
}
