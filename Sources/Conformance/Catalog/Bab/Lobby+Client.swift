import BabSim
import SimKernel

/// LOBBY, client: joining, leaving, settings.
extension Catalog {
  static let lobbyClient: [TestPurpose] = []
}
