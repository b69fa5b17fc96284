import AppSeam
import CoreBluetooth

/// A call of the app that waits for content.
struct ReceiveRequest {
  enum Kind: Equatable {
    case portion(minimum: Int, maximum: Int)
    case message
  }

  var kind: Kind
  var completion: @Sendable (Data?, NWConnection.ContentContext?, Bool, NWError?) -> Void
}

extension NWConnection {
  /// Unread octets from which on the system is asked to read no more, and below which it reads again.
  private static let highWater = 65_536
  private static let lowWater = 32_768

  /// Waits for so many octets, and calls with what is there then; once for each call.
  ///
  /// Content that is complete comes with fewer octets. After the other end's last octet `isComplete` is true, and the
  /// context is final.
  @preconcurrency
  public func receive(
    minimumIncompleteLength: Int, maximumLength: Int,
    completion: @escaping @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void
  ) {
    note(
      "receive(minimumIncompleteLength:maximumLength:completion:)", ["\(minimumIncompleteLength)", "\(maximumLength)"])
    if minimumIncompleteLength > maximumLength || maximumLength < 1 {
      network?.phone.remark(
        .misuse, .receiveLimits,
        "\(text): at least \(minimumIncompleteLength) and at most \(maximumLength) octets are wanted")
    }
    let maximum = max(1, maximumLength)
    request(.portion(minimum: min(max(1, minimumIncompleteLength), maximum), maximum: maximum), completion)
  }

  /// Waits for a whole message: a datagram, what a framer delivers as one, or a stream from here to its end.
  @preconcurrency
  public func receiveMessage(
    completion: @escaping @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void
  ) {
    note("receiveMessage(completion:)")
    request(.message, completion)
  }

  private func request(
    _ kind: ReceiveRequest.Kind, _ completion: @escaping @Sendable (Data?, ContentContext?, Bool, NWError?) -> Void
  ) {
    let request = ReceiveRequest(kind: kind, completion: completion)
    switch phase {
    case .failed: answer(request, nil, .posix(.ENOTCONN))
    case .cancelling, .cancelled: answer(request, nil, .posix(.ECANCELED))
    default:
      requests.append(request)
      if batchDepth == 0 { serve() }
    }
  }

  // MARK: What the seam tells

  func received(_ octets: [UInt8]) {
    guard phase == .ready || phase == .setup else { return }
    if let framer {
      framer.input(Data(octets))
    } else if phase == .setup, hasFramer {
      early.append(contentsOf: octets)
    } else {
      inbox.append(Data(octets), completes: parameters.isDatagram)
    }
    serve()
    reviewReading()
  }

  func peerEnded() {
    guard phase == .ready || phase == .setup else { return }
    if let framer { framer.inputEnded() }
    if framer == nil, hasFramer { isEarlyEnd = true } else { inbox.end() }
    serve()
  }

  /// Gives requests what is there for them, in their order.
  func serve() {
    guard phase == .ready, state != .setup || queue != nil else { return }
    while let first = requests.first {
      if inbox.isOver {
        requests.removeFirst()
        answer(first, nil, .posix(.ENODATA))
        continue
      }
      let portion =
        switch first.kind {
        case .portion(let minimum, let maximum): inbox.portion(minimum, maximum)
        case .message: inbox.message()
        }
      guard let portion else { break }
      requests.removeFirst()
      answer(first, portion, nil)
    }
    reviewReading()
  }

  func answer(_ request: ReceiveRequest, _ portion: Inbox.Portion?, _ error: NWError?) {
    guard let network, let queue else { return }
    network.phone.call(on: queue) { [self] in
      let context = portion.map { portion in
        ContentContext(
          identifier: portion.isFinal ? "final" : "received", isFinal: portion.isFinal && portion.isComplete,
          metadata: portion.metadata)
      }
      // An end without octets has none, and an empty datagram is one.
      let content = portion.flatMap { $0.octets.isEmpty && ($0.isFinal || !parameters.isDatagram) ? nil : $0.octets }
      network.noteCallback(
        request.kind == .message ? "NWConnection.receiveMessage" : "NWConnection.receive",
        [
          text, content.map { CallWord.text(of: $0) } ?? "nil", "\(portion?.isComplete ?? false)",
          error?.debugDescription ?? "nil",
        ])
      request.completion(content, context, portion?.isComplete ?? false, error)
    }
  }

  /// An app that does not ask for what has come fills its buffer, and then the other end's.
  private func reviewReading() {
    guard let id, phase == .ready || phase == .setup, !parameters.isDatagram else { return }
    let unread = inbox.count + (framer?.unparsed ?? 0) + early.count
    if isReading, requests.isEmpty, unread >= Self.highWater {
      isReading = false
      network?.ask(.read(id, false))
    } else if !isReading, unread < Self.lowWater || !requests.isEmpty {
      isReading = true
      network?.ask(.read(id, true))
    }
  }
}
