import BabSim
import SimKernel

/// ADV, client: advertising and discovery.
extension Catalog {
  static let advClient: [TestPurpose] = []
}
