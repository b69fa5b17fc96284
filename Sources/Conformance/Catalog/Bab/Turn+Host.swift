import BabSim
import SimKernel

/// TURN, host: turns and lines.
extension Catalog {
  static let turnHost: [TestPurpose] = []
}
