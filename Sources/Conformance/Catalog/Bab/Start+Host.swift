import BabSim
import SimKernel

/// START, host: both starts.
extension Catalog {
  static let startHost: [TestPurpose] = []
}
