import BabSim
import SimKernel

/// ROBUST, host: hostile octets.
extension Catalog {
  static let robustHost: [TestPurpose] = []
}
