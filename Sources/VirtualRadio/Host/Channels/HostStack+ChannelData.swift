import BluetoothWire
import SimKernel

/// K-frames and credits.
extension HostStack {
  /// K-frames that may wait among the other frames of a link. There may be as many as there are values, so that values
  /// and K-frames have equal parts of a link that is full.
  static let channelFrameLimit = 2

  // MARK: What goes out

  /// Lets channels of a link send.
  func serveChannels(_ link: Link) {
    feedChannels(link)
    if !link.queue.isEmpty { hasBacklog = true }
    pump()
  }

  /// Moves K-frames from channels to the queue of their link, in turn, while it has few of them; and credits that could
  /// not go back before. `pump` follows.
  func feedChannels(_ link: Link) {
    link.hasChannelBacklog = false
    for channel in link.channels where channel.isCreditDue { queueCredits(link, channel) }
    while let channel = nextReadyChannel(link) {
      guard link.queue.channelFrames < max(Self.channelFrameLimit, link.queue.values) else {
        link.hasChannelBacklog = true
        break
      }
      if let frame = channel.nextFrame() { queue(link, frame, .channel) }
      link.lastServedChannel = channel.local
    }
    for channel in link.channels where channel.unreported > 0 {
      emit(.channelSent(channel.number, octets: channel.unreported))
      channel.unreported = 0
    }
  }

  /// The channel after the one that was served last.
  private func nextReadyChannel(_ link: Link) -> CreditChannel? {
    let count = link.channels.count
    let last = link.channels.firstIndex { $0.local == link.lastServedChannel } ?? -1
    for step in stride(from: 1, through: count, by: 1) {
      let channel = link.channels[(last + step) % count]
      if channel.isReady { return channel }
    }
    return nil
  }

  /// Puts a frame to the others that wait; `send` without the turn.
  private func queue(_ link: Link, _ frame: [UInt8], _ kind: TransmitQueue.Kind) {
    if let frameTap, frameTap.takes(frame, on: link.handle) { return }
    link.queue.append(frame, kind)
  }

  // MARK: What comes in

  /// Takes a frame of a channel that is not a fixed one.
  func receiveOnChannel(_ link: Link, _ endpoint: L2CAP.ChannelID, _ frame: [UInt8]) {
    guard let channel = link.channels.first(where: { $0.local == endpoint && $0.phase != .opening }) else {
      return violation(link, "frame on channel 0x\(String(endpoint.rawValue, radix: 16)), which nobody opened")
    }
    // What is under way when a channel is closed is of no use to anybody (4.6).
    guard channel.phase == .open else { return }
    guard channel.peerCredits > 0 else { return fail(link, channel, "K-frame without a credit") }
    channel.peerCredits -= 1
    switch channel.assembly.receive(frame) {
    case .nothing: break
    case .sdu(let sdu): emit(.channelReceived(channel.number, sdu))
    case .violation(let violation): return fail(link, channel, violation.description)
    }
    channel.owedCredits += 1
    returnCredits(link, channel)
  }

  /// A frame that was longer than every channel's MTU was dropped.
  func receiveTooLong(_ link: Link, _ length: Int, _ endpoint: L2CAP.ChannelID) {
    violation(link, "L2CAP frame of \(length) octets exceeds every channel's MTU")
    if let channel = link.channels.first(where: { $0.local == endpoint && $0.phase == .open }) {
      disconnect(link, channel, .violation)
    }
  }

  /// The peer broke a rule after which the channel has to be disconnected (3.4.3, 10.1).
  func fail(_ link: Link, _ channel: CreditChannel, _ text: String) {
    violation(link, text + " on channel 0x" + String(channel.local.rawValue, radix: 16))
    disconnect(link, channel, .violation)
  }

  func returnCredits(_ link: Link, _ channel: CreditChannel) {
    if channel.isCreditDue { serveChannels(link) }
  }

  /// Gives owed credits back, or waits until the link takes a command.
  private func queueCredits(_ link: Link, _ channel: CreditChannel) {
    guard hasRoomForSignal(link) else { return link.hasChannelBacklog = true }
    let signal = L2CAP.Signal.flowControlCredit(
      identifier: nextSignallingIdentifier(link), channel: channel.local, credits: UInt16(channel.owedCredits))
    channel.peerCredits += channel.owedCredits
    channel.owedCredits = 0
    assert(channel.peerCredits == channel.allowance, "the peer has all its credits again")
    queue(link, L2CAP.Frame(channel: .signalling, payload: signal.octets).octets, .other)
  }

  /// A frame that is no value would not be dropped.
  func hasRoomForSignal(_ link: Link) -> Bool {
    link.queue.others + link.queue.responses < TransmitQueue.otherLimit
  }
}

extension L2CAP.SDUAssembly.Violation {
  fileprivate var description: String {
    switch self {
    case .payloadExceedsMPS(let count): "K-frame of \(count) octets exceeds the MPS"
    case .noSDULength: "K-frame without an SDU length"
    case .sduExceedsMTU(let count): "SDU of \(count) octets exceeds the MTU"
    case .segmentsExceedSDULength(let count): "K-frames with \(count) octets more than their SDU"
    }
  }
}
