import BabSim
import SimKernel

/// FRAG, host: framing.
extension Catalog {
  static let fragHost: [TestPurpose] = []
}
