import AppSeam
import BluetoothWire
import SimKernel

/// The central of links with raw traffic: it connects to every peripheral that it has a flow with, one after the other,
/// subscribes to what comes from there, and sends what goes there.
final class TrafficCentral: AppEngine {
  /// A peripheral that it has a flow with.
  private struct Peer {
    var device: Int
    var link: LinkID?
    /// Places of the flows to which it has not subscribed yet.
    var unsubscribed: [Int] = []
  }

  private let traffic: Traffic
  private let device: Int
  /// The peripherals that direct their advertising at this device: nothing else tells them apart.
  private let known: [AppConfiguration.KnownPeer]
  private var peers: [Peer] = []
  private var senders: [TrafficSender] = []
  /// The peer that a connection was asked for.
  private var asked: Int?

  init(_ configuration: AppConfiguration, _ traffic: Traffic) {
    self.traffic = traffic
    device = configuration.device
    known = configuration.knownPeers
    for flow in traffic.flows where flow.from == device || flow.to == device {
      let peer = flow.from == device ? flow.to : flow.from
      if !peers.contains(where: { $0.device == peer }) { peers.append(Peer(device: peer)) }
    }
  }

  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    switch input {
    case .launched, .radioPower(true):
      senders.removeAll()
      for index in peers.indices { peers[index].link = nil }
      asked = nil
      return scan
    case .discovered(let advertisement):
      guard asked == nil,
        let index = peers.indices.first(where: { peers[$0].link == nil && isOf(peers[$0].device, advertisement) })
      else { return [] }
      asked = index
      return [.stopScanning, .connect(advertisement.address)]
    case .connected(let link, _):
      guard let index = asked else { return [] }
      asked = nil
      peers[index].link = link
      return [.exchangeMTU(link, 517), .discover(link, service: Traffic.service(of: peers[index].device))] + scan
    case .connectFailed:
      asked = nil
      return scan
    case .disconnected(let link, _):
      let ended = senders.filter { $0.link == link }.flatMap { $0.stop() }
      senders.removeAll { $0.link == link }
      for index in peers.indices where peers[index].link == link { peers[index].link = nil }
      return ended + (asked == nil ? scan : [])
    case .servicesDiscovered(let link, _, _): return begin(link, now)
    case .subscribed(let link, _, _):
      guard let index = peers.firstIndex(where: { $0.link == link }) else { return [] }
      return subscribe(index, link)
    default: return senders.handle(input)
    }
  }

  private func isOf(_ peer: Int, _ advertisement: Advertisement) -> Bool {
    advertisement.serviceUUIDs.contains(Traffic.service(of: peer))
      || known.contains(.init(device: peer, address: advertisement.address))
  }

  /// Scans for the peripherals that are not connected.
  private var scan: [AppEffect] {
    let missing = peers.filter { $0.link == nil }.map { Traffic.service(of: $0.device) }
    return missing.isEmpty ? [] : [.scan(services: missing)]
  }

  private func begin(_ link: LinkID, _ now: SimInstant) -> [AppEffect] {
    guard let index = peers.firstIndex(where: { $0.link == link }) else { return [] }
    let peer = peers[index].device
    peers[index].unsubscribed = traffic.flows.indices.filter {
      traffic.flows[$0].from == peer && traffic.flows[$0].to == device
    }
    var effects = subscribe(index, link)
    for flow in traffic.flows.indices where traffic.flows[flow].from == device && traffic.flows[flow].to == peer {
      var sender = TrafficSender(traffic.flows[flow], index: flow, link: link, now: now)
      effects += sender.start()
      senders.append(sender)
    }
    return effects
  }

  private func subscribe(_ index: Int, _ link: LinkID) -> [AppEffect] {
    guard !peers[index].unsubscribed.isEmpty else { return [] }
    let flow = peers[index].unsubscribed.removeFirst()
    return [.subscribe(link, characteristic: Traffic.characteristic(of: flow), true)]
  }
}
