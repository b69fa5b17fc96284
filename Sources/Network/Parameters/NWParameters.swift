import AppSeam
import SimKernel

/// How connections, listeners and browsers use protocols and interfaces.
///
/// Source: Apple, `NWParameters`. What the bench's network has no notion of is kept and without effect.
public final class NWParameters: @unchecked Sendable, CustomDebugStringConvertible {
  /// The protocols, from that of the app down.
  public final class ProtocolStack: @unchecked Sendable {
    /// Above the transport, the uppermost first: framers, TLS.
    public var applicationProtocols: [NWProtocolOptions] = []
    /// TCP or UDP.
    public var transportProtocol: NWProtocolOptions?
    /// IP.
    public var internetProtocol: NWProtocolOptions? = NWProtocolIP.Options()
  }

  /// How the system treats traffic. Without effect.
  public enum ServiceClass: Hashable, Sendable {
    /// As usual.
    case bestEffort
    /// After all others.
    case background
    /// A video call.
    case interactiveVideo
    /// A voice call.
    case interactiveVoice
    /// Something that a person waits for.
    case responsiveData
    /// The control of calls.
    case signaling
  }

  /// Whether several interfaces are used together. Without effect.
  public enum MultipathServiceType: Hashable, Sendable {
    /// One interface.
    case disabled
    /// Another interface when the first is gone.
    case handover
    /// Another interface when the first is slow.
    case interactive
    /// All interfaces.
    case aggregate
  }

  /// Whether old answers of DNS are used. Without effect.
  public enum ExpiredDNSBehavior: Hashable, Sendable {
    /// The system decides.
    case systemDefault
    /// They are used.
    case allow
    /// They are not used.
    case prohibit
    /// They are used, and kept over a restart of the app.
    case persistent
  }

  /// The protocols.
  public let defaultProtocolStack = ProtocolStack()
  /// The only interface that may be used.
  public var requiredInterface: NWInterface?
  /// The only type of interface that may be used; `other`: any.
  public var requiredInterfaceType = NWInterface.InterfaceType.other
  /// Interfaces that must not be used.
  public var prohibitedInterfaces: [NWInterface]?
  /// Types of interfaces that must not be used.
  public var prohibitedInterfaceTypes: [NWInterface.InterfaceType]?
  /// Whether expensive interfaces must not be used; those of virtual phones are not.
  public var prohibitExpensivePaths = false
  /// Whether constrained interfaces must not be used; those of virtual phones are not.
  public var prohibitConstrainedPaths = false
  /// Whether interfaces from peer to peer (AWDL) may be used too.
  public var includePeerToPeer = false
  /// Whether a connection goes past proxies; there are none.
  public var preferNoProxies = false
  /// The local end. Without effect.
  public var requiredLocalEndpoint: NWEndpoint?
  /// Whether a local end may be used twice. Without effect.
  public var allowLocalEndpointReuse = false
  /// Whether a listener takes connections of the local link only; there are no others.
  public var acceptLocalOnly = false
  /// Whether octets may go out before the connection is ready. Without effect.
  public var allowFastOpen = false
  /// How traffic is treated.
  public var serviceClass = ServiceClass.bestEffort
  /// Whether several interfaces are used together.
  public var multipathServiceType = MultipathServiceType.disabled
  /// Whether old answers of DNS are used.
  public var expiredDNSBehavior = ExpiredDNSBehavior.systemDefault
  /// Whether answers of DNS have to be signed. Without effect: nothing is looked up there.
  public var requiresDNSSECValidation = false
  /// Whether interfaces with very little room may be used; virtual phones have none.
  public var allowUltraConstrainedPaths = false
  /// Whether a person has asked for it, or the app itself. Without effect.
  public var attribution = Attribution.developer

  /// Whether AWDL is tried before infrastructure, as Multipeer Connectivity does.
  package var prefersPeerToPeer = false

  /// Who has asked for a connection.
  public enum Attribution: Hashable, Sendable {
    /// The app.
    case developer
    /// The app's person.
    case user
  }

  /// Parameters without a transport, as browsers take them.
  public init() {}

  /// Parameters for TCP, with TLS where options are given.
  public convenience init(tls: NWProtocolTLS.Options?, tcp: NWProtocolTCP.Options = NWProtocolTCP.Options()) {
    self.init()
    defaultProtocolStack.transportProtocol = tcp
    if let tls { defaultProtocolStack.applicationProtocols = [tls] }
  }

  /// Parameters for UDP, with DTLS where options are given.
  public convenience init(dtls: NWProtocolTLS.Options?, udp: NWProtocolUDP.Options = NWProtocolUDP.Options()) {
    self.init()
    defaultProtocolStack.transportProtocol = udp
    if let dtls { defaultProtocolStack.applicationProtocols = [dtls] }
  }

  /// TCP without TLS.
  public class var tcp: NWParameters { NWParameters(tls: nil) }
  /// UDP without DTLS.
  public class var udp: NWParameters { NWParameters(dtls: nil) }
  /// TCP with TLS.
  public class var tls: NWParameters { NWParameters(tls: NWProtocolTLS.Options()) }
  /// UDP with DTLS.
  public class var dtls: NWParameters { NWParameters(dtls: NWProtocolTLS.Options()) }

  /// Parameters with the same values.
  public func copy() -> NWParameters {
    let copy = NWParameters()
    copy.defaultProtocolStack.applicationProtocols = defaultProtocolStack.applicationProtocols
    copy.defaultProtocolStack.transportProtocol = defaultProtocolStack.transportProtocol
    copy.defaultProtocolStack.internetProtocol = defaultProtocolStack.internetProtocol
    copy.requiredInterface = requiredInterface
    copy.requiredInterfaceType = requiredInterfaceType
    copy.prohibitedInterfaces = prohibitedInterfaces
    copy.prohibitedInterfaceTypes = prohibitedInterfaceTypes
    copy.prohibitExpensivePaths = prohibitExpensivePaths
    copy.prohibitConstrainedPaths = prohibitConstrainedPaths
    copy.includePeerToPeer = includePeerToPeer
    copy.preferNoProxies = preferNoProxies
    copy.requiredLocalEndpoint = requiredLocalEndpoint
    copy.allowLocalEndpointReuse = allowLocalEndpointReuse
    copy.acceptLocalOnly = acceptLocalOnly
    copy.allowFastOpen = allowFastOpen
    copy.serviceClass = serviceClass
    copy.multipathServiceType = multipathServiceType
    copy.expiredDNSBehavior = expiredDNSBehavior
    copy.requiresDNSSECValidation = requiresDNSSECValidation
    copy.allowUltraConstrainedPaths = allowUltraConstrainedPaths
    copy.attribution = attribution
    copy.prefersPeerToPeer = prefersPeerToPeer
    return copy
  }

  /// The protocols, and whether peer to peer is included.
  public var debugDescription: String {
    let stack = defaultProtocolStack.applicationProtocols + [defaultProtocolStack.transportProtocol].compactMap(\.self)
    let names = stack.map(\.definition.name).joined(separator: ", ")
    return (names.isEmpty ? "generic" : names) + (includePeerToPeer ? ", peer to peer" : "")
  }
}

extension NWParameters {
  var isDatagram: Bool { defaultProtocolStack.transportProtocol is NWProtocolUDP.Options }
  var hasTLS: Bool { defaultProtocolStack.applicationProtocols.contains { $0 is NWProtocolTLS.Options } }

  /// The interfaces that may be used, the preferred one first.
  var allowedInterfaces: [NetworkInterface] {
    if let requiredInterface { return [requiredInterface.word].compactMap(\.self).filter(isAllowed) }
    let allowed = NetworkInterface.allCases.filter { ($0 == .infrastructure || includePeerToPeer) && isAllowed($0) }
    return prefersPeerToPeer ? allowed.reversed() : allowed
  }

  private func isAllowed(_ interface: NetworkInterface) -> Bool {
    let shown = NWInterface(interface)
    return (requiredInterfaceType == .other || requiredInterfaceType == shown.type)
      && prohibitedInterfaces?.contains(shown) != true && prohibitedInterfaceTypes?.contains(shown.type) != true
  }

  /// What TCP asks when the other end is silent; nil: nothing.
  var keepAlive: KeepAliveRequest? {
    guard let tcp = defaultProtocolStack.transportProtocol as? NWProtocolTCP.Options, tcp.enableKeepalive else {
      return nil
    }
    func value(_ chosen: Int, _ usual: Int64) -> Int64 { chosen > 0 ? Int64(chosen) : usual }
    return KeepAliveRequest(
      idle: .seconds(value(tcp.keepaliveIdle, 7_200)), interval: .seconds(value(tcp.keepaliveInterval, 75)),
      count: Int(value(tcp.keepaliveCount, 8)))
  }

  /// Seconds after which an attempt is over; nil: when TCP gives up.
  var connectionTimeout: Int? {
    let tcp = defaultProtocolStack.transportProtocol as? NWProtocolTCP.Options
    return tcp.flatMap { $0.connectionTimeout > 0 ? $0.connectionTimeout : nil }
  }
}
