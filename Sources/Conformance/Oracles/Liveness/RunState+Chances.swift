import AppSeam
import Bench
import SimKernel

/// Keeps the chances of apps and links as the trace shows them.
extension RunState {
  final func follow(_ input: AppInput, _ kind: TraceKind, of device: DeviceState, at instant: SimInstant) {
    switch input {
    case .valueReceived(let id, _, _):
      // A captured end tells itself when its phone has a value no more.
      guard let sender = device.link(id)?.partner, sender.underWay > 0, !sender.owner.isCaptured else { return }
      sender.underWay -= 1
      renewChance(of: sender, at: instant)
    case .submitted(let id, _, let isAccepted):
      guard let link = device.link(id) else { return }
      if !isAccepted, link.underWay > 0 { link.underWay -= 1 }
      link.isRefused = !isAccepted
      renewChance(of: link, at: instant)
    case .readyToSend(let id):
      guard let link = device.link(id) else { return }
      if device.isCaptured, link.underWay > 0 { link.underWay -= 1 }
      link.isRefused = false
      renewChance(of: link, at: instant)
    case .writeCompleted(let id, _, _), .servicesDiscovered(let id, _, _), .valueRead(let id, _, _),
      .subscribed(let id, _, _):
      answered(id, of: device, at: instant)
    case .gatt(let input):
      switch input {
      case .services(let id, _, _), .included(let id, _, _, _), .descriptors(let id, _, _, _), .rssi(let id, _),
        .prepared(let id, _, _, _, _, _), .executed(let id, _):
        answered(id, of: device, at: instant)
      default: break
      }
    case .launched, .connected, .disconnected, .radioPower, .background: renewChances(of: device, at: instant)
    default: break
    }
  }

  final func follow(_ effect: AppEffect, of device: DeviceState, at instant: SimInstant) {
    switch effect {
    case .notify(let id, _, _), .writeWithoutResponse(let id, _, _):
      // What comes to an app from outside is not in the trace.
      guard let link = device.link(id), !link.leadsOutside else { return }
      link.underWay += 1
      renewChance(of: link, at: instant)
    case .write(let id, _, _), .discover(let id, _), .subscribe(let id, _, _), .read(let id, _):
      asked(id, of: device, at: instant)
    case .disconnect(let id):
      guard let link = device.link(id) else { return }
      link.isEnding = true
      renewChance(of: link, at: instant)
    case .gatt(let effect):
      switch effect {
      case .discoverServices(let id, _), .discoverIncluded(let id, _), .discoverDescriptors(let id, _),
        .readRSSI(let id), .prepare(let id, _, _, _, _), .execute(let id, _):
        asked(id, of: device, at: instant)
      default: break
      }
    default: break
    }
  }

  private func asked(_ id: LinkID, of device: DeviceState, at instant: SimInstant) {
    guard let link = device.link(id) else { return }
    link.awaited += 1
    renewChance(of: link, at: instant)
  }

  /// A host is told of subscriptions that it did not ask for.
  private func answered(_ id: LinkID, of device: DeviceState, at instant: SimInstant) {
    guard let link = device.link(id), link.awaited > 0 else { return }
    link.awaited -= 1
    renewChance(of: link, at: instant)
  }

  final func renewChances(of device: DeviceState, at instant: SimInstant) {
    if device.running.set(device.isRunning, at: instant) { hasNewChance = true }
    for link in device.links { renewChance(of: link, at: instant) }
  }

  private func renewChance(of link: LinkState, at instant: SimInstant) {
    if link.chance.set(link.isOpen, at: instant) { hasNewChance = true }
    if let calm = link.owner.calm, calm.set(link.owner.links.allSatisfy { !$0.isUp || $0.isQuiet }, at: instant) {
      hasNewChance = true
    }
  }
}

extension LinkState {
  /// Whether what one end says now would come to the other end and be answered. Only one end is seen of a link that
  /// leads outside.
  fileprivate var isOpen: Bool {
    guard isOpenAtThisEnd else { return false }
    return partner?.isOpenAtThisEnd ?? leadsOutside
  }

  private var isOpenAtThisEnd: Bool {
    isUp && !isEnding && isQuiet && owner.isReachable && owner.isRunning
  }
}
