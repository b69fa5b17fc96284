import Network

/// One connection, with what both ends need of it.
final class P2PStream {
  let connection: NWConnection
  /// Ready; the name of the interface that carries it.
  var onReady: ((P2PStream, String) -> Void)?
  var onOctets: ((P2PStream, [UInt8]) -> Void)?
  /// The other end has nothing more to send, or the connection failed.
  var onEnd: ((P2PStream, NWError?) -> Void)?
  var onViability: ((P2PStream, Bool) -> Void)?
  var onBetterPath: ((P2PStream) -> Void)?
  private(set) var isViable = true
  private(set) var interface: String?
  private var isOver = false
  private var isReading = true
  private var isAsking = false

  init(_ connection: NWConnection) { self.connection = connection }

  /// The device at the other end of a connection that came in.
  var peer: String {
    if case .hostPort(let host, _) = connection.endpoint { return "\(host)" }
    return ""
  }

  /// The number of the connection, as logs have it: `[C12 …]`.
  var number: Int { Int(connection.debugDescription.dropFirst(2).prefix { $0.isNumber }) ?? 0 }

  func start() {
    connection.stateUpdateHandler = { [weak self] in self?.stateChanged($0) }
    connection.viabilityUpdateHandler = { [weak self] isViable in
      guard let self, !isOver, isViable != self.isViable else { return }
      self.isViable = isViable
      onViability?(self, isViable)
    }
    connection.betterPathUpdateHandler = { [weak self] isThere in
      if let self, isThere, !isOver { onBetterPath?(self) }
    }
    connection.start(queue: .main)
  }

  private func stateChanged(_ state: NWConnection.State) {
    guard !isOver else { return }
    switch state {
    case .ready:
      let name = connection.currentPath?.availableInterfaces.first?.name ?? ""
      interface = name
      onReady?(self, name)
      read()
    // The other end did not take it. The system would try again when the network changes; the app has waits of its own.
    case .waiting(.posix(.ECONNREFUSED)), .waiting(.posix(.ETIMEDOUT)):
      connection.cancel()
      end(.posix(.ECONNREFUSED))
    case .failed(let error): end(error)
    default: break
    }
  }

  private func read() {
    guard isReading, !isAsking, !isOver else { return }
    isAsking = true
    connection.receive(minimumIncompleteLength: 1, maximumLength: 65_536) { [weak self] data, _, isComplete, error in
      guard let self else { return }
      isAsking = false
      if let data, !isOver { onOctets?(self, [UInt8](data)) }
      if isComplete { return end(nil) }
      if error == nil { read() }
    }
  }

  func setReading(_ isOn: Bool) {
    isReading = isOn
    read()
  }

  private func end(_ error: NWError?) {
    guard !isOver else { return }
    isOver = true
    onEnd?(self, error)
  }

  /// Sends octets; `taken` is called when the system has them, and not if the connection is over by then.
  func send(_ octets: [UInt8], taken: @escaping () -> Void) {
    connection.send(
      content: Data(octets),
      completion: .contentProcessed { [weak self] error in
        if let self, error == nil, !isOver { taken() }
      })
  }

  /// There is nothing more to send.
  func finish() {
    connection.send(content: nil, contentContext: .finalMessage, isComplete: true, completion: .idempotent)
  }

  func cancel() {
    isOver = true
    connection.cancel()
  }
}
