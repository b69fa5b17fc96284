import BabSim
import SimKernel

/// MTU, host: ATT_MTU.
extension Catalog {
  static let mtuHost: [TestPurpose] = []
}
