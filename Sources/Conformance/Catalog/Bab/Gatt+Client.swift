import BabSim
import SimKernel

/// GATT, client: the GATT profile.
extension Catalog {
  static let gattClient: [TestPurpose] = []
}
