/// An address of the Internet Protocol.
///
/// Source: Apple, `IPAddress`.
public protocol IPAddress: Hashable, Sendable, CustomDebugStringConvertible {
  /// The octets of the address, in network order.
  var rawValue: Data { get }
  /// The interface to which the address belongs, where it says one.
  var interface: NWInterface? { get }
  /// Whether it is the device itself.
  var isLoopback: Bool { get }
  /// Whether it is of one link only.
  var isLinkLocal: Bool { get }
  /// Whether it is of a group.
  var isMulticast: Bool { get }
  /// An address from octets; nil: there are too many or too few.
  init?(_ rawValue: Data, _ interface: NWInterface?)
  /// An address from its text; nil: it is none.
  init?(_ string: String)
}

/// An address of version 4.
public struct IPv4Address: IPAddress {
  /// Four octets.
  public let rawValue: Data
  /// The interface to which the address belongs.
  public let interface: NWInterface?

  /// 0.0.0.0.
  public static let any = IPv4Address(octets: [0, 0, 0, 0])
  /// 255.255.255.255.
  public static let broadcast = IPv4Address(octets: [255, 255, 255, 255])
  /// 127.0.0.1.
  public static let loopback = IPv4Address(octets: [127, 0, 0, 1])
  /// 224.0.0.1, all hosts of the link.
  public static let allHostsGroup = IPv4Address(octets: [224, 0, 0, 1])
  /// 224.0.0.2, all routers of the link.
  public static let allRoutersGroup = IPv4Address(octets: [224, 0, 0, 2])
  /// 224.0.0.22, those to whom memberships are reported.
  public static let allReportsGroup = IPv4Address(octets: [224, 0, 0, 22])
  /// 224.0.0.251, multicast DNS.
  public static let mdnsGroup = IPv4Address(octets: [224, 0, 0, 251])

  private init(octets: [UInt8]) {
    rawValue = Data(octets)
    interface = nil
  }

  /// An address from four octets.
  public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
    guard rawValue.count == 4 else { return nil }
    self.rawValue = Data(rawValue)
    self.interface = interface
  }

  /// An address from four decimal numbers with points.
  public init?(_ string: String) {
    var address = in_addr()
    guard inet_pton(AF_INET, string, &address) == 1 else { return nil }
    rawValue = withUnsafeBytes(of: &address) { Data($0) }
    interface = nil
  }

  /// 127.0.0.0/8.
  public var isLoopback: Bool { rawValue.first == 127 }
  /// 169.254.0.0/16.
  public var isLinkLocal: Bool { rawValue.starts(with: [169, 254]) }
  /// 224.0.0.0/4.
  public var isMulticast: Bool { rawValue.first.map { $0 >> 4 == 14 } ?? false }
  /// Four decimal numbers with points.
  public var debugDescription: String { rawValue.map { "\($0)" }.joined(separator: ".") }
}

/// An address of version 6.
public struct IPv6Address: IPAddress {
  /// Sixteen octets.
  public let rawValue: Data
  /// The interface to which the address belongs.
  public let interface: NWInterface?

  /// `::`.
  public static let any = IPv6Address(octets: [UInt8](repeating: 0, count: 16))
  /// `::1`.
  public static let loopback = IPv6Address(octets: [UInt8](repeating: 0, count: 15) + [1])

  private init(octets: [UInt8]) {
    rawValue = Data(octets)
    interface = nil
  }

  /// An address from sixteen octets.
  public init?(_ rawValue: Data, _ interface: NWInterface? = nil) {
    guard rawValue.count == 16 else { return nil }
    self.rawValue = Data(rawValue)
    self.interface = interface
  }

  /// An address from groups of hexadecimal digits, and the name of an interface of the phone after a percent sign.
  public init?(_ string: String) {
    let parts = string.split(separator: "%", maxSplits: 1)
    var address = in6_addr()
    guard let text = parts.first, inet_pton(AF_INET6, String(text), &address) == 1 else { return nil }
    rawValue = withUnsafeBytes(of: &address) { Data($0) }
    let known = [NWInterface.infrastructure, .peerToPeer]
    interface = parts.count == 2 ? known.first { $0.name == parts[1] } : nil
  }

  /// `::1`.
  public var isLoopback: Bool { self == .loopback }
  /// fe80::/10.
  public var isLinkLocal: Bool { rawValue.first == 0xFE && rawValue.dropFirst().first.map { $0 >> 6 == 2 } == true }
  /// ff00::/8.
  public var isMulticast: Bool { rawValue.first == 0xFF }
  /// Groups of hexadecimal digits, the longest row of zeros shortened (RFC 5952).
  public var debugDescription: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let isWritten = rawValue.withUnsafeBytes {
      inet_ntop(AF_INET6, $0.baseAddress, &text, socklen_t(text.count)) != nil
    }
    let address =
      isWritten ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : ""
    return address + (interface.map { "%" + $0.name } ?? "")
  }
}
