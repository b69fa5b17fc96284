import BabSim

/// Defects of ATT_MTU.
extension Mutants {
  static let mtu: [Mutant] = []
}
