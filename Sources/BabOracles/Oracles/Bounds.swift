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

  /// From what calls for it to the next turn, the end of a game or the effect of a vote: a host may think of a line.
  static let hostGoesOn = SimDuration.seconds(10)

  /// From a change of the host's game to the same game on every client: an app may draw its screen at leisure.
  static let gameSettles = SimDuration.seconds(5)

  /// From what an app was told of roles to the phase that follows from it.
  static let phaseFollows = SimDuration.seconds(3)

  /// A client that has come back in a vote counts its 30 s from there on.
  static let voteEnds = SimDuration.seconds(45)

  /// A vote that is younger has not timed out, whatever waits in a queue (BAB 8.4).
  static let voteIsOpen = SimDuration.seconds(25)

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

  /// From the end of a session to the last scan, link and connection attempt of it: an app may tidy up in steps.
  static let leavesNothing = SimDuration.seconds(3)

  /// From the end of the reconnect window to the shown end of the session.
  static let givesUp = SimDuration.seconds(5)
}
