import AppSeam
import CoreBluetooth

/// Takes connections of other devices, and registers a service.
///
/// Source: Apple, `NWListener`.
public final class NWListener: @unchecked Sendable, CustomDebugStringConvertible {
  /// What a listener is doing.
  public enum State: Equatable, Sendable {
    /// It was not started.
    case setup
    /// There is no network.
    case waiting(NWError)
    /// It takes connections.
    case ready
    /// It is over, and not by the app.
    case failed(NWError)
    /// The app has ended it; nothing more is told.
    case cancelled
  }

  /// No limit.
  public static let InfiniteConnectionLimit = Int.max

  /// How the listener, and the connections that come in, use the network.
  public let parameters: NWParameters
  /// The state as the app was told last.
  public private(set) var state = State.setup
  /// The queue of handlers; nil before the start.
  public private(set) var queue: DispatchQueue?
  /// Where it listens; nil before it is ready.
  public private(set) var port: NWEndpoint.Port?
  /// How many connections are still handed to the app; those beyond it wait.
  public var newConnectionLimit = NWListener.InfiniteConnectionLimit {
    didSet { handOver() }
  }
  /// What it is registered as. A new value takes effect at once.
  public var service: Service? {
    didSet { if isStarted, service != oldValue { serviceChanged(from: oldValue) } }
  }

  /// Is called after each change of the state; the last call is that of `cancelled`.
  @preconcurrency public var stateUpdateHandler: (@Sendable (State) -> Void)?
  /// Is called with each new connection, which the app starts or cancels.
  @preconcurrency public var newConnectionHandler: (@Sendable (NWConnection) -> Void)?
  /// Is called when the service is registered, or no longer.
  @preconcurrency public var serviceRegistrationUpdateHandler: (@Sendable (ServiceRegistrationChange) -> Void)?

  private let network: PhoneNetwork?
  private var registeredName: String?
  private var isStarted = false
  private var isOver = false
  private var arrivals: [NWConnection] = []

  /// A listener without a service, which nobody in the bench can find.
  /// - Throws: nothing here; Apple's initialiser may.
  public init(using parameters: NWParameters, on port: NWEndpoint.Port = .any) throws {
    self.parameters = parameters
    network = PhoneNetwork.current(for: "a listener")
  }

  /// A listener with a service.
  /// - Throws: nothing here; Apple's initialiser may.
  public convenience init(service: Service?, using parameters: NWParameters) throws {
    try self.init(using: parameters)
    self.service = service
  }

  /// Begins to listen, and names the queue of all handlers. A second call is ignored.
  public func start(queue: DispatchQueue) {
    note("start(queue:)")
    guard let network else { return }
    if self.queue != nil || isOver {
      network.phone.remark(
        .misuse, isOver ? .startedAfterCancel : .startedTwice,
        "a listener is started again, or after its end; the call is ignored")
      return
    }
    self.queue = queue
    network.phone.know(queue)
    network.check(parameters)
    if newConnectionHandler == nil {
      network.phone.remark(
        .misuse, .noConnectionHandler, "a listener is started without a newConnectionHandler: it fails, as Apple's does"
      )
      return fail(.posix(.EINVAL))
    }
    isStarted = true
    network.listeners.append(self)
    if network.links == [] { show(.waiting(.posix(.ENETDOWN))) }
    register()
  }

  /// Ends the listener; its connections stay. Further calls are ignored.
  public func cancel() {
    note("cancel()")
    guard !isOver else { return }
    isOver = true
    if isStarted, let service { network?.ask(.stopListening(type: ServiceNames.type(service.type))) }
    network?.listeners.removeAll { $0 === self }
    for connection in arrivals { connection.end() }
    arrivals = []
    if let registeredName { tell(.remove(endpoint(registeredName))) }
    show(.cancelled)
  }

  /// The service, or the port.
  public var debugDescription: String {
    "[L " + (service?.debugDescription ?? "port \(port?.debugDescription ?? "any")") + "]"
  }

  // MARK: The service

  func listens(for type: String) -> Bool { isStarted && service.map { ServiceNames.type($0.type) } == type }
  var isListening: Bool { isStarted && !isOver }

  private func register() {
    guard let network else { return }
    guard let service else {
      network.remarkOnce(
        .limit, .listenerWithoutService,
        "a listener without a service is found by nobody: virtual phones have no addresses")
      return show(.ready)
    }
    let type = ServiceNames.type(service.type)
    if network.listeners.contains(where: { $0 !== self && $0.listens(for: type) }) {
      network.remarkOnce(.limit, .severalListeners, "a second listener of type \(type): the seam has one for each type")
      return fail(.posix(.EADDRINUSE))
    }
    network.ask(
      .listen(
        ListenRequest(
          type: type, name: service.name ?? ServiceNames.phone, peerToPeer: parameters.includePeerToPeer,
          keepAlive: parameters.keepAlive, record: record(of: service))))
  }

  /// The octets of what a service says of itself; without any key none.
  private func record(of service: Service) -> [UInt8] {
    let octets = service.txtRecord.map { Array($0) } ?? []
    if octets == [0] { return [] }
    if !ServiceRecord.isValid(octets) {
      network?.remarkOnce(
        .misuse, .noTextRecord,
        "a TXT record of \(octets.count) octets is none: strings, each after an octet with its length, "
          + "\(ServiceRecord.longest) octets at most; a new listener fails, another record is ignored")
    }
    return octets
  }

  private func serviceChanged(from old: Service?) {
    guard !isOver else { return }
    if let old, let service, old.name == service.name, old.type == service.type {
      let record = record(of: service)
      if record == self.record(of: old) { return }
      network?.ask(.updateRecord(type: ServiceNames.type(service.type), record: record))
      return
    }
    if let old { network?.ask(.stopListening(type: ServiceNames.type(old.type))) }
    if let old, let registeredName { tell(.remove(endpoint(registeredName, type: old.type))) }
    registeredName = nil
    if service != nil { register() }
  }

  private func endpoint(_ name: String, type: String? = nil) -> NWEndpoint {
    .service(name: name, type: type ?? service?.type ?? "", domain: ServiceNames.local, interface: nil)
  }

  // MARK: What the seam tells

  func registered(_ name: String, port: Int) {
    guard !isOver else { return }
    self.port = NWEndpoint.Port(integerLiteral: UInt16(clamping: port))
    show(.ready)
    if let registeredName { tell(.remove(endpoint(registeredName))) }
    registeredName = name
    tell(.add(endpoint(name)))
  }

  func failed(_ reason: NetworkReason) {
    switch reason {
    case .reclaimed: fail(.dns(DNSServiceErrorType(kDNSServiceErr_DefunctConnection)))
    case .noPath, .interfaceOff: fail(.posix(.ENETDOWN))
    default: fail(.dns(DNSServiceErrorType(kDNSServiceErr_BadParam)))
    }
  }

  private func fail(_ error: NWError) {
    isOver = true
    network?.listeners.removeAll { $0 === self }
    show(.failed(error))
  }

  func arrived(_ connection: NWConnection) {
    arrivals.append(connection)
    handOver()
  }

  /// Hands connections to the app, as many as it wants.
  private func handOver() {
    guard let network, let queue, !isOver else { return }
    while newConnectionLimit > 0, !arrivals.isEmpty {
      let connection = arrivals.removeFirst()
      if newConnectionLimit != NWListener.InfiniteConnectionLimit { newConnectionLimit -= 1 }
      network.phone.call(on: queue) { [self] in
        guard let newConnectionHandler else { return connection.end() }
        network.noteCallback("NWListener.newConnectionHandler", [connection.debugDescription])
        newConnectionHandler(connection)
      }
    }
  }

  // MARK: The app

  private func show(_ next: State) {
    guard let network, let queue else {
      state = next
      return
    }
    network.phone.call(on: queue) { [self] in
      if state == .cancelled || state == next { return }
      state = next
      network.noteCallback("NWListener.stateUpdateHandler", [next.text])
      stateUpdateHandler?(next)
      if next == .cancelled {
        stateUpdateHandler = nil
        newConnectionHandler = nil
        serviceRegistrationUpdateHandler = nil
      }
    }
  }

  private func tell(_ change: ServiceRegistrationChange) {
    guard let network, let queue else { return }
    network.phone.call(on: queue) { [self] in
      guard state != .cancelled, let serviceRegistrationUpdateHandler else { return }
      network.noteCallback("NWListener.serviceRegistrationUpdateHandler", [change.text])
      serviceRegistrationUpdateHandler(change)
    }
  }

  private func note(_ method: String) { network?.note("NWListener." + method, [debugDescription]) }
}

extension NWListener.State {
  /// As the trace shows it.
  fileprivate var text: String {
    switch self {
    case .setup: "setup"
    case .waiting(let error): "waiting(\(error.debugDescription))"
    case .ready: "ready"
    case .failed(let error): "failed(\(error.debugDescription))"
    case .cancelled: "cancelled"
    }
  }
}

extension NWListener.ServiceRegistrationChange {
  fileprivate var text: String {
    switch self {
    case .add(let endpoint): "add \(endpoint.debugDescription)"
    case .remove(let endpoint): "remove \(endpoint.debugDescription)"
    }
  }
}
