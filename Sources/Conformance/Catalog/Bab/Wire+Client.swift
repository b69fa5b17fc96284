import BabSim
import SimKernel

/// WIRE, client: packets.
extension Catalog {
  static let wireClient: [TestPurpose] = []
}
