import BabSim

/// Defects of points and ranking.
extension Mutants {
  static let score: [Mutant] = []
}
