import BabSim

/// Defects of packets.
extension Mutants {
  static let wire: [Mutant] = []
}
