/// Why a connection, a listener or an attempt came to nothing, or waits.
public enum NetworkReason: String, Hashable, Sendable, CaseIterable {
  /// There is no interface over which the other end can be reached.
  case noPath
  /// Nobody listens there.
  case refused
  /// The other end ended the connection at once (RST).
  case reset
  /// No answer for too long, or the app's own limit for the attempt is over.
  case timedOut
  /// The interface of the connection went off and did not come back in time.
  case interfaceOff
  /// The system took the socket of a suspended app back.
  case reclaimed
  /// What was asked for cannot be: an unknown endpoint, a number that is taken, octets beyond a limit.
  case invalid
}
