import BabSim
import SimKernel

/// LOAD, client: back-pressure and crowds.
extension Catalog {
  static let loadClient: [TestPurpose] = []
}
