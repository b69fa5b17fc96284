import BabSim
import SimKernel

/// SCORE, host: points and ranking.
extension Catalog {
  static let scoreHost: [TestPurpose] = []
}
