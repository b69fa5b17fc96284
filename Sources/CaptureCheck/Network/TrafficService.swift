public import NetworkWire

/// An instance of a service that somebody announces by Multicast DNS (RFC 6763), as one interface heard it.
public struct TrafficService: Hashable, Sendable {
  public var file: Int
  public var interface: Int
  public var interfaceName: String?
  /// Instance, type and domain in one.
  public var name: DNSName
  /// What people see.
  public var instance: String
  /// `_http._tcp`.
  public var type: String
  public var host: DNSName
  public var port: UInt16
  /// The addresses of the host, in the order in which they were announced; at most `TrafficLimits.addressesOfHost`.
  public var addresses: [IPAddress] = []
  /// TXT, as far as it was announced.
  public var text: [[UInt8]] = []
}
