import AppSeam
import BluetoothWire

/// L2CAP channels.
extension VirtualPhone {
  func take(_ input: ChannelInput) {
    switch input {
    case .published(let psm, let isRefused):
      liveServers.first { $0.waitsForChannel }?.channelPublished(psm, isRefused: isRefused)
    case .unpublished(let psm):
      liveServers.first { $0.publishedPSMs.contains(psm) }?.channelUnpublished(psm)
    case .opened(let id, let psm, let channel): channelOpened(id, psm, channel)
    case .received(let id, let octets):
      guard let open = channels.first(where: { $0.id == id }) else { return }
      let channel = open.channel
      open.manager?.call { channel.received(octets) }
    case .closed(let id):
      for open in channels where open.id == id { close(open) }
      channels.removeAll { $0.id == id }
    case .sent(let id, let count):
      guard let open = channels.first(where: { $0.id == id }) else { return }
      let channel = open.channel
      open.manager?.call { channel.sent(count) }
    }
  }

  private func channelOpened(_ id: LinkID, _ psm: UInt16, _ channel: ChannelID?) {
    guard let link = link(id) else { return }
    if let index = pending.firstIndex(where: { $0.link == id && $0.kind == .channel(psm) }) {
      let peripheral = pending.remove(at: index).peripheral
      guard let peripheral, let manager = peripheral.manager else { return }
      let made = channel.map { make($0, link, psm, peer: peripheral, manager: manager) }
      peripheral.channelOpened(made)
    } else if let channel, let manager = liveServers.first(where: { $0.publishedPSMs.contains(psm) }) {
      manager.channelOpened(make(channel, link, psm, peer: manager.central(link.peer), manager: manager))
    }
  }

  private func make(
    _ id: ChannelID, _ link: PhoneLink, _ psm: UInt16, peer: CBPeer, manager: CBManager
  ) -> CBL2CAPChannel {
    let channel = CBL2CAPChannel(id: id, peer: peer, psm: psm) { [weak self] octets in
      self?.ask(.channel(.send(id, octets: octets)))
    }
    channels.append(OpenChannel(id: id, link: link.id, channel: channel, manager: manager))
    return channel
  }

  func close(_ open: OpenChannel) {
    let channel = open.channel
    open.manager?.call { channel.closed() }
  }
}
