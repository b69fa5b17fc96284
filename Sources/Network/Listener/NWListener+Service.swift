extension NWListener {
  /// What a listener is registered as.
  ///
  /// Source: Apple, `NWListener.Service`.
  public struct Service: Equatable, Sendable, CustomDebugStringConvertible {
    /// The name; nil: the phone's.
    public let name: String?
    /// The type, `_name._tcp` or `_name._udp`.
    public let type: String
    /// The domain; nil: all. The bench has the local link.
    public let domain: String?
    /// What the service says of itself, as the octets of a TXT record, 1 200 at most.
    public let txtRecord: Data?
    /// Whether a name that is taken is not changed. Without effect: the network gives another one.
    public var noAutoRename = false
    /// The same as keys with values.
    public var txtRecordObject: NWTXTRecord? { txtRecord.map { NWTXTRecord($0) } }

    /// A service with what it says as octets.
    public init(name: String? = nil, type: String, domain: String? = nil, txtRecord: Data? = nil) {
      self.name = name
      self.type = type
      self.domain = domain
      self.txtRecord = txtRecord
    }

    /// A service with what it says as keys with values.
    public init(name: String? = nil, type: String, domain: String? = nil, txtRecord: NWTXTRecord) {
      self.init(name: name, type: type, domain: domain, txtRecord: txtRecord.data)
    }

    /// `Keynote._talk._tcp.*`.
    public var debugDescription: String {
      let record = txtRecord.map { $0.isEmpty ? "" : " <\($0.count) bytes of txt>" } ?? ""
      return "\(name ?? "*").\(type).\(domain ?? "*")\(record)"
    }
  }

  /// Something about the registration of a listener's service.
  ///
  /// Source: Apple, `NWListener.ServiceRegistrationChange`.
  public enum ServiceRegistrationChange: Hashable, Sendable {
    /// It is registered as this endpoint, whose name may not be the one that was asked for.
    case add(NWEndpoint)
    /// It is no longer registered as this endpoint.
    case remove(NWEndpoint)
  }
}
