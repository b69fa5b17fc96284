import BabSim
import SimKernel

/// START, client: both starts.
extension Catalog {
  static let startClient: [TestPurpose] = []
}
