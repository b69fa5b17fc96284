import BabSim
import SimKernel

/// FRAG, client: framing.
extension Catalog {
  static let fragClient: [TestPurpose] = []
}
