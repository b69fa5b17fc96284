import BabSim
import SimKernel

/// LOAD, host: back-pressure and crowds.
extension Catalog {
  static let loadHost: [TestPurpose] = []
}
