extension NWConnection {
  /// What content is, beside its octets.
  ///
  /// Source: Apple, `NWConnection.ContentContext`.
  public class ContentContext: @unchecked Sendable {
    /// For people.
    public let identifier: String
    /// After how many milliseconds content that waits need not be sent any more. Without effect.
    public let expirationMilliseconds: UInt64
    /// 0 to 1. Without effect.
    public let relativePriority: Double
    /// What is sent before. Without effect: content is sent in the order of calls.
    public let antecedent: NWConnection.ContentContext?
    /// Whether nothing follows, once content of it is complete.
    public let isFinal: Bool
    /// What protocols say of the content, or are told.
    public let protocolMetadata: [NWProtocolMetadata]

    /// A context for sending.
    public init(
      identifier: String, expiration: UInt64 = 0, priority: Double = 0.5, isFinal: Bool = false,
      antecedent: NWConnection.ContentContext? = nil, metadata: [NWProtocolMetadata]? = []
    ) {
      self.identifier = identifier
      expirationMilliseconds = expiration
      relativePriority = priority
      self.isFinal = isFinal
      self.antecedent = antecedent
      protocolMetadata = metadata ?? []
    }

    /// What one protocol says; nil: nothing.
    public func protocolMetadata(definition: NWProtocolDefinition) -> NWProtocolMetadata? {
      protocolMetadata.first { $0.definition == definition }
    }

    /// A message among others; the connection stays open.
    public static let defaultMessage = ContentContext(identifier: "defaultMessage")
    /// The last message: once it is complete, the own side is closed.
    public static let finalMessage = ContentContext(identifier: "finalMessage", isFinal: true)
    /// The whole stream as one message: once it is complete, the own side is closed.
    public static let defaultStream = ContentContext(identifier: "defaultStream", isFinal: true)
  }

  /// What happens when the system has taken content.
  ///
  /// Source: Apple, `NWConnection.SendCompletion`.
  public enum SendCompletion: Sendable {
    /// It is called when the system has taken the content, or cannot; nil: it was taken, which does not mean that it
    /// has arrived.
    case contentProcessed(@Sendable (NWError?) -> Void)
    /// Nobody is told, and the content may go out twice; the bench sends it once.
    case idempotent
  }
}
