import Network

/// The connection between two peers. Frames have a kind, a length and a body; Apple's are not published.
final class PeerStream: @unchecked Sendable {
  enum Kind: UInt8 {
    case message = 1
    case invitation = 2
    case accepted = 3
    case declined = 4
    case connected = 5
    /// The context of the invitation that follows.
    case context = 6
  }

  /// Octets of a message.
  private static let longest = 16 * 1_024 * 1_024
  private static let headerLength = 5

  let connection: NWConnection
  let queue: DispatchQueue
  var onReady: (() -> Void)?
  var onFrame: ((Kind, Data) -> Void)?
  var onEnd: (() -> Void)?
  private var buffer = Data()
  private var isOver = false

  init(_ connection: NWConnection, queue: DispatchQueue) {
    self.connection = connection
    self.queue = queue
  }

  /// The device at the other end of a connection that came in.
  var deviceName: String {
    if case .hostPort(let host, _) = connection.endpoint { "\(host)" } else { connection.endpoint.debugDescription }
  }

  func start() {
    connection.stateUpdateHandler = { [weak self] state in
      guard let self, !isOver else { return }
      switch state {
      case .ready: onReady?()
      case .failed, .waiting(.posix(.ECONNREFUSED)), .waiting(.posix(.ETIMEDOUT)): end()
      default: break
      }
    }
    connection.start(queue: queue)
    read()
  }

  private func read() {
    connection.receive(minimumIncompleteLength: 1, maximumLength: 65_536) { [weak self] data, _, isComplete, error in
      guard let self, !isOver else { return }
      if let data {
        buffer.append(data)
        parse()
      }
      if isComplete { end() } else if error == nil { read() }
    }
  }

  private func parse() {
    while !isOver, buffer.count >= Self.headerLength {
      let header = [UInt8](buffer.prefix(Self.headerLength))
      let length = header.dropFirst().reduce(0) { $0 << 8 | Int($1) }
      guard let kind = Kind(rawValue: header[0]), length <= Self.longest else { return end() }
      guard buffer.count >= Self.headerLength + length else { return }
      let body = Data(buffer.dropFirst(Self.headerLength).prefix(length))
      buffer = Data(buffer.dropFirst(Self.headerLength + length))
      onFrame?(kind, body)
    }
  }

  func send(_ kind: Kind, _ body: Data = Data()) {
    guard !isOver else { return }
    let length = UInt32(body.count)
    let header = [kind.rawValue] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
    connection.send(content: Data(header) + body, completion: .idempotent)
  }

  /// There is nothing more to send.
  func finish() {
    connection.send(content: nil, contentContext: .finalMessage, isComplete: true, completion: .idempotent)
  }

  func cancel() {
    isOver = true
    connection.cancel()
  }

  private func end() {
    guard !isOver else { return }
    isOver = true
    connection.cancel()
    onEnd?()
  }
}
