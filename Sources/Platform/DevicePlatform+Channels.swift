import AppSeam
import BluetoothWire
import VirtualRadio

/// Channels of L2CAP: what an app asks, and what it is told.
extension DevicePlatform {
  func perform(_ effect: ChannelEffect) {
    switch effect {
    case .publish(let isEncrypted):
      let psm = host.listen(needsEncryption: isEncrypted)
      if let psm { listeners.append(ChannelListener(psm: psm, needsEncryption: isEncrypted)) }
      tell(.channel(.published(psm: psm ?? 0, isRefused: psm == nil)))
    case .unpublish(let psm):
      host.stopListening(onPSM: psm)
      listeners.removeAll { $0.psm == psm }
      tell(.channel(.unpublished(psm: psm)))
    case .open(let id, let psm): if let link = link(id) { open(psm, link) }
    case .send(let id, let octets):
      guard let channel = channels.first(where: { $0.id == id }) else { return }
      channel.waiting += octets
      if channel.waiting.count > AppChannel.waitingLimit { return host.closeChannel(channel.number) }
      pump(channel)
    case .close(let id): if let channel = channels.first(where: { $0.id == id }) { host.closeChannel(channel.number) }
    }
  }

  /// A new stack listens for the same services: they stay while Bluetooth is off, as published services do.
  func listenAgain() {
    for listener in listeners { host.listen(onPSM: listener.psm, needsEncryption: listener.needsEncryption) }
  }

  /// What an app that has died listened for is closed to peers.
  func stopListening() {
    for listener in listeners { host.stopListening(onPSM: listener.psm) }
    listeners.removeAll()
  }

  func open(_ psm: UInt16, _ link: AppLink) {
    if host.openChannel(link.handle, psm: psm) == nil { tell(.channel(.opened(link.id, psm: psm, nil))) }
  }

  /// Whether the event is about a channel.
  func translateChannel(_ event: HostEvent) -> Bool {
    switch event {
    case .channelOpened(let handle, let opened):
      guard let link = link(handle) else { return true }
      let channel = AppChannel(id: ChannelID(nextChannel), number: opened.number)
      nextChannel += 1
      channels.append(channel)
      tell(.channel(.opened(link.id, psm: opened.psm, channel.id)))
    case .channelRefused(let handle, _, let psm, let refusal):
      guard let link = link(handle) else { return true }
      let wantsSecurity =
        refusal == .result(.insufficientAuthentication) || refusal == .result(.insufficientEncryption)
      if wantsSecurity, secure(link, .channel(psm: psm)) { return true }
      tell(.channel(.opened(link.id, psm: psm, nil)))
    case .channelReceived(let number, let octets):
      if let channel = channels.first(where: { $0.number == number }) {
        tell(.channel(.received(channel.id, octets: octets)))
      }
    case .channelSent(let number, let count):
      guard let channel = channels.first(where: { $0.number == number }) else { return true }
      tell(.channel(.sent(channel.id, count: count)))
      pump(channel)
    case .channelClosed(let number, _):
      guard let index = channels.firstIndex(where: { $0.number == number }) else { return true }
      tell(.channel(.closed(channels.remove(at: index).id)))
    default: return false
    }
    return true
  }

  private func pump(_ channel: AppChannel) {
    guard !channel.waiting.isEmpty else { return }
    channel.waiting.removeFirst(host.stream(channel.waiting, on: channel.number))
  }
}

/// A service of the app for which peers may open channels.
struct ChannelListener: Hashable {
  var psm: UInt16
  var needsEncryption: Bool
}

/// A channel as the platform knows it for an app.
final class AppChannel {
  /// Octets that may wait for the stack; an app that sends more without waiting loses the channel.
  static let waitingLimit = 1 << 20

  let id: ChannelID
  let number: HostChannelNumber
  var waiting: [UInt8] = []

  init(id: ChannelID, number: HostChannelNumber) {
    self.id = id
    self.number = number
  }
}
