package import AppSeam

/// What is to be seen of a network, beside what apps are told.
package enum NetworkEvent: Hashable, Sendable {
  /// Only if packets are wanted.
  case packet(NetworkPacket)
  /// An interface has a link from now on, or none.
  case link(NetworkInterface, isUp: Bool)
  /// The AWDL interface is on its sequence of channels, or off to save energy.
  case peerToPeer(isAwake: Bool)
  /// Two devices can, or can no longer, exchange frames over AWDL as far as they know.
  case neighbour(Int, isThere: Bool)
}

/// A packet as an interface saw it, at the instant at which its last octet passed (NET 10).
package struct NetworkPacket: Hashable, Sendable {
  package var interface: NetworkInterface
  /// The device sent it.
  package var isOutgoing: Bool
  /// An Ethernet frame.
  package var octets: [UInt8]
  /// It did not arrive; known of outgoing ones only.
  package var isLost: Bool
}

/// What a device's network did.
package struct NetworkStatistics: Hashable, Sendable {
  package struct Device: Hashable, Sendable {
    /// That became ready, on either side.
    package var connections = 0
    /// Octets that `send` has taken from apps.
    package var octetsSent = 0
    /// Given to apps.
    package var octetsReceived = 0
    /// TCP segments sent.
    package var segments = 0
    /// Segments among them that had been sent before.
    package var retransmissions = 0
    /// Packets that it sent and that did not arrive.
    package var losses = 0
    package init() {}
  }

  package var devices: [Device]
}
