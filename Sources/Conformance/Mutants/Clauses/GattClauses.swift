import BabSim

/// Defects of the GATT profile.
extension Mutants {
  static let gatt: [Mutant] = []
}
