import BabSim
import SimKernel

/// VOTE, host: votes.
extension Catalog {
  static let voteHost: [TestPurpose] = []
}
