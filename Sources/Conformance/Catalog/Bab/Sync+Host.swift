import BabSim
import SimKernel

/// SYNC, host: vector clocks, snapshots, convergence.
extension Catalog {
  static let syncHost: [TestPurpose] = []
}
