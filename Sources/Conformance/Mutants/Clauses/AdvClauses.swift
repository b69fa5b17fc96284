import BabSim

/// Defects of advertising and discovery.
extension Mutants {
  static let adv: [Mutant] = []
}
