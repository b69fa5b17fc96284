import AppSeam

/// How the device, or one connection, reaches the network.
///
/// Source: Apple, `NWPath`.
public struct NWPath: Equatable, Sendable, CustomDebugStringConvertible {
  /// Whether a connection can be made.
  public enum Status: Hashable, Sendable {
    /// It can.
    case satisfied
    /// It cannot.
    case unsatisfied
    /// It can, once something is brought up first; never the case of a virtual phone.
    case requiresConnection
  }

  /// Why a path is unsatisfied.
  public enum UnsatisfiedReason: Hashable, Sendable {
    /// It is satisfied, or the reason is unknown.
    case notAvailable
    /// The person does not allow mobile data.
    case cellularDenied
    /// The person does not allow Wi-Fi.
    case wifiDenied
    /// The person does not allow the local network.
    case localNetworkDenied
    /// A VPN that is needed is not there.
    case vpnInactive
  }

  /// Whether a connection can be made.
  public let status: Status
  /// Why not.
  public let unsatisfiedReason: UnsatisfiedReason
  /// The interfaces, the preferred one first.
  public let availableInterfaces: [NWInterface]
  /// Whether traffic is billed; never the case of a virtual phone.
  public let isExpensive: Bool
  /// Whether the person wants little traffic; never the case of a virtual phone.
  public let isConstrained: Bool
  /// Whether names of DNS are looked up.
  public let supportsDNS: Bool
  /// Whether there is a route of version 4.
  public let supportsIPv4: Bool
  /// Whether there is a route of version 6.
  public let supportsIPv6: Bool
  /// Routers; none is told.
  public let gateways: [NWEndpoint]
  /// The own end of a connection.
  public let localEndpoint: NWEndpoint?
  /// The other end of a connection.
  public let remoteEndpoint: NWEndpoint?

  init(_ links: [NetworkInterface], local: NWEndpoint? = nil, remote: NWEndpoint? = nil) {
    status = links.isEmpty ? .unsatisfied : .satisfied
    unsatisfiedReason = .notAvailable
    availableInterfaces = links.map { NWInterface($0) }
    isExpensive = false
    isConstrained = false
    supportsIPv4 = links.contains(.infrastructure)
    supportsIPv6 = links.contains(.peerToPeer)
    supportsDNS = supportsIPv4
    gateways = []
    localEndpoint = local
    remoteEndpoint = remote
  }

  /// Whether one of the interfaces is of a type.
  public func usesInterfaceType(_ type: NWInterface.InterfaceType) -> Bool {
    availableInterfaces.contains { $0.type == type }
  }

  /// `satisfied, interfaces: en0, awdl0`.
  public var debugDescription: String {
    if availableInterfaces.isEmpty { return "\(status)" }
    return "\(status), interfaces: " + availableInterfaces.map(\.name).joined(separator: ", ")
  }
}
