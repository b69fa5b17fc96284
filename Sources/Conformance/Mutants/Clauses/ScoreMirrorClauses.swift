import BabSim

/// Defects of clients that show points.
extension Mutants {
  static let scoreMirror: [Mutant] = []
}
