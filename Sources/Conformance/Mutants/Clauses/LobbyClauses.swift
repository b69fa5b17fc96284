import BabSim

/// Defects of joining, leaving, settings.
extension Mutants {
  static let lobby: [Mutant] = []
}
