import BabSim

/// Defects of votes.
extension Mutants {
  static let vote: [Mutant] = []
}
