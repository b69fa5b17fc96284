import BabSim
import SimKernel

/// ADV, host: advertising and discovery.
extension Catalog {
  static let advHost: [TestPurpose] = []
}
