import BabSim
import SimKernel

/// TURN, client: turns and lines.
extension Catalog {
  static let turnClient: [TestPurpose] = []
}
