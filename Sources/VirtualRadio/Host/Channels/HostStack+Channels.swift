public import BluetoothWire
import SimKernel

/// LE credit based channels: what an owner asks for.
///
/// Until the first `listen` or `openChannel` the stack answers peers as one that has no such channels does. A call on a
/// channel that is not there does nothing: `channelClosed` or `channelRefused` has said so.
///
/// Spec: Core v5.4, Vol 3, Part A, 3.4.3, 4.6, 4.7, 4.22 to 4.24, 10.1.
/// Not modelled: enhanced credit based channels (4.25 to 4.28), encryption, authorisation.
extension HostStack {
  /// Takes channels for a service from now on. False changes nothing: another one than 0x0080 … 0x00FF, or listened
  /// for already.
  /// - Parameter needsEncryption: peers are refused as long as their link is not encrypted.
  @discardableResult
  public func listen(onPSM psm: UInt16, needsEncryption: Bool) -> Bool {
    channelBook.add(.init(psm: psm, needsEncryption: needsEncryption))
  }

  /// The same for the lowest dynamic service number that is free; nil: all 128 are taken.
  public func listen(needsEncryption: Bool) -> UInt16? {
    guard let psm = channelBook.lowestFree else { return nil }
    return listen(onPSM: psm, needsEncryption: needsEncryption) ? psm : nil
  }

  /// Takes no further channels for a service; those that are open stay open.
  public func stopListening(onPSM psm: UInt16) { channelBook.remove(psm) }

  /// Asks the peer for a channel; ends in `channelOpened` or `channelRefused`, after 30 s at the latest.
  ///
  /// Nil asks for nothing: no such link, a service that is not 0x0001 … 0x00FF, or as many channels as a link may have.
  public func openChannel(_ handle: HCI.ConnectionHandle, psm: UInt16) -> HostChannelNumber? {
    guard let link = link(handle), !link.isDisconnecting, (0x0001...0x00FF).contains(psm),
      let local = freeEndpoint(link)
    else { return nil }
    let settings = configuration.channels
    let channel = CreditChannel(channelBook.nextNumber(), psm: psm, isIncoming: false, local: local, settings)
    link.channels.append(channel)
    awaitAnswer(link, channel)
    sendSignal(
      link,
      .creditBasedConnectionRequest(
        identifier: channel.identifier,
        .init(
          spsm: psm, source: local, mtu: UInt16(settings.allowedMTU), mps: UInt16(settings.allowedMPS),
          initialCredits: UInt16(settings.allowedCredits))))
    return channel.number
  }

  /// Sends one SDU. False sends nothing: the channel is not open, the SDU is longer than the peer's MTU, or there is no
  /// room for it among what waits. `channelSent` follows as it goes out.
  public func send(_ sdu: [UInt8], on number: HostChannelNumber) -> Bool {
    guard let (link, channel) = openChannel(number), sdu.count <= channel.peerMTU, sdu.count <= room(channel) else {
      return false
    }
    enqueue(sdu, on: channel, of: link)
    return true
  }

  /// Sends octets of a stream, cut into SDUs of the peer's MTU at most; answers how many were taken, from the first on.
  /// Those after them were not, and there is room again with `channelSent`.
  public func stream(_ octets: [UInt8], on number: HostChannelNumber) -> Int {
    guard let (link, channel) = openChannel(number) else { return 0 }
    var taken = 0
    while taken < octets.count {
      let count = min(octets.count - taken, min(channel.peerMTU, room(channel)))
      if count <= 0 { break }
      enqueue(Array(octets[taken..<taken + count]), on: channel, of: link)
      taken += count
    }
    return taken
  }

  /// Holds credits back, so that the peer stops when it has used those that it has, or gives them out again. What
  /// arrives meanwhile is still reported.
  public func holdReceiving(on number: HostChannelNumber, _ isHeld: Bool) {
    guard let (link, channel) = anyChannel(number) else { return }
    channel.isHeld = isHeld
    returnCredits(link, channel)
  }

  /// Ends in `channelClosed`. What waits is not sent.
  public func closeChannel(_ number: HostChannelNumber) {
    guard let (link, channel) = anyChannel(number) else { return }
    switch channel.phase {
    case .opening: channel.isCloseWanted = true
    case .open: disconnect(link, channel, .owner)
    case .closing: break
    }
  }

  private func openChannel(_ number: HostChannelNumber) -> (link: Link, channel: CreditChannel)? {
    guard let found = anyChannel(number), found.channel.phase == .open else { return nil }
    return found
  }

  private func anyChannel(_ number: HostChannelNumber) -> (link: Link, channel: CreditChannel)? {
    for link in links {
      if let channel = link.channels.first(where: { $0.number == number }) { return (link, channel) }
    }
    return nil
  }

  /// The lowest endpoint that no channel of the link has; nil at the limit of channels.
  func freeEndpoint(_ link: Link) -> L2CAP.ChannelID? {
    guard link.channels.count < configuration.channels.allowedChannels else { return nil }
    return L2CAP.dynamicLEChannels.lazy.map(L2CAP.ChannelID.init(rawValue:)).first { endpoint in
      !link.channels.contains { $0.local == endpoint }
    }
  }

  /// The longest SDU that the queue of a channel takes now, octets; below 0 when it takes none.
  private func room(_ channel: CreditChannel) -> Int {
    configuration.channels.queuedOctets - channel.queuedOctets - L2CAP.sduLengthOctets
  }

  private func enqueue(_ sdu: [UInt8], on channel: CreditChannel, of link: Link) {
    channel.append(sdu)
    serveChannels(link)
  }
}
