import BabSim

/// TURN, client: turns, lines and their end.
extension Catalog {
  static let turnClient: [TestPurpose] = soloClient
}
