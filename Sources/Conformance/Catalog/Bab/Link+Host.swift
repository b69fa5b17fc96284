import BabSim
import SimKernel

/// LINK, host: loss and return.
extension Catalog {
  static let linkHost: [TestPurpose] = []
}
