public import AppSeam
public import SimKernel

/// What is to be seen of a network, beside what apps are told.
public enum NetworkEvent: Hashable, Sendable {
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
public struct NetworkPacket: Hashable, Sendable {
  public var interface: NetworkInterface
  /// The device sent it.
  public var isOutgoing: Bool
  /// An Ethernet frame.
  public var octets: [UInt8]
  /// It did not arrive; known of outgoing ones only.
  public var isLost: Bool
}

/// What a device's network did.
public struct NetworkStatistics: Hashable, Sendable {
  public struct Device: Hashable, Sendable {
    /// That became ready, on either side.
    public var connections = 0
    /// Octets that `send` has taken from apps.
    public var octetsSent = 0
    /// Given to apps.
    public var octetsReceived = 0
    /// TCP segments sent.
    public var segments = 0
    /// Segments among them that had been sent before.
    public var retransmissions = 0
    /// Packets of every kind that it handed to an interface.
    public var packets = 0
    /// Packets that it sent and that did not arrive.
    public var losses = 0
    /// How long its Wi-Fi radio sent frames; answers to those of others are not counted. Zero in a fixed air.
    public var airtime = SimDuration.zero
    public init() {}
  }

  public var devices: [Device]
}
