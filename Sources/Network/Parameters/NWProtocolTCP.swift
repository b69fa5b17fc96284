/// TCP.
///
/// Source: Apple, `NWProtocolTCP`.
public class NWProtocolTCP: NWProtocol, @unchecked Sendable {
  /// The protocol.
  public static let definition = NWProtocolDefinition(name: "tcp")

  /// Options of TCP. Keep-alive and the limit of an attempt take effect; the bench's TCP has no switch for the others.
  public class Options: NWProtocolOptions, @unchecked Sendable {
    /// Whether small segments wait for no acknowledgement. Without effect: a segment never waits for others.
    public var noDelay = false
    /// Without effect.
    public var noPush = false
    /// Without effect.
    public var noOptions = false
    /// Whether silence is followed by questions (RFC 9293, 3.8.4).
    public var enableKeepalive = false
    /// Questions without an answer before the connection fails; 0: what the system has, which is 8.
    public var keepaliveCount = 0
    /// Seconds of silence before the first question; 0: what the system has, two hours.
    public var keepaliveIdle = 0
    /// Seconds between questions; 0: what the system has, 75.
    public var keepaliveInterval = 0
    /// Without effect: the bench's segments have one length.
    public var maximumSegmentSize = 0
    /// Seconds after which an attempt is over; 0: when TCP gives up.
    public var connectionTimeout = 0
    /// Without effect.
    public var persistTimeout = 0
    /// Without effect.
    public var connectionDropTime = 0
    /// Without effect.
    public var retransmitFinDrop = false
    /// Without effect.
    public var disableAckStretching = false
    /// Without effect: octets are never sent before an attempt is ready.
    public var enableFastOpen = false
    /// Without effect.
    public var disableECN = false

    /// Options as the system has them.
    public init() { super.init(definition: NWProtocolTCP.definition) }
  }

  /// What TCP says of a connection.
  public class Metadata: NWProtocolMetadata, @unchecked Sendable {
    /// Octets that have come and were not read by the app.
    public internal(set) var availableReceiveBuffer: UInt32 = 0
    /// Octets that the app has sent and that wait for room.
    public internal(set) var availableSendBuffer: UInt32 = 0

    init() { super.init(definition: NWProtocolTCP.definition) }
  }
}

/// UDP.
///
/// Source: Apple, `NWProtocolUDP`.
public class NWProtocolUDP: NWProtocol, @unchecked Sendable {
  /// The protocol.
  public static let definition = NWProtocolDefinition(name: "udp")

  /// Options of UDP.
  public class Options: NWProtocolOptions, @unchecked Sendable {
    /// Without effect.
    public var preferNoChecksum = false

    /// Options as the system has them.
    public init() { super.init(definition: NWProtocolUDP.definition) }
  }

  /// What UDP says of a datagram: nothing.
  public class Metadata: NWProtocolMetadata, @unchecked Sendable {
    /// For content that is sent.
    public init() { super.init(definition: NWProtocolUDP.definition) }
  }
}

/// The Internet Protocol.
///
/// Source: Apple, `NWProtocolIP`.
public class NWProtocolIP: NWProtocol, @unchecked Sendable {
  /// The protocol.
  public static let definition = NWProtocolDefinition(name: "ip")

  /// Options of IP. Without effect: infrastructure has version 4, peer to peer version 6.
  public class Options: NWProtocolOptions, @unchecked Sendable {
    /// A version of IP.
    public enum Version: Hashable, Sendable {
      /// Either.
      case any
      /// Version 4.
      case v4
      /// Version 6.
      case v6
    }

    /// The version that is wanted.
    public var version = Version.any
    /// Hops after which a packet is dropped.
    public var hopLimit: UInt8 = 0
    /// Whether packets are as small as every link takes.
    public var useMinimumMTU = false
    /// Whether packets are never cut.
    public var disableFragmentation = false
    /// Whether the time of arrival is noted.
    public var shouldCalculateReceiveTime = false
    /// Whether packets for a group do not come back to their sender.
    public var disableMulticastLoopback = false

    /// Options as the system has them.
    public init() { super.init(definition: NWProtocolIP.definition) }
  }
}

/// TLS, which is not modelled: octets go as they are, and the first use is remarked.
///
/// Source: Apple, `NWProtocolTLS`.
public class NWProtocolTLS: NWProtocol, @unchecked Sendable {
  /// The protocol.
  public static let definition = NWProtocolDefinition(name: "tls")

  /// Options of TLS.
  public class Options: NWProtocolOptions, @unchecked Sendable {
    /// What functions of Security set. It is kept and without effect.
    public let securityProtocolOptions: sec_protocol_options_t = OS_sec_protocol_options()

    /// Options as the system has them.
    public init() { super.init(definition: NWProtocolTLS.definition) }
  }
}
