import BabSim
import SimKernel

/// ROLE, client: roles and readiness.
extension Catalog {
  static let roleClient: [TestPurpose] = []
}
