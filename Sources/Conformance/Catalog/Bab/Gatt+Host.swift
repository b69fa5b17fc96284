import BabSim
import SimKernel

/// GATT, host: the GATT profile.
extension Catalog {
  static let gattHost: [TestPurpose] = []
}
