import BabSim
import SimKernel

/// SCORE, client: points and ranking.
extension Catalog {
  static let scoreClient: [TestPurpose] = []
}
