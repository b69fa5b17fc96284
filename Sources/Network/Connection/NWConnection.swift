import AppSeam
import CoreBluetooth

/// A connection between this phone and another device, for streams or datagrams.
///
/// Source: Apple, `NWConnection`. Handlers and completions are called on the queue of `start(queue:)`, in virtual time.
/// A connection that was started stays until it is over, as Apple's does, whoever holds it.
public final class NWConnection: @unchecked Sendable, CustomDebugStringConvertible {
  /// What a connection is doing.
  public enum State: Equatable, Sendable {
    /// It was not started.
    case setup
    /// There is no way to the other end now, or the other end did not take it; the system tries again when the network
    /// changes.
    case waiting(NWError)
    /// The other end is looked up and asked.
    case preparing
    /// Content can be sent and received.
    case ready
    /// It is over, and not by the app.
    case failed(NWError)
    /// The app has ended it; nothing more is told.
    case cancelled
  }

  /// What goes on below the state that the app was told.
  enum Phase {
    case setup, resolving, asking, stuck, ready, failed, cancelling, cancelled
  }

  /// The other end. A connection that came in has the device's name in the network, the same on all interfaces.
  public let endpoint: NWEndpoint
  /// How the connection uses the network.
  public let parameters: NWParameters
  /// The state as the app was told last.
  public internal(set) var state = State.setup
  /// The queue of handlers and completions; nil before the start.
  public internal(set) var queue: DispatchQueue?

  /// Is called after each change of the state; the last call is that of `cancelled`.
  @preconcurrency public var stateUpdateHandler: (@Sendable (State) -> Void)?
  /// Is called with the path once the connection is ready, and after each change.
  @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)?
  /// Is called when a ready connection can, or cannot, carry anything.
  @preconcurrency public var viabilityUpdateHandler: (@Sendable (Bool) -> Void)?
  /// Is called when there is, or is no longer, a better interface for a new connection to the same service.
  @preconcurrency public var betterPathUpdateHandler: (@Sendable (Bool) -> Void)?

  let network: PhoneNetwork?
  /// That of the seam; another one for each attempt.
  var id: ConnectionID?
  var phase = Phase.setup
  var interface: NetworkInterface?
  /// Came in by a listener.
  let isIncoming: Bool
  /// An attempt that the seam has no number for any more: the text of the connection keeps it.
  private var shownNumber = 0

  var outbox: [Outgoing] = []
  var isSubmitting = false
  var isFull = false
  var isFinished = false
  var inbox = Inbox()
  var requests: [ReceiveRequest] = []
  var isReading = true
  var framer: FramerRun?
  /// Content and octets from before the framer was made.
  var unframed: [Unframed] = []
  var early: [UInt8] = []
  var isEarlyEnd = false
  /// What a connection came to that its app has not started yet.
  var earlyEnd: NetworkReason?
  var batchDepth = 0

  /// A connection to an endpoint; nothing happens before `start(queue:)`.
  public init(to endpoint: NWEndpoint, using parameters: NWParameters) {
    self.endpoint = endpoint
    self.parameters = parameters
    isIncoming = false
    network = PhoneNetwork.current(for: "a connection")
  }

  /// A connection to a host; the bench's devices are reached by services only.
  public convenience init(host: NWEndpoint.Host, port: NWEndpoint.Port, using parameters: NWParameters) {
    self.init(to: .hostPort(host: host, port: port), using: parameters)
  }

  /// A connection that came in, and is ready once the app starts it.
  init(
    from peer: String, _ id: ConnectionID, _ interface: NetworkInterface, _ listener: NWListener,
    _ network: PhoneNetwork
  ) {
    // The other end's port is not told; those of one peer differ.
    let port = NWEndpoint.Port(integerLiteral: UInt16(49_152 + id.rawValue % 16_384))
    endpoint = .hostPort(host: .name(peer, nil), port: port)
    parameters = listener.parameters
    isIncoming = true
    self.network = network
    self.id = id
    self.interface = interface
    shownNumber = id.rawValue
  }

  /// `[C2 Keynote._talk._tcp.local. tcp]`: the number is the seam's, of the newest attempt.
  public var debugDescription: String {
    "[C\(shownNumber) \(endpoint.debugDescription) \(parameters.debugDescription)]"
  }

  // MARK: Start and end

  /// Begins to connect, and names the queue of all handlers. A second call is ignored.
  public func start(queue: DispatchQueue) {
    note("start(queue:)")
    guard let network else { return }
    if self.queue != nil || phase != .setup {
      let name: CBRemark.Name = phase == .cancelled || phase == .cancelling ? .startedAfterCancel : .startedTwice
      network.phone.remark(.misuse, name, "\(text) is started again, or after its end; the call is ignored")
      return
    }
    self.queue = queue
    network.phone.know(queue)
    network.check(parameters)
    network.opened(self)
    if isIncoming {
      show(.preparing)
      becameReady(over: interface ?? .infrastructure)
      if let earlyEnd { broke(earlyEnd) }
      return
    }
    show(.preparing)
    attempt()
  }

  /// Ends the connection; what the system has taken still goes out. Further calls are ignored.
  public func cancel() {
    note("cancel()")
    end()
  }

  /// As `cancel`; the bench's network resets the stream where something is unsent or unread.
  public func forceCancel() {
    note("forceCancel()")
    end()
  }

  /// Lets a connection that waits try again now.
  public func restart() {
    note("restart()")
    guard isWaiting else { return }
    tryAgain()
  }

  /// Gives up what the connection is connected to, or tries; there is no other address of the same service, so that it
  /// waits from then on.
  public func cancelCurrentEndpoint() {
    note("cancelCurrentEndpoint()")
    guard phase == .ready || phase == .asking || phase == .resolving else { return }
    dropAttempt()
    settleAll(with: .posix(.ECANCELED))
    wait(.posix(.ECANCELED))
  }

  // MARK: What the app may ask

  /// The interfaces that the connection uses; nil: it is not ready.
  public var currentPath: NWPath? {
    guard phase == .ready, let interface else { return nil }
    return NWPath([interface], remote: endpoint)
  }

  /// The longest datagram that can be sent; of a stream 0.
  public var maximumDatagramSize: Int {
    guard parameters.isDatagram else { return 0 }
    return interface == .peerToPeer ? 1_452 : 1_472
  }

  /// What a protocol says of the connection; nil: nothing.
  public func metadata(definition: NWProtocolDefinition) -> NWProtocolMetadata? {
    guard phase == .ready else { return nil }
    if definition == NWProtocolTCP.definition, !parameters.isDatagram {
      let metadata = NWProtocolTCP.Metadata()
      metadata.availableReceiveBuffer = UInt32(clamping: inbox.count)
      metadata.availableSendBuffer = UInt32(clamping: outbox.reduce(0) { $0 + $1.octets.count })
      return metadata
    }
    return definition == NWProtocolUDP.definition && parameters.isDatagram ? NWProtocolUDP.Metadata() : nil
  }

  /// Does several things that belong together, sends and receives; they are done in their order.
  public func batch(_ body: () -> Void) {
    batchDepth += 1
    body()
    batchDepth -= 1
    if batchDepth == 0 {
      pump()
      serve()
    }
  }

  // MARK: For the others

  func numbered(_ id: ConnectionID) {
    self.id = id
    shownNumber = id.rawValue
  }

  /// As texts and the trace call it.
  var text: String { "C\(shownNumber)" }

  func note(_ method: String, _ arguments: [String] = []) {
    network?.note("NWConnection." + method, [text] + arguments)
  }
}
