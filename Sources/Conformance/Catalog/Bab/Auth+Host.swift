import BabSim
import SimKernel

/// AUTH, host: authority and safety.
extension Catalog {
  static let authHost: [TestPurpose] = []
}
