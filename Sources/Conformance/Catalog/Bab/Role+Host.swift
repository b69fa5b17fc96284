import BabSim
import SimKernel

/// ROLE, host: roles and readiness.
extension Catalog {
  static let roleHost: [TestPurpose] = []
}
