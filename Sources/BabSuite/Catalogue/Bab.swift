import Conformance

/// The Bab protocol's groups, in the order in which a session goes through them.
extension Catalog {
  static let bab: [TestPurpose] = [
    advHost, advClient, gattHost, gattClient, mtuHost, mtuClient, fragHost, fragClient,
    wireHost, wireClient, lobbyHost, lobbyClient, roleHost, roleClient, startHost, startClient,
    turnHost, turnClient, voteHost, voteClient, scoreHost, scoreClient, syncHost, syncClient,
    linkHost, linkClient, loadHost, loadClient, authHost, authClient, robustHost, robustClient,
  ].flatMap { $0 }
}
