import BluetoothWire
import SimKernel

extension HostStack {
  func receive(_ data: HCI.ACLData) {
    guard power == .on, let place = place(of: data.handle) else { return }
    links.with(place) { receive(data, on: $0) }
  }

  private func receive(_ data: HCI.ACLData, on link: Link) {
    // Most packets are a frame.
    if link.recombination.isIdle, Recombination.isFrame(data) { return receiveFrame(link, data.octets) }
    switch link.recombination.receive(data) {
    case .nothing: break
    case .frame(let octets): receiveFrame(link, octets)
    case .violation(let text): violation(link, text)
    case .tooLong(let length, let channel): receiveTooLong(link, length, channel)
    case .frameAfterUnfinished(let octets):
      violation(link, "L2CAP frame left unfinished")
      receiveFrame(link, octets)
    }
  }

  private func receiveFrame(_ link: Link, _ frame: [UInt8]) {
    let channel = L2CAP.ChannelID(rawValue: UInt16(frame[2]) | UInt16(frame[3]) << 8)
    if channel == .attribute {
      receiveATT(link, frame)
    } else if channel == .signalling {
      receiveSignal(link, frame)
    } else if channel == .securityManager {
      receiveSecurity(link, frame)
    } else {
      receiveOnChannel(link, channel, frame)
    }
  }

  // MARK: Signalling

  /// The LE signalling channel's MTU (Vol 3, Part A, 4).
  private static let signallingMTU = 23
  /// T_GAP(conn_param_timeout), Vol 3, Part C, Appendix A.
  private static let parameterRequestTimeout = SimDuration.seconds(30)

  func sendSignal(_ link: Link, _ signal: L2CAP.Signal) {
    send(link, L2CAP.Frame(channel: .signalling, payload: signal.octets).octets, .other)
  }

  private func receiveSignal(_ link: Link, _ frame: [UInt8]) {
    let count = frame.count - L2CAP.headerLength
    guard count >= 2, frame[5] != 0 else { return violation(link, "signalling command without an identifier") }
    let identifier = frame[5]
    // Answers are never answered, or two peers could reject each other without end.
    let isAnswer = [0x01, 0x13, 0x15, 0x18, 0x1A].contains(frame[4]) || frame[4] == 0x07 && channelBook.isInUse
    if count > Self.signallingMTU {
      violation(link, "signalling command of \(count) octets")
      guard !isAnswer else { return }
      return sendSignal(
        link,
        .commandReject(
          identifier: identifier, reason: .signallingMTUExceeded, data: [UInt8(Self.signallingMTU), 0]))
    }
    var frame = frame
    // A stack without channels has no meaning for their commands; 0x00 is a code that nobody has.
    if !channelBook.isInUse, Self.isChannelCommand(frame[4]) { frame[4] = 0x00 }
    do throws(WireError) {
      try receive(link, L2CAP.Signal(decoding: frame, from: L2CAP.headerLength), isAnswer: isAnswer)
    } catch {
      violation(link, "signalling command refused: \(error.description)")
      if !isAnswer { rejectSignal(link, identifier) }
    }
  }

  private func rejectSignal(_ link: Link, _ identifier: UInt8) {
    sendSignal(link, .commandReject(identifier: identifier, reason: .commandNotUnderstood, data: []))
  }

  private func receive(_ link: Link, _ signal: L2CAP.Signal, isAnswer: Bool) {
    switch signal {
    case .connectionParameterUpdateRequest(let identifier, let parameters):
      // A peripheral does not understand this request (Vol 3, Part A, 4.20).
      guard link.role == .central else { return rejectSignal(link, identifier) }
      let parameters = raised(parameters, as: .central)
      let isAccepted = accepts(parameters, as: .central)
      sendSignal(link, .connectionParameterUpdateResponse(identifier: identifier, result: isAccepted ? 0 : 1))
      if isAccepted { enqueue(.leConnectionUpdate(link.handle, parameters), .link(link.handle)) }
    case .connectionParameterUpdateResponse(let identifier, let result):
      guard identifier == link.parameterRequestIdentifier else {
        return violation(link, "answer to a parameter request that nobody sent")
      }
      parameterRequestAnswered(link, isAccepted: result == 0)
    case .commandReject(let identifier, let reason, _):
      if identifier == link.parameterRequestIdentifier { parameterRequestAnswered(link, isAccepted: false) }
      channelRequestRejected(link, identifier, reason)
    case .creditBasedConnectionRequest, .creditBasedConnectionResponse, .flowControlCredit, .disconnectionRequest,
      .disconnectionResponse:
      receiveChannelSignal(link, signal)
    case .other(_, let identifier, _):
      if !isAnswer { rejectSignal(link, identifier) }
    }
  }

  /// Asks the central for what the configuration prefers, unless it holds already.
  func requestPreferredParameters(_ link: Link) {
    guard let wanted = configuration.peripheralPreferredParameters else { return }
    let holds =
      wanted.intervalMinimum <= link.interval && link.interval <= wanted.intervalMaximum
      && wanted.peripheralLatency == link.peripheralLatency && wanted.supervisionTimeout == link.supervisionTimeout
    if holds { return }
    requestParameters(link, wanted)
  }

  /// Asks the central for parameters. One request waits for its answer at a time; a further one is dropped.
  func requestParameters(_ link: Link, _ wanted: HCI.ConnectionParameters) {
    if link.parameterRequestIdentifier != 0 { return }
    link.parameterRequestIdentifier = nextSignallingIdentifier(link)
    link.parameterRequestDeadline = now + Self.parameterRequestTimeout
    isDeadlineCacheStale = true
    sendSignal(link, .connectionParameterUpdateRequest(identifier: link.parameterRequestIdentifier, wanted))
  }

  func parameterRequestAnswered(_ link: Link, isAccepted: Bool) {
    link.parameterRequestIdentifier = 0
    link.parameterRequestDeadline = .distantFuture
    isDeadlineCacheStale = true
    emit(.parameterUpdateAnswered(link.handle, accepted: isAccepted))
  }
}
