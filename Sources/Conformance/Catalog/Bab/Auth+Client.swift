import BabSim
import SimKernel

/// AUTH, client: authority and safety.
extension Catalog {
  static let authClient: [TestPurpose] = []
}
