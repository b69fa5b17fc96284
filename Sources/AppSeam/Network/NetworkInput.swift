/// What its device's network tells an app.
///
/// The words are those of listeners, browsers and connections in Apple's Network framework.
public enum NetworkInput: Hashable, Sendable {
  /// The listener of a type takes connections, under the name that it has got.
  case listenerReady(type: String, name: String, port: Int)
  case listenerFailed(type: String, NetworkReason)
  /// A browser found a service, on these interfaces in order of preference. `record`: its TXT record; empty: it
  /// has none, or none has come.
  case found(EndpointID, type: String, name: String, interfaces: [NetworkInterface], record: [UInt8] = [])
  /// The interfaces over which a service can be reached are others now.
  case changed(EndpointID, interfaces: [NetworkInterface])
  /// The TXT record of a service is another one now.
  case recordChanged(EndpointID, record: [UInt8])
  /// A service is gone.
  case lost(EndpointID)
  /// Somebody opened a connection; it is ready. `peer` is how the network calls the device at the other end, the same
  /// on all interfaces.
  case incoming(ConnectionID, NetworkInterface, peer: String)
  /// A connection that the app asked for is ready.
  case ready(ConnectionID, NetworkInterface)
  /// A connection is not ready, and is tried again when the network changes.
  case waiting(ConnectionID, NetworkReason)
  /// A connection, or an attempt, is over; it is the last input about it.
  case failed(ConnectionID, NetworkReason)
  /// Octets of a stream, in order, in whatever pieces they came; or one datagram.
  case received(ConnectionID, octets: [UInt8])
  /// The other end has nothing more to send.
  case ended(ConnectionID)
  /// The answer to `send`: false = no room, nothing of it was taken; exactly one per effect, in order.
  case submitted(ConnectionID, accepted: Bool)
  /// A connection that had no room has some again.
  case room(ConnectionID)
  /// Whether a ready connection can carry anything at present.
  case viable(ConnectionID, Bool)
  /// Whether there is a better interface for a new connection to the same service.
  case betterPath(ConnectionID, Bool)
  /// The answer to `cancel`; it is the last input about the connection.
  case cancelled(ConnectionID)
  /// The interfaces that have a link, in order of preference.
  case pathChanged([NetworkInterface])
}
