import BabSim
import SimKernel

/// VOTE, client: votes.
extension Catalog {
  static let voteClient: [TestPurpose] = []
}
