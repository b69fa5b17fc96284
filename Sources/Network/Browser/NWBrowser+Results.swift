extension NWBrowser {
  /// What a browser looks for.
  ///
  /// Source: Apple, `NWBrowser.Descriptor`.
  public enum Descriptor: Hashable, Sendable {
    /// Services of a type.
    case bonjour(type: String, domain: String?)
    /// Services of a type, with what they say of themselves.
    case bonjourWithTXTRecord(type: String, domain: String?)
    /// Applications of a name, which are those of another system service; nothing is found.
    case applicationService(name: String)

    /// The type of the services; nil: it looks for none.
    var type: String? {
      switch self {
      case .bonjour(let type, _), .bonjourWithTXTRecord(let type, _): ServiceNames.type(type)
      case .applicationService: nil
      }
    }
  }

  /// One service that was found.
  ///
  /// Source: Apple, `NWBrowser.Result`.
  public struct Result: Hashable, Sendable, CustomDebugStringConvertible {
    /// What a service says of itself.
    public enum Metadata: Hashable, Sendable, CustomDebugStringConvertible {
      /// It was not asked.
      case none
      /// Its TXT record.
      case bonjour(NWTXTRecord)

      /// `none`, or the record.
      public var debugDescription: String {
        switch self {
        case .none: "none"
        case .bonjour(let record): record.debugDescription
        }
      }
    }

    /// The service.
    public let endpoint: NWEndpoint
    /// The interfaces over which it was found, the preferred one first.
    public let interfaces: [NWInterface]
    /// What it says of itself.
    public let metadata: Metadata

    /// The endpoint and its interfaces.
    public var debugDescription: String {
      endpoint.debugDescription + " on " + interfaces.map(\.name).joined(separator: ", ")
    }

    /// One thing that changed between two sets of results.
    public enum Change: Hashable, Sendable {
      /// What differs in a result.
      public struct Flags: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt64
        /// Flags by their bits.
        public init(rawValue: UInt64) { self.rawValue = rawValue }
        /// Nothing.
        public static let identical = Flags(rawValue: 1)
        /// An interface is new.
        public static let interfaceAdded = Flags(rawValue: 8)
        /// An interface is gone.
        public static let interfaceRemoved = Flags(rawValue: 16)
        /// The service says something else.
        public static let metadataChanged = Flags(rawValue: 32)
      }

      /// Nothing changed.
      case identical
      /// A service was found.
      case added(NWBrowser.Result)
      /// A service is gone.
      case removed(NWBrowser.Result)
      /// A service is reached in another way, or says something else.
      case changed(old: NWBrowser.Result, new: NWBrowser.Result, flags: Flags)

      /// What differs between two results; nil: there is none.
      public init(between old: NWBrowser.Result?, _ new: NWBrowser.Result?) {
        switch (old, new) {
        case (nil, nil): self = .identical
        case (nil, let new?): self = .added(new)
        case (let old?, nil): self = .removed(old)
        case (let old?, let new?):
          if old == new {
            self = .identical
            return
          }
          var flags: Flags = []
          if new.interfaces.contains(where: { !old.interfaces.contains($0) }) { flags.insert(.interfaceAdded) }
          if old.interfaces.contains(where: { !new.interfaces.contains($0) }) { flags.insert(.interfaceRemoved) }
          if old.metadata != new.metadata { flags.insert(.metadataChanged) }
          self = .changed(old: old, new: new, flags: flags)
        }
      }
    }
  }
}
