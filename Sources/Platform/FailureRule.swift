public import SimKernel

/// Something that an app asks its platform for, and that may fail.
public enum FailingOperation: String, Hashable, Sendable, CaseIterable {
  /// A link to a peer.
  case connect
  /// Services, characteristics or descriptors of the other end.
  case discovery
  /// Switching on notifications or indications.
  case subscription
  case read
  /// A write with response.
  case write
  case attMTU = "att mtu"

  /// For people, as the subject of a sentence.
  package var words: String {
    switch self {
    case .connect: "a connection"
    case .discovery: "a discovery"
    case .subscription: "a subscription"
    case .read: "a read"
    case .write: "a write"
    case .attMTU: "an exchange of the ATT_MTU"
    }
  }
}

/// Failures on order: what an app, or a peer of its server, asks for is not done, and ends in an error.
public struct FailureRule: Hashable, Sendable {
  /// Who asks for what fails.
  public enum Asker: String, Hashable, Sendable, CaseIterable {
    /// The app of the device: nothing of it is on the air.
    case app
    /// Peers of the device's server: they get an ATT Error Response (Core v5.4, Vol 3, Part F, 3.4.1.1).
    case peers
  }

  public var operation: FailingOperation
  public var asker: Asker
  /// What the app is told, as a platform says it: an ATT error, a reason of the controller or a status of the platform
  /// such as Android's 133. Peers get it as the code of an ATT Error Response.
  public var code: UInt8
  /// Every how many-th one fails, from the step on.
  public var everyNth: Int
  /// How many fail in all; nil: without end.
  public var count: Int?
  /// How long a failing attempt to connect takes; everything else fails at once.
  public var delay: SimDuration

  public init(
    operation: FailingOperation, asker: Asker = .app, code: UInt8, everyNth: Int = 1, count: Int? = nil,
    delay: SimDuration = .zero
  ) {
    self.operation = operation
    self.asker = asker
    self.code = code
    self.everyNth = everyNth
    self.count = count
    self.delay = delay
  }
}
