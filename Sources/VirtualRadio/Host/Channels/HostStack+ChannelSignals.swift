import BluetoothWire
import SimKernel

/// The signals of LE credit based channels.
extension HostStack {
  /// RTX: how long a request may stay unanswered. Spec: Core v5.4, Vol 3, Part A, 6.2.1, which allows 1 s to 60 s.
  static let channelAnswerTimeout = SimDuration.seconds(30)

  /// Commands that a stack without credit based channels does not understand (4.6, 4.7, 4.22 to 4.24).
  static func isChannelCommand(_ code: UInt8) -> Bool { [0x06, 0x07, 0x14, 0x15, 0x16].contains(code) }

  func receiveChannelSignal(_ link: Link, _ signal: L2CAP.Signal) {
    switch signal {
    case .creditBasedConnectionRequest(let identifier, let request): answer(link, identifier, request)
    case .creditBasedConnectionResponse(let identifier, let response): answered(link, identifier, response)
    case .flowControlCredit(_, let endpoint, let credits): receiveCredits(link, endpoint, Int(credits))
    case .disconnectionRequest(let identifier, let destination, let source):
      answerDisconnection(link, identifier, destination, source)
    case .disconnectionResponse(let identifier, let destination, let source):
      // An answer to nothing, or with other identifiers, is discarded (4.7).
      guard let channel = link.channels.first(where: { $0.identifier == identifier }), case .closing = channel.phase,
        channel.local == source, channel.remote == destination
      else { return }
      remove(link, channel, .owner)
    default: break
    }
  }

  // MARK: Opening

  private func answer(_ link: Link, _ identifier: UInt8, _ request: L2CAP.CreditBasedRequest) {
    guard hasRoomForSignal(link) else { return violation(link, "channel asked for before earlier answers were taken") }
    if let refusal = refusal(of: request, on: link) {
      return sendSignal(link, .creditBasedConnectionResponse(identifier: identifier, .init(refusal)))
    }
    guard let local = freeEndpoint(link) else {
      return sendSignal(link, .creditBasedConnectionResponse(identifier: identifier, .init(.noResources)))
    }
    let settings = configuration.channels
    let channel = CreditChannel(
      channelBook.nextNumber(), psm: request.spsm, isIncoming: true, local: local, settings)
    channel.open(remote: request.source, mtu: request.mtu, mps: request.mps, credits: request.initialCredits)
    link.channels.append(channel)
    sendSignal(
      link,
      .creditBasedConnectionResponse(
        identifier: identifier,
        .init(
          destination: local, mtu: UInt16(settings.allowedMTU), mps: UInt16(settings.allowedMPS),
          initialCredits: UInt16(settings.allowedCredits), result: .success)))
    emit(.channelOpened(link.handle, channel.description))
  }

  /// Why a request is refused; nil when nothing but room decides. Spec: Core v5.4, Vol 3, Part A, 4.22 and 4.23.
  private func refusal(of request: L2CAP.CreditBasedRequest, on link: Link) -> L2CAP.ConnectionResult? {
    guard let listener = channelBook.listener(on: request.spsm) else { return .spsmNotSupported }
    if listener.needsEncryption, let refusal = securityRefusal(link) { return refusal }
    if !L2CAP.dynamicLEChannels.contains(request.source.rawValue) { return .invalidSourceCID }
    if hasChannel(link, to: request.source) { return .sourceCIDAlreadyAllocated }
    return Self.areAcceptable(mtu: request.mtu, mps: request.mps) ? nil : .unacceptableParameters
  }

  private static func areAcceptable(mtu: UInt16, mps: UInt16) -> Bool {
    mtu >= L2CAP.smallestCreditBasedMTU && (L2CAP.smallestCreditBasedMTU...L2CAP.largestMPS).contains(mps)
  }

  private func hasChannel(_ link: Link, to remote: L2CAP.ChannelID) -> Bool {
    link.channels.contains { $0.phase != .opening && $0.remote == remote }
  }

  private func opening(_ link: Link, _ identifier: UInt8) -> CreditChannel? {
    link.channels.first { $0.identifier == identifier && $0.phase == .opening }
  }

  private func answered(_ link: Link, _ identifier: UInt8, _ response: L2CAP.CreditBasedResponse) {
    guard let channel = opening(link, identifier) else {
      return violation(link, "answer to a channel request that nobody sent")
    }
    guard response.result == .success else { return refused(link, channel, .result(response.result)) }
    guard L2CAP.dynamicLEChannels.contains(response.destination.rawValue),
      !hasChannel(link, to: response.destination)
    else {
      violation(link, "channel accepted with endpoint 0x\(String(response.destination.rawValue, radix: 16))")
      return refused(link, channel, .invalidAnswer)
    }
    answerCame(link, channel)
    channel.open(
      remote: response.destination, mtu: response.mtu, mps: response.mps, credits: response.initialCredits)
    if !Self.areAcceptable(mtu: response.mtu, mps: response.mps) {
      violation(link, "channel accepted with an MTU of \(response.mtu) and an MPS of \(response.mps) octets")
      if !channel.isCloseWanted { emit(.channelRefused(link.handle, channel.number, psm: channel.psm, .invalidAnswer)) }
      return disconnect(link, channel, channel.isCloseWanted ? .owner : nil)
    }
    if channel.isCloseWanted { return disconnect(link, channel, .owner) }
    emit(.channelOpened(link.handle, channel.description))
  }

  /// A request came to nothing.
  private func refused(_ link: Link, _ channel: CreditChannel, _ refusal: HostChannelRefusal) {
    forget(link, channel)
    if channel.isCloseWanted {
      emit(.channelClosed(channel.number, refusal == .linkLost ? .linkLost : .owner))
    } else {
      emit(.channelRefused(link.handle, channel.number, psm: channel.psm, refusal))
    }
  }

  // MARK: Credits

  private func receiveCredits(_ link: Link, _ endpoint: L2CAP.ChannelID, _ credits: Int) {
    guard let channel = link.channels.first(where: { $0.phase != .opening && $0.remote == endpoint }) else {
      return violation(link, "credits for channel 0x\(String(endpoint.rawValue, radix: 16)), which nobody opened")
    }
    guard channel.phase == .open else { return }
    if credits == 0 { return violation(link, "credits of 0") }
    channel.credits += credits
    if channel.credits > L2CAP.largestCreditCount {
      return fail(link, channel, "more than \(L2CAP.largestCreditCount) credits")
    }
    serveChannels(link)
  }

  // MARK: Closing

  /// Asks the peer to close; the end is told when it has answered, or after 30 s. Nil tells nothing.
  func disconnect(_ link: Link, _ channel: CreditChannel, _ end: HostChannelEnd?) {
    channel.phase = .closing(end)
    channel.dropQueue()
    awaitAnswer(link, channel)
    sendSignal(
      link,
      .disconnectionRequest(identifier: channel.identifier, destination: channel.remote, source: channel.local))
  }

  private func answerDisconnection(
    _ link: Link, _ identifier: UInt8, _ destination: L2CAP.ChannelID, _ source: L2CAP.ChannelID
  ) {
    guard let channel = link.channels.first(where: { $0.local == destination && $0.phase != .opening }) else {
      let data = [destination, source].flatMap {
        [UInt8(truncatingIfNeeded: $0.rawValue), UInt8(truncatingIfNeeded: $0.rawValue >> 8)]
      }
      return sendSignal(link, .commandReject(identifier: identifier, reason: .invalidChannelID, data: data))
    }
    // Silently discarded (4.6).
    guard channel.remote == source else { return violation(link, "disconnection of a channel with another endpoint") }
    sendSignal(link, .disconnectionResponse(identifier: identifier, destination: destination, source: source))
    remove(link, channel, .peer)
  }

  /// A Command Reject may answer every request. Answers whether it did.
  func channelRequestRejected(_ link: Link, _ identifier: UInt8, _ reason: L2CAP.RejectReason) {
    if let channel = opening(link, identifier) { return refused(link, channel, .rejected(reason)) }
    guard let channel = link.channels.first(where: { $0.identifier == identifier }) else { return }
    remove(link, channel, .owner)
  }

  /// The channel is gone; `end` where nothing else had ended it before.
  private func remove(_ link: Link, _ channel: CreditChannel, _ end: HostChannelEnd) {
    forget(link, channel)
    var told: HostChannelEnd? = end
    if case .closing(let earlier) = channel.phase { told = earlier }
    if let told { emit(.channelClosed(channel.number, told)) }
  }

  private func forget(_ link: Link, _ channel: CreditChannel) {
    link.channels.removeAll { $0 === channel }
    channel.dropQueue()
    updateChannelDeadline(link)
  }

  /// Tells the end of every channel of a link that is gone.
  func loseChannels(_ link: Link) {
    guard !link.channels.isEmpty else { return }
    let lost = link.channels
    for channel in lost {
      switch channel.phase {
      case .opening: refused(link, channel, .linkLost)
      case .open, .closing: remove(link, channel, .linkLost)
      }
    }
  }

  // MARK: Identifiers and timers

  /// The next identifier of a link that no request has which waits for its answer (4).
  func nextSignallingIdentifier(_ link: Link) -> UInt8 {
    repeat {
      link.signallingIdentifier = link.signallingIdentifier == 0xFF ? 1 : link.signallingIdentifier + 1
    } while link.parameterRequestIdentifier == link.signallingIdentifier
      || link.channels.contains { $0.identifier == link.signallingIdentifier }
    return link.signallingIdentifier
  }

  /// A request of the channel is about to be sent.
  func awaitAnswer(_ link: Link, _ channel: CreditChannel) {
    channel.identifier = nextSignallingIdentifier(link)
    channel.deadline = now + Self.channelAnswerTimeout
    updateChannelDeadline(link)
  }

  private func answerCame(_ link: Link, _ channel: CreditChannel) {
    channel.identifier = 0
    channel.deadline = .distantFuture
    updateChannelDeadline(link)
  }

  private func updateChannelDeadline(_ link: Link) {
    link.channelDeadline = link.channels.map(\.deadline).min() ?? .distantFuture
    isDeadlineCacheStale = true
  }

  func channelTimers(_ link: Link) {
    for channel in link.channels where channel.deadline <= now {
      if channel.phase == .opening { refused(link, channel, .noAnswer) } else { remove(link, channel, .owner) }
    }
  }
}
