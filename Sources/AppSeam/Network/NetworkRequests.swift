public import SimKernel

/// When an end asks whether the other one is still there (RFC 9293, 3.8.4).
public struct KeepAliveRequest: Hashable, Sendable {
  /// Silence after which the first question goes out.
  public var idle: SimDuration
  /// Between two questions.
  public var interval: SimDuration
  /// Questions without an answer before the connection fails.
  public var count: Int

  public init(idle: SimDuration, interval: SimDuration, count: Int) {
    self.idle = idle
    self.interval = interval
    self.count = count
  }
}

/// A service that an app offers: it listens, and is registered under a name.
public struct ListenRequest: Hashable, Sendable {
  /// As DNS-SD writes it: `_name._tcp` for streams, `_name._udp` for datagrams (RFC 6763, 7).
  public var type: String
  /// The instance name, 1 … 63 octets of UTF-8; the network may change it when somebody else has it.
  public var name: String
  /// Also from peer to peer.
  public var peerToPeer: Bool
  /// For the connections that come in; nil: none.
  public var keepAlive: KeepAliveRequest?
  /// What the service says of itself; a listener with one that is none (`ServiceRecord.isValid`) fails.
  public var record: [UInt8]

  public init(
    type: String, name: String, peerToPeer: Bool, keepAlive: KeepAliveRequest? = nil, record: [UInt8] = []
  ) {
    self.type = type
    self.name = name
    self.peerToPeer = peerToPeer
    self.keepAlive = keepAlive
    self.record = record
  }
}

/// A connection that an app asks for.
public struct ConnectRequest: Hashable, Sendable {
  public var endpoint: EndpointID
  /// The interfaces that may be used, the preferred one first; not empty.
  public var interfaces: [NetworkInterface]
  /// When the attempt fails at the latest; nil: when TCP gives up.
  public var timeout: SimDuration?
  public var keepAlive: KeepAliveRequest?

  public init(
    endpoint: EndpointID, interfaces: [NetworkInterface], timeout: SimDuration? = nil,
    keepAlive: KeepAliveRequest? = nil
  ) {
    self.endpoint = endpoint
    self.interfaces = interfaces
    self.timeout = timeout
    self.keepAlive = keepAlive
  }
}
