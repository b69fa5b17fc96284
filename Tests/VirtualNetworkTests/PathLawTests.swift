import AppSeam
import Expectations
import SimKernel
import Testing

@testable import VirtualNetwork

/// Docs/virtual-network-laws.md, sections 5 and 6, over the whole network.
@Suite("Laws of paths")
struct PathLawTests {
  /// A stream from the second device to the first over a path with rules.
  private func stream(_ room: NetworkRoom, seed: UInt64 = 1, _ change: (inout NetworkStation) -> Void = { _ in })
    -> NetworkHouse
  {
    let house = NetworkHouse(["ada", "bob"], room, seed: seed, change)
    house.introduce(0, to: [1])
    house.connect(1)
    house.run(to: .seconds(5)) { house.told(1, .ready(ConnectionID(0), .infrastructure)) }
    return house
  }

  /// Sends as much as is taken until an instant.
  private func feed(_ house: NetworkHouse, _ ids: [(device: Int, id: Int)], to end: SimInstant) {
    let piece = [UInt8](repeating: 1, count: 16_384)
    let fill = {
      for (device, id) in ids {
        repeat { house.send(piece, id, device) } while house.isTaken[device]
      }
    }
    house.keepsOctets = false
    fill()
    house.onInput = { device, input in
      guard case .room(let id) = input else { return }
      repeat { house.network.perform(.send(id, octets: piece), device: device) } while self.isTakenNow(house, device)
    }
    house.run(to: end)
  }

  private func isTakenNow(_ house: NetworkHouse, _ device: Int) -> Bool {
    guard case .submitted(_, let accepted)? = house.network.popInput(device) else { return false }
    return accepted
  }

  @Test(
    "Throughput is the smaller of the path's rate and window over round trip", arguments: [14_600, 65_536, 131_072])
  func throughput(window: Int) {
    var room = NetworkRoom.ideal
    room.air = .fixed(delay: .milliseconds(10))
    room.path.bitsPerSecond = 10_000_000
    let house = stream(room) {
      $0.stream.receiveBuffer = window
      $0.stream.sendBuffer = 400_000
    }
    feed(house, [(1, 0)], to: .seconds(1))
    let before = house.counts[0][1] ?? 0
    house.run(to: .seconds(11))
    let measured = Double((house.counts[0][1] ?? 0) - before) * 8 / 10
    // A full window has the time of one segment and one acknowledgement on the wire as well.
    let trip = 20e-3 + (1_500 + 40) * 8 / 10e6
    let usable = Double((window / 1_460 - 1) * 1_460)
    let expected = min(10e6 * 1_460 / 1_500, usable * 8 / trip)
    expect(abs(measured / expected - 1) < 0.05, "measured \(measured), expected \(expected)")
  }

  @Test("n flows on one path share its rate", arguments: [2, 4])
  func shares(count: Int) {
    var room = NetworkRoom.ideal
    room.air = .fixed(delay: .milliseconds(10))
    room.path.bitsPerSecond = 10_000_000
    let house = NetworkHouse(["ada", "bob"], room)
    house.introduce(0, to: [1])
    for flow in 0..<count { house.connect(1, 2 * flow) }
    house.run(to: .milliseconds(200))
    feed(house, (0..<count).map { (1, 2 * $0) }, to: .seconds(60))
    let rates = (0..<count).map { Double(house.counts[0][2 * $0 + 1] ?? 0) * 8 / 60 }
    for rate in rates { expect(abs(rate * Double(count) / (10e6 * 1_460 / 1_500) - 1) < 0.05, "\(rates)") }
  }

  /// Each segment has an acknowledgement: 330 + 114 µs and two back-offs in one hop, twice 330 + 110 µs and four
  /// through an access point; the winner's mean back-off is between that of two stations (43.59 µs) and that of one
  /// (67.5 µs).
  @Test("TCP over OFDM 54: 20.2 to 21.7 Mb/s in one hop, half of it through an access point")
  func overTheAir() {
    for (room, interface, range) in [
      (AirLawTests.oneHop(.ofdm(megabits: 54)), NetworkInterface.peerToPeer, 20.2...21.7),
      (NetworkRoom(), .infrastructure, 10.15...11.1),
    ] {
      let house = NetworkHouse(["ada", "bob"], room)
      house.introduce(0, to: [1], over: [interface])
      house.connect(1, interfaces: [interface])
      house.run(to: .milliseconds(500))
      feed(house, [(1, 0)], to: .seconds(1))
      let before = house.counts[0][1] ?? 0
      house.run(to: .seconds(4))
      let measured = Double((house.counts[0][1] ?? 0) - before) * 8 / 3
      // Beacons and synchronisation frames take half a percent.
      expect(range.contains(measured / 1e6 * 1.005), "\(interface): measured \(measured)")
    }
  }

  @Test(
    "What goes in comes out, in order and once, for random loss, bursts, cuts, partitions and chopping",
    arguments: 0..<24)
  func integrity(seed: UInt64) {
    var random = RandomStream(seed: seed, component: "test", purpose: "integrity")
    var room = NetworkRoom.ideal
    if random.below(2) == 0 {
      room = NetworkRoom()
      room.peerToPeer.sleeps = false
    }
    switch random.below(3) {
    case 0: room.path.loss = .independent(Ratio(random.below(40), 100))
    case 1: room.path.loss = .every(Int(2 + random.below(9)))
    default:
      room.path.loss = .bursts(
        meanGood: .milliseconds(300), meanBad: .milliseconds(50), lossInGood: .never, lossInBad: Ratio(9, 10))
    }
    room.path.delay = .microseconds(Int64(random.below(40_000)))
    room.chopping = random.below(2) == 0 ? .drawn(upTo: 64) : .exactly(1 + Int(random.below(2_000)))
    let house = NetworkHouse(["ada", "bob", "cyd"], room, seed: seed)
    let interface: NetworkInterface = random.below(2) == 0 ? .infrastructure : .peerToPeer
    house.introduce(0, to: [1, 2], over: [interface])
    var sent: [[Int: [UInt8]]] = [[:], [:], [:]]
    for guest in 1...2 { house.connect(guest, interfaces: [interface]) }
    house.run(to: .seconds(20)) { house.inputs(0).count { if case .incoming = $0 { true } else { false } } == 2 }
    for _ in 0..<60 {
      let device = Int(random.below(3))
      let id = device == 0 ? 1 + 2 * Int(random.below(2)) : 0
      let octets = (0..<Int(random.below(9_000))).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      house.send(octets, id, device)
      if house.isTaken[device] { sent[device][id, default: []] += octets }
      if random.below(10) == 0 { house.apply(.partition(from: nil), Int(random.below(3))) }
      house.run(for: .milliseconds(Int64(random.below(200))))
      for device in 0...2 { house.apply(.endPartition(from: nil), device) }
    }
    house.run(for: .seconds(200))
    // Which connection of the host is which guest's follows from its inputs.
    for input in house.inputs(0) {
      guard case .incoming(let id, _, let peer) = input else { continue }
      let guest = peer == "bob" ? 1 : 2
      equal(house.octets[guest][0] ?? [], sent[0][id.rawValue] ?? [])
      equal(house.octets[0][id.rawValue] ?? [], sent[guest][0] ?? [])
    }
    equal(house.inputs(0).count, 2, "\(house.inputs(0))")
  }

  @Test("The same happens whether packets are wanted or not, and in every order of devices")
  func digests() {
    func digest(_ names: [String], _ room: NetworkRoom, wantsPackets: Bool) -> String {
      let house = NetworkHouse(names, room, seed: 5, wantsPackets: wantsPackets)
      func index(_ name: String) -> Int { names.firstIndex(of: name)! }
      let guests = ["bob", "cyd", "dan"]
      house.introduce(index("ada"), to: guests.map(index))
      for guest in guests { house.connect(index(guest)) }
      house.run(to: .seconds(1))
      for guest in guests {
        for _ in 0..<10 { house.send([UInt8](repeating: 9, count: 1_000 * (1 + index("ada") * 0)), 0, index(guest)) }
        house.run(for: .milliseconds(300))
      }
      house.network.appEnded(index("cyd"))
      house.run(to: .seconds(20))
      return house.network.digest.hexadecimal
    }
    var lossy = NetworkRoom.ideal
    lossy.path.loss = .independent(Ratio(1, 10))
    let names = ["ada", "bob", "cyd", "dan"]
    let first = digest(names, lossy, wantsPackets: false)
    equal(digest(names, lossy, wantsPackets: true), first)
    for order in [["dan", "cyd", "bob", "ada"], ["cyd", "ada", "dan", "bob"]] {
      equal(digest(order, lossy, wantsPackets: false), first)
    }
    let shared = NetworkRoom()
    equal(digest(names, shared, wantsPackets: true), digest(names, shared, wantsPackets: false))
    expect(digest(names, shared, wantsPackets: true) != first)
  }
}
