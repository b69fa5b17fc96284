import AppSeam

/// Channels of L2CAP. The host stack has none: everything is refused.
extension DevicePlatform {
  func perform(_ effect: ChannelEffect) {
    switch effect {
    case .publish: tell(.channel(.published(psm: 0, isRefused: true)))
    case .unpublish(let psm): tell(.channel(.unpublished(psm: psm)))
    case .open(let link, let psm): tell(.channel(.opened(link, psm: psm, nil)))
    case .send, .close: break
    }
  }
}
