import BabSim
import SimKernel

/// WIRE, host: packets.
extension Catalog {
  static let wireHost: [TestPurpose] = []
}
