import BabSim

/// Defects of vector clocks, snapshots, convergence.
extension Mutants {
  static let sync: [Mutant] = []
}
