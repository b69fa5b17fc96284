import AppSeam
import SimKernel

/// The peripheral of links with raw traffic: it advertises until every central that has a flow with it is connected.
final class TrafficPeripheral: AppEngine {
  private let traffic: Traffic
  private let device: Int
  private let name: String
  private let centrals: Int
  private var links: [LinkID] = []
  private var senders: [TrafficSender] = []

  init(_ configuration: AppConfiguration, _ traffic: Traffic) {
    self.traffic = traffic
    device = configuration.device
    name = configuration.displayName
    var peers: [Int] = []
    for flow in traffic.flows where flow.from == device || flow.to == device {
      let peer = flow.from == device ? flow.to : flow.from
      if !peers.contains(peer) { peers.append(peer) }
    }
    centrals = peers.count
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched, .radioPower(true):
      links.removeAll()
      senders.removeAll()
      return [.publish(traffic.definition(of: device)), advertise]
    case .connected(let link, _):
      links.append(link)
      return links.count == centrals ? [.stopAdvertising] : []
    case .disconnected(let link, _):
      let ended = senders.filter { $0.link == link }.flatMap { $0.stop() }
      links.removeAll { $0 == link }
      senders.removeAll { $0.link == link }
      return ended + [advertise]
    case .subscribed(let link, let characteristic, true):
      guard let index = traffic.flows.indices.first(where: { Traffic.characteristic(of: $0) == characteristic }) else {
        return []
      }
      var sender = TrafficSender(traffic.flows[index], index: index, link: link, now: now)
      let effects = sender.start()
      senders.append(sender)
      return effects
    default: return senders.handle(input)
    }
  }

  private var advertise: AppEffect {
    .advertise(AdvertisementRequest(localName: name, serviceUUIDs: [Traffic.service(of: device)]))
  }
}

extension [TrafficSender] {
  /// Hands an input to those that it is about.
  mutating func handle(_ input: AppInput) -> [AppEffect] {
    let link: LinkID? =
      switch input {
      case .submitted(let link, _, _), .writeCompleted(let link, _, _), .readyToSend(let link): link
      default: nil
      }
    var effects: [AppEffect] = []
    for index in indices where link == nil || self[index].link == link { effects += self[index].handle(input) }
    return effects
  }
}
