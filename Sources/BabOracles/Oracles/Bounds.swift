import SimKernel

/// Every time an oracle waits before it calls something late, with the reason. Only time in which a `Chance` is open
/// counts: the bounds are for apps, and not for the radio.
enum Bounds {
  /// The longest supervision timeout that a phone asks for: Apple allows accessories 2 … 6 s, and Android's default is
  /// 5 s. How long a link that is dead may look alive, where the trace or a capture does not say it.
  static let supervisionTimeout = SimDuration.seconds(6)

  /// From the end of a link, as the host sees it, to the last roster that must no longer show the peer.
  static let rosterMargin = SimDuration.seconds(3)

  /// From the last change of the host's lobby to the same lobby on every client.
  static let lobbySettles = SimDuration.seconds(10)

  /// A host from outside from which nothing has come for so long has nothing that waits for a client.
  static let hostFromOutsideIsDone = SimDuration.seconds(5)

  /// From the host's start to the same phase on every client.
  static let startArrives = SimDuration.seconds(3)

  /// From the renewed link to the resumed session: an app may wait between discovery, subscription, HANDSHAKE and
  /// CLIENT_JOIN.
  static let resumes = SimDuration.seconds(15)

  /// A client that is linked again this soon after its loss resumes for certain: ten seconds of the reconnect window
  /// are left for discovery and joining. Later, both ends may rightly have given up.
  static let promptReturn = SimDuration.seconds(20)

  /// A packet of which nothing comes for so long may have been dropped: 5 s (BAB 3.14), less what a capture may date
  /// otherwise than the app did.
  static let packetExpires = SimDuration.seconds(4)

  /// How long a client tries to come back before it gives up.
  static let reconnectWindow = SimDuration.seconds(30)

  /// From the end of the reconnect window to the shown end of the session.
  static let givesUp = SimDuration.seconds(5)
}
