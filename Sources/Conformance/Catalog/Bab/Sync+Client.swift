import BabSim
import SimKernel

/// SYNC, client: vector clocks, snapshots, convergence.
extension Catalog {
  static let syncClient: [TestPurpose] = []
}
