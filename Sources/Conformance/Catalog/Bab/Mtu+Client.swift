import BabSim
import SimKernel

/// MTU, client: ATT_MTU.
extension Catalog {
  static let mtuClient: [TestPurpose] = []
}
