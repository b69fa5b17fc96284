import BabSim

/// Defects of turns and lines.
extension Mutants {
  static let turn: [Mutant] = []
}
