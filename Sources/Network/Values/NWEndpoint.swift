/// One end of a connection, or what a browser found.
///
/// Source: Apple, `NWEndpoint`.
public enum NWEndpoint: Hashable, Sendable {
  /// A host and a port. Devices of the bench are reached by their services; a host without one leads nowhere.
  case hostPort(host: Host, port: Port)
  /// A service of DNS-SD, with the interface on which it is meant, where that is said.
  case service(name: String, type: String, domain: String, interface: NWInterface?)
  /// A socket of the file system, which virtual phones do not have.
  case unix(path: String)
  /// An address of the web, which virtual phones do not reach.
  case url(URL)

  /// The interface that the endpoint says.
  public var interface: NWInterface? {
    switch self {
    case .service(_, _, _, let interface): interface
    case .hostPort(let host, _): host.interface
    case .unix, .url: nil
    }
  }

  /// What a service says of itself, as far as this endpoint came from a browser; the bench keeps it with the result.
  public var txtRecord: NWTXTRecord? { nil }
}

extension NWEndpoint: CustomDebugStringConvertible {
  /// `Keynote._talk._tcp.local.`, `10.0.0.7:80`, `fe80::1%awdl0.49152`.
  public var debugDescription: String {
    switch self {
    case .hostPort(.ipv6(let address), let port): "\(address).\(port)"
    case .hostPort(let host, let port): "\(host):\(port)"
    case .service(let name, let type, let domain, let interface):
      "\(name).\(type)" + (type.hasSuffix(".") ? "" : ".") + domain + (interface.map { "@\($0.name)" } ?? "")
    case .unix(let path): path
    case .url(let url): url.absoluteString
    }
  }
}

extension NWEndpoint {
  /// A host by its name or address.
  public enum Host: Hashable, Sendable, CustomDebugStringConvertible, ExpressibleByStringLiteral {
    /// A name, which is looked up.
    case name(String, NWInterface?)
    /// An address of version 4.
    case ipv4(IPv4Address)
    /// An address of version 6.
    case ipv6(IPv6Address)

    /// An address where the text is one, else a name.
    public init(_ string: String) {
      if let address = IPv4Address(string) {
        self = .ipv4(address)
      } else if let address = IPv6Address(string) {
        self = .ipv6(address)
      } else {
        self = .name(string, nil)
      }
    }
    /// As above.
    public init(stringLiteral value: String) { self.init(value) }

    /// The interface that is said.
    public var interface: NWInterface? {
      switch self {
      case .name(_, let interface): interface
      case .ipv4(let address): address.interface
      case .ipv6(let address): address.interface
      }
    }

    /// The name or address, and the interface after a percent sign.
    public var debugDescription: String {
      switch self {
      case .name(let name, let interface): name + (interface.map { "%" + $0.name } ?? "")
      case .ipv4(let address): address.debugDescription
      case .ipv6(let address): address.debugDescription
      }
    }
  }

  /// A port of TCP or UDP.
  public struct Port: Hashable, Sendable, RawRepresentable, ExpressibleByIntegerLiteral, CustomDebugStringConvertible {
    /// The number.
    public let rawValue: UInt16

    /// A port by its number; every number is one.
    public init?(rawValue: UInt16) { self.rawValue = rawValue }
    /// A port by its number in a program's text.
    public init(integerLiteral value: UInt16) { rawValue = value }
    /// A port by decimal digits; nil: it is none. Names of well-known ports are not looked up.
    public init?(_ service: String) {
      guard let number = UInt16(service) else { return nil }
      rawValue = number
    }

    /// The number.
    public var debugDescription: String { "\(rawValue)" }

    /// Whichever is free.
    public static let any: Port = 0
    /// Secure Shell.
    public static let ssh: Port = 22
    /// Simple Mail Transfer Protocol.
    public static let smtp: Port = 25
    /// Hypertext Transfer Protocol.
    public static let http: Port = 80
    /// Post Office Protocol.
    public static let pop: Port = 110
    /// Internet Message Access Protocol.
    public static let imap: Port = 143
    /// Hypertext Transfer Protocol over TLS.
    public static let https: Port = 443
    /// Internet Message Access Protocol over TLS.
    public static let imaps: Port = 993
    /// Proxies of SOCKS.
    public static let socks: Port = 1080
  }
}
