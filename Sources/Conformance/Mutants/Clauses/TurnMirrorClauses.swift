import BabSim

/// Defects of clients that mirror turns and lines.
extension Mutants {
  static let turnMirror: [Mutant] = []
}
