import BabSim

/// Defects of framing.
extension Mutants {
  static let frag: [Mutant] = []
}
