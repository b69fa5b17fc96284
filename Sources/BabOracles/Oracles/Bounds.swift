import SimKernel

/// Every time an oracle waits before it calls something late, with the reason.
enum Bounds {
  /// The longest supervision timeout a phone asks for. Apple allows accessories 2 … 6 s, and Android's default
  /// is 5 s; a scenario that sets more says so in the option `supervisionTimeout`.
  static let supervisionTimeout = SimDuration.seconds(6)

  /// From the end of a link, as the host sees it, to the last roster that must no longer show the peer: one packet to
  /// each of seven clients, over links that may be noisy.
  static let rosterMargin = SimDuration.seconds(3)

  /// From the last change of the host's lobby to the same lobby on every client. Longer than any supervision timeout
  /// plus the margin: a link that could not carry the update in this time is dead, and then nothing is asked of it.
  static let lobbySettles = SimDuration.seconds(10)

  /// From the host's start to the same phase on every client; the same reason as `lobbySettles`.
  static let startArrives = SimDuration.seconds(10)

  /// From the renewed link to the resumed session: discovery, subscription, HANDSHAKE and a snapshot of some KiB; the
  /// slowest phone at ATT_MTU 23 needs a few seconds.
  static let resumes = SimDuration.seconds(15)

  /// A client that is linked again this soon after its loss resumes for certain: ten seconds of the reconnect window
  /// are left for discovery and joining. Later, both ends may rightly have given up.
  static let promptReturn = SimDuration.seconds(20)

  /// How long a client tries to come back before it gives up.
  static let reconnectWindow = SimDuration.seconds(30)

  /// From the end of the reconnect window to the shown end of the session.
  static let givesUp = SimDuration.seconds(5)

  /// An accepted value is on its way at most this long while the link stays up: a full transmit queue of a phone at the
  /// slowest interval in use (500 ms, peripheral latency 4) drains in less.
  static let valueArrives = SimDuration.seconds(30)
}
