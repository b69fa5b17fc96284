import BabSim

/// Defects of loss and return.
extension Mutants {
  static let link: [Mutant] = []
}
