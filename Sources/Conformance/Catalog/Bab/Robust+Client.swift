import BabSim
import SimKernel

/// ROBUST, client: hostile octets.
extension Catalog {
  static let robustClient: [TestPurpose] = []
}
