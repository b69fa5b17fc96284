import AppSeam
import Expectations
import SimKernel
import Testing

@testable import VirtualNetwork

/// Whatever apps ask and whatever happens to their devices.
@Suite("Random histories of a network")
struct HistoryTests {
  /// What one history found wrong, and its digest.
  private final class History {
    let house: NetworkHouse
    var random: RandomStream
    var faults: [String] = []
    private let names = ["ada", "bob", "cyd", "dan", "eve"]
    /// Octets that were taken, and that arrived, by a key of device, life and connection.
    private var sent: [String: [UInt8]] = [:]
    private var received: [String: [UInt8]] = [:]
    private var other: [String: String] = [:]
    /// Legs of those who opened connections.
    private var owners: [Int: String] = [:]
    private var over: Set<String> = []
    private var lives = [0, 0, 0, 0, 0]
    private var unanswered: [String: Int] = [:]
    private var offered: [String: [[UInt8]]] = [:]
    private var nextID = [0, 0, 0, 0, 0]

    init(seed: UInt64, wantsPackets: Bool) {
      random = RandomStream(seed: seed, component: "test", purpose: "history")
      var room = random.below(2) == 0 ? NetworkRoom.ideal : NetworkRoom()
      room.chopping = random.below(2) == 0 ? .none : .drawn(upTo: 300)
      if random.below(2) == 0 { room.path.loss = .independent(Ratio(random.below(30), 100)) }
      if random.below(4) == 0 { room.accessPoint?.rate = .ht(index: 5) }
      room.peerToPeer.sleeps = random.below(2) == 0
      house = NetworkHouse(names, room, seed: seed, wantsPackets: wantsPackets) {
        $0.reclaimsSockets = $0.name < "c"
        $0.saysGoodbye = $0.name < "d"
        $0.hasPeerToPeer = $0.name != "eve"
      }
      house.keepsOctets = false
      house.onInput = { [unowned self] in read($0, $1) }
    }

    var octets: Int { received.values.reduce(0) { $0 + $1.count } }
    var streams: Int { other.count / 2 }

    private func key(_ device: Int, _ id: ConnectionID) -> String { "\(device)/\(lives[device])/\(id.rawValue)" }

    private func read(_ device: Int, _ input: NetworkInput) {
      switch input {
      case .incoming(let id, _, _):
        let network = house.network!
        let connection = network.connections[network.devices[device].connections[id]!]
        guard connection.leg >= 0 else { return }
        guard let theirs = owners[network.legs[connection.leg].peer] else { return }
        other[key(device, id)] = theirs
        other[theirs] = key(device, id)
      case .received(let id, let octets):
        check(device, id, "octets")
        received[key(device, id), default: []] += octets
      case .submitted(let id, let accepted):
        let key = key(device, id)
        unanswered[key, default: 0] -= 1
        let octets = offered[key]?.removeFirst() ?? []
        if accepted { sent[key, default: []] += octets }
      case .failed(let id, .invalid): _ = id
      case .failed(let id, _), .cancelled(let id):
        over.insert(key(device, id))
      case .ready(let id, _):
        let leg = house.network.connections[house.network.devices[device].connections[id]!].leg
        owners[leg] = key(device, id)
        check(device, id, "ready")
      case .ended(let id), .room(let id), .viable(let id, _), .betterPath(let id, _):
        check(device, id, "\(input)")
      default: break
      }
    }

    private func check(_ device: Int, _ id: ConnectionID, _ what: String) {
      if over.contains(key(device, id)) { faults.append("\(what) of \(key(device, id)) after its end") }
    }

    func play() -> String {
      for device in 0..<5 {
        house.perform(.listen(ListenRequest(type: "_a._tcp", name: "s", peerToPeer: true)), device)
        house.perform(.browse(type: "_a._tcp", peerToPeer: true), device)
      }
      house.run(for: .seconds(6))
      for _ in 0..<250 {
        let device = Int(random.below(5))
        if random.below(9) == 0 { misfortune(device) } else { act(device) }
        if random.below(3) == 0 { house.run(for: .milliseconds(Int64(random.below(2_000)))) }
      }
      for device in 0..<5 {
        house.apply(.resume, device)
        house.apply(.appear, device)
      }
      house.run(for: .seconds(250))
      for (key, octets) in received {
        let theirs = other[key].flatMap { sent[$0] } ?? []
        if !theirs.starts(with: octets) { faults.append("\(key) got what was not sent by \(other[key] ?? "nobody")") }
      }
      for (key, count) in unanswered where count != 0 { faults.append("\(count) sends of \(key) without an answer") }
      return house.network.digest.hexadecimal
    }

    private func act(_ device: Int) {
      // An app that is not run asks for nothing.
      if house.network.devices[device].isSuspended { return }
      let known = house.network.devices[device].connections.keys.sorted()
      let id = known.isEmpty ? ConnectionID(98) : known[Int(random.below(UInt64(known.count)))]
      let type = random.below(5) == 0 ? "_b._udp" : "_a._tcp"
      let peerToPeer = random.below(2) == 0
      switch random.below(16) {
      case 0, 1: house.perform(.listen(ListenRequest(type: type, name: "s", peerToPeer: peerToPeer)), device)
      case 2, 3: house.perform(.browse(type: type, peerToPeer: peerToPeer), device)
      case 4 where random.below(4) == 0: house.perform(.stopListening(type: type), device)
      case 5 where random.below(4) == 0: house.perform(.stopBrowsing(type: type), device)
      case 6: house.perform(.prime(.milliseconds(Int64(random.below(5_000)))), device)
      case 7, 8, 9:
        let endpoints = house.network.devices[device].endpoints.count
        let request = ConnectRequest(
          endpoint: EndpointID(Int(random.below(UInt64(endpoints + 1)))),
          interfaces: peerToPeer ? [.infrastructure, .peerToPeer] : [.peerToPeer],
          timeout: random.below(2) == 0 ? nil : .seconds(Int64(1 + random.below(20))))
        house.perform(.connect(ConnectionID(nextID[device]), request), device)
        nextID[device] += 2
      case 10, 11, 12:
        let octets = (0..<Int(random.below(20_000))).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        // Datagrams are lost, and not in order of octets.
        if house.network.devices[device].connections[id].map({ house.network.connections[$0].isDatagram }) == true {
          return
        }
        unanswered[key(device, id), default: 0] += 1
        offered[key(device, id), default: []].append(octets)
        house.perform(.send(id, octets: octets), device)
      case 13: house.perform(.read(id, random.below(4) != 0), device)
      case 14: house.perform(.finish(id), device)
      default: if random.below(3) == 0 { house.perform(.cancel(id), device) }
      }
    }

    private func misfortune(_ device: Int) {
      let other = Int(random.below(5))
      let parts: Int? = random.below(2) == 0 || other == device ? nil : other
      switch random.below(16) {
      case 0: house.apply(.wifiOff, device)
      case 1, 2: house.apply(.wifiOn, device)
      case 3: house.apply(.leaveNetwork, device)
      case 4, 5: house.apply(.joinNetwork, device)
      case 6: house.apply(.partition(from: parts), device)
      case 7, 8: house.apply(.endPartition(from: nil), device)
      case 9: house.apply(.vanish, device)
      case 10, 11: house.apply(.appear, device)
      case 12: house.apply(random.below(2) == 0 ? .suspend : .resume, device)
      case 13:
        house.deaf = random.below(2) == 0 ? [] : [[min(device, other), max(device, other)], [-1, other]]
        house.apply(.moved, device)
      case 14: house.apply(.delay(.milliseconds(Int64(random.below(200)))), device)
      default:
        guard random.below(3) == 0 else { return }
        house.network.appEnded(device)
        // What was offered to the old life is not answered any more.
        for key in unanswered.keys where key.hasPrefix("\(device)/") { unanswered[key] = 0 }
        lives[device] += 1
        nextID[device] = 0
        house.network.appStarted(device)
        house.settle()
      }
    }
  }

  @Test("Nothing is told after an end, nothing arrives that was not sent, and every send is answered")
  func histories() {
    var octets = 0
    var streams = 0
    for seed in 0..<16 as Range<UInt64> {
      let history = History(seed: seed, wantsPackets: false)
      let digest = history.play()
      equal(history.faults, [], "seed \(seed)")
      octets += history.octets
      streams += history.streams
      if seed % 4 == 0 {
        equal(History(seed: seed, wantsPackets: true).play(), digest, "seed \(seed)")
      }
    }
    expect(octets > 500_000 && streams > 60, "\(octets) octets of \(streams) streams")
  }
}
