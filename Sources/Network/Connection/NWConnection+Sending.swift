import AppSeam
import CoreBluetooth

/// Content on its way to the system.
struct Outgoing {
  var octets: [UInt8]
  /// The own side is closed after it.
  var closes: Bool
  var completion: (@Sendable (NWError?) -> Void)?
  /// It was given to the system, which has not answered.
  var isSubmitted = false
  /// A framer wrote it by itself: it goes before the framer is ready.
  var isOfFramer = false
}

/// Content that waits for the framer to be made.
struct Unframed {
  var content: Data
  var context: NWConnection.ContentContext
  var isComplete: Bool
  var completion: (@Sendable (NWError?) -> Void)?
}

extension NWConnection {
  /// Sends content: octets of a stream, or one datagram.
  ///
  /// The content waits until the connection is ready, and while the system has no room; content is sent in the order of
  /// calls.
  /// - Parameters:
  ///   - content: nil: only the context's end is said.
  ///   - contentContext: with a final one the own side is closed once the content is complete.
  ///   - isComplete: whether the content ends its message.
  ///   - completion: what happens when the system has taken it.
  @preconcurrency
  public func send(
    content: Data?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
    completion: SendCompletion
  ) {
    note(
      "send(content:contentContext:isComplete:completion:)",
      [content.map { CallWord.text(of: $0) } ?? "nil", contentContext.identifier, "\(isComplete)"])
    var called: (@Sendable (NWError?) -> Void)?
    if case .contentProcessed(let body) = completion { called = body }
    guard let network, phase != .failed, phase != .cancelling, phase != .cancelled else {
      network?.phone.remark(
        .misuse, .sendOnEnded, "\(text): content is sent on a connection that is over; it is dropped")
      return complete(called, phase == .failed ? .posix(.ENOTCONN) : .posix(.ECANCELED))
    }
    if isFinished || outbox.contains(where: \.closes) {
      network.phone.remark(.misuse, .sendAfterEnd, "\(text): content follows a final message; it is dropped")
      return complete(called, .posix(.EPIPE))
    }
    let closes = contentContext.isFinal && isComplete
    if hasFramer {
      unframed.append(
        Unframed(content: content ?? Data(), context: contentContext, isComplete: isComplete, completion: called))
      frameContent()
    } else {
      add(Outgoing(octets: content.map(Array.init) ?? [], closes: closes, completion: called))
    }
  }

  /// As above, for any kind of octets.
  @preconcurrency
  public func send<Content: DataProtocol>(
    content: Content?, contentContext: ContentContext = .defaultMessage, isComplete: Bool = true,
    completion: SendCompletion
  ) {
    send(
      content: content.map { Data($0) }, contentContext: contentContext, isComplete: isComplete,
      completion: completion)
  }

  func add(_ outgoing: Outgoing) {
    outbox.append(outgoing)
    if batchDepth == 0 { pump() }
  }

  /// Gives the system what it may have: one at a time, since it answers whether it has taken it.
  func pump() {
    guard let network, let id, phase == .ready, !isSubmitting, !isFull else { return }
    while let first = outbox.first, framer?.isReady != false || first.isOfFramer {
      if first.octets.isEmpty, !parameters.isDatagram || first.closes {
        outbox.removeFirst()
        finish(first)
        continue
      }
      if parameters.isDatagram, first.octets.count > maximumDatagramSize {
        network.phone.remark(
          .misuse, .datagramTooLong,
          "\(text): a datagram of \(first.octets.count) octets is sent; \(maximumDatagramSize) is the most")
        outbox.removeFirst()
        complete(first.completion, .posix(.EMSGSIZE))
        continue
      }
      outbox[0].isSubmitted = true
      isSubmitting = true
      return network.ask(.send(id, octets: first.octets))
    }
  }

  private func finish(_ sent: Outgoing) {
    complete(sent.completion, nil)
    guard sent.closes, !isFinished, let id else { return }
    isFinished = true
    if !parameters.isDatagram { network?.ask(.finish(id)) }
  }

  /// The system has answered to `send`.
  func submitted(_ isAccepted: Bool) {
    isSubmitting = false
    guard phase == .ready, !outbox.isEmpty else { return }
    if isAccepted {
      finish(outbox.removeFirst())
      pump()
    } else if parameters.isDatagram {
      // A datagram that finds no room is lost.
      complete(outbox.removeFirst().completion, .posix(.ENOBUFS))
      pump()
    } else {
      outbox[0].isSubmitted = false
      isFull = true
    }
  }

  func hasRoom() {
    isFull = false
    pump()
  }

  func complete(_ completion: (@Sendable (NWError?) -> Void)?, _ error: NWError?) {
    guard let completion, let network, let queue = queue ?? fallbackQueue else { return }
    network.phone.call(on: queue) { completion(error) }
  }

  /// Completions of a connection that was never started.
  private var fallbackQueue: DispatchQueue? { phase == .cancelled ? .main : nil }

  /// Nothing waits any more: who does is told why.
  func settleAll(with error: NWError) {
    let waiting = outbox.map(\.completion) + unframed.map(\.completion)
    outbox = []
    unframed = []
    for completion in waiting { complete(completion, error) }
    let asked = requests
    requests = []
    for request in asked { answer(request, nil, error) }
  }
}
