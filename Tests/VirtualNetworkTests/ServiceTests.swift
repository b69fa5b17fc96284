import AppSeam
import Expectations
import SimKernel
import Testing

@testable import VirtualNetwork

/// Docs/virtual-network-laws.md, sections 4, 7 and 8: what listeners and browsers are told.
@Suite("Services that are found over the network")
struct ServiceTests {
  private static let type = "_a._tcp"

  private func listen(_ house: NetworkHouse, _ device: Int, name: String = "s", peerToPeer: Bool = false) {
    house.perform(.listen(ListenRequest(type: Self.type, name: name, peerToPeer: peerToPeer)), device)
  }

  private func browse(_ house: NetworkHouse, _ device: Int, peerToPeer: Bool = false) {
    house.perform(.browse(type: Self.type, peerToPeer: peerToPeer), device)
  }

  private func found(
    _ house: NetworkHouse, _ device: Int
  ) -> [(instant: SimInstant, name: String, interfaces: [NetworkInterface])] {
    house.log[device].compactMap { told in
      guard case .found(_, _, let name, let interfaces, _) = told.input else { return nil }
      return (told.instant, name, interfaces)
    }
  }

  @Test("A listener is ready after probing, and a browser that starts later finds it within 240 ms")
  func readyAndFound() {
    for seed in 0..<40 {
      let house = NetworkHouse(["ada", "bob"], .ideal, seed: UInt64(seed))
      listen(house, 0)
      house.run(to: .seconds(5))
      guard case .listenerReady(Self.type, "s", let port)? = house.inputs(0).first else {
        Issue.record("not ready")
        continue
      }
      expect(port >= 49_152)
      expect(house.log[0][0].instant >= .milliseconds(750) && house.log[0][0].instant <= .milliseconds(1_000))
      browse(house, 1)
      house.run(to: .seconds(10))
      let results = found(house, 1)
      equal(results.count, 1)
      expect(results[0].instant >= .milliseconds(5_042) && results[0].instant <= .milliseconds(5_242))
      house.connect(1)
      house.run(for: .milliseconds(10))
      equal(house.inputs(1).last, .ready(ConnectionID(0), .infrastructure))
    }
  }

  @Test("A TXT record is told with its service, and each other one once, over whichever interface it comes")
  func records() {
    let house = NetworkHouse()
    let (first, second): ([UInt8], [UInt8]) = ([1, 0x61], [2, 0x62, 0x63])
    house.perform(.listen(ListenRequest(type: Self.type, name: "s", peerToPeer: true, record: first)), 0)
    house.run(to: .seconds(5))
    browse(house, 1, peerToPeer: true)
    house.run(to: .seconds(10))
    house.perform(.updateRecord(type: Self.type, record: second), 0)
    // What is no record, and the record of a type without a listener, are ignored.
    house.perform(.updateRecord(type: Self.type, record: [9, 0x61]), 0)
    house.perform(.updateRecord(type: "_b._tcp", record: first), 0)
    house.run(to: .seconds(15))
    let told = house.inputs(1).filter { if case .changed = $0 { false } else { true } }
    guard case .found(let endpoint, Self.type, "s", _, first)? = told.first else {
      return expect(false, "not found with its record: \(told)")
    }
    equal(Array(told.dropFirst()), [.recordChanged(endpoint, record: second)])
  }

  @Test("Of a TXT record there are at most 1 200 octets, all of them in strings")
  func recordLimits() {
    func answer(_ record: [UInt8]) -> NetworkInput? {
      let house = NetworkHouse()
      house.perform(.listen(ListenRequest(type: Self.type, name: "s", peerToPeer: false, record: record)), 0)
      house.run(to: .seconds(2))
      return house.inputs(0).first
    }
    let string: [UInt8] = [239] + [UInt8](repeating: 0x61, count: 239)
    let longest = (0..<5).flatMap { _ in string }
    equal(longest.count, ServiceRecord.longest)
    for record in [[], [0], longest] as [[UInt8]] {
      guard case .listenerReady? = answer(record) else {
        Issue.record("\(record.count) octets are refused")
        continue
      }
    }
    for record in [[1], [2, 0x61], longest + [0]] as [[UInt8]] {
      equal(answer(record), .listenerFailed(type: Self.type, .invalid))
    }
  }

  @Test("What is found on both interfaces is one service")
  func merging() {
    let house = NetworkHouse()
    listen(house, 0, peerToPeer: true)
    house.run(to: .seconds(5))
    browse(house, 1, peerToPeer: true)
    house.run(to: .seconds(8))
    equal(found(house, 1).count, 1)
    let last = house.inputs(1).compactMap { input -> [NetworkInterface]? in
      switch input {
      case .found(_, _, _, let interfaces, _), .changed(_, let interfaces): interfaces
      default: nil
      }
    }.last
    equal(last, [.infrastructure, .peerToPeer])
    house.apply(.leaveNetwork, 1)
    equal(house.inputs(1).last, .changed(EndpointID(0), interfaces: [.peerToPeer]))
    house.apply(.wifiOff, 1)
    equal(house.inputs(1).last, .lost(EndpointID(0)))
    house.apply(.wifiOn, 1)
    house.run(for: .seconds(3))
    equal(found(house, 1).count, 2)
  }

  @Test("The preferred interface is taken when both are found within 250 ms", arguments: 0..<10 as Range<UInt64>)
  func preferred(seed: UInt64) {
    let house = NetworkHouse(["ada", "bob"], .ideal, seed: seed)
    listen(house, 0, peerToPeer: true)
    house.run(to: .seconds(5))
    house.onInput = { device, input in
      guard device == 1, case .found = input else { return }
      let request = ConnectRequest(endpoint: EndpointID(0), interfaces: [.infrastructure, .peerToPeer])
      house.network.perform(.connect(ConnectionID(0), request), device: 1)
    }
    browse(house, 1, peerToPeer: true)
    house.run(to: .seconds(6))
    expect(house.inputs(1).contains(.ready(ConnectionID(0), .infrastructure)))
  }

  @Test(
    "Devices that want one name end with different ones, the same on all interfaces", arguments: 0..<6 as Range<UInt64>)
  func conflicts(seed: UInt64) {
    let house = NetworkHouse(["ada", "bob", "cyd", "dan"], .ideal, seed: seed)
    for device in 0...2 { listen(house, device, peerToPeer: true) }
    browse(house, 3, peerToPeer: true)
    house.run(to: .seconds(40))
    let names = (0...2).map { house.network.devices[$0].listeners[0].name ?? "" }
    equal(Set(names).count, 3, "\(names)")
    for device in 0...2 {
      guard case .listenerReady(_, let name, _)? = house.inputs(device).last else {
        Issue.record("not ready")
        continue
      }
      equal(name, names[device])
    }
    let there = house.network.devices[3].endpoints.filter(\.isThere)
    equal(Set(there.map(\.name)), Set(names))
    expect(there.allSatisfy { $0.interfaces.count == 2 }, "\(there)")
  }

  @Test("A goodbye is believed after 1 s; who vanishes is forgotten when its place is 120 s old")
  func ends() {
    let house = NetworkHouse()
    browse(house, 1)
    listen(house, 0)
    house.run(to: .seconds(5))
    house.perform(.stopListening(type: Self.type), 0)
    house.run(to: .seconds(8))
    equal(house.instant(1, .lost(EndpointID(0))), .seconds(6) + .milliseconds(1))
    listen(house, 0)
    house.run(to: .seconds(12))
    let heard = house.network.devices[1].endpoints.count
    equal(heard, 2)
    house.apply(.vanish, 0)
    house.run(to: .seconds(200))
    // The last announcement was one second after the name was had.
    let lost = house.instant(1, .lost(EndpointID(1)))
    equal(lost.map { $0 > .seconds(128) && $0 < .seconds(133) }, true, "\(String(describing: lost))")
  }

  @Test("A killed app's services end with a goodbye where its system says one", arguments: [true, false])
  func killed(saysGoodbye: Bool) {
    let house = NetworkHouse { $0.saysGoodbye = saysGoodbye }
    browse(house, 1)
    listen(house, 0)
    house.run(to: .seconds(5))
    house.network.appEnded(0)
    house.run(to: .seconds(10))
    equal(house.told(1, .lost(EndpointID(0))), saysGoodbye)
    house.run(to: .seconds(200))
    expect(house.told(1, .lost(EndpointID(0))))
  }

  @Test("Guest networks: isolated stations find nobody, and neither do those without multicast")
  func guestNetworks() {
    for (isolates, forwards) in [(false, true), (true, true), (false, false)] {
      var room = NetworkRoom()
      room.accessPoint?.isolates = isolates
      room.accessPoint?.forwardsMulticast = forwards
      let house = NetworkHouse(["ada", "bob"], room)
      listen(house, 0)
      browse(house, 1)
      house.run(to: .seconds(20))
      equal(found(house, 1).isEmpty, (isolates || !forwards))
    }
  }

  @Test("Over sleeping AWDL a search takes 2.02 to 7.83 s, primed 20 to 233 ms, and then a stream opens")
  func search() {
    for isPrimed in [false, true] {
      var times: [Double] = []
      for seed in 0..<150 {
        var room = NetworkRoom()
        room.accessPoint = nil
        let house = NetworkHouse(["ada", "bob"], room, seed: UInt64(seed))
        listen(house, 0, peerToPeer: true)
        house.run(to: .seconds(5))
        if isPrimed { house.perform(.prime(.seconds(30)), 1) }
        browse(house, 1, peerToPeer: true)
        house.run(to: .seconds(20)) { !found(house, 1).isEmpty }
        times.append(Double((house.timeline.now - SimInstant.seconds(5)).nanoseconds) / 1e9)
        house.connect(1, interfaces: [.peerToPeer])
        house.run(for: .seconds(2))
        equal(house.inputs(1).last, .ready(ConnectionID(0), .peerToPeer))
        if seed > 20 { continue }
        house.send([UInt8](repeating: 1, count: 50_000), 0, 1)
        house.run(for: .seconds(3))
        equal(house.counts[0][1], 50_000)
      }
      // Airtime comes on top.
      let range = isPrimed ? 0.020...0.240 : 2.02...7.85
      expect(times.allSatisfy { range.contains($0) }, "\(times.min() ?? 0) \(times.max() ?? 0)")
      let mean = times.reduce(0, +) / Double(times.count)
      expect(abs(mean / (isPrimed ? 0.126 : 4.926) - 1) < 0.07, "\(mean)")
    }
  }

  @Test("Requests that cannot be are refused")
  func invalid() {
    let house = NetworkHouse()
    for (type, name) in [("_a._tcp", ""), ("a._tcp", "s"), ("_abcdefghijklmnop._tcp", "s"), ("_a._sctp", "s")] {
      house.perform(.listen(ListenRequest(type: type, name: name, peerToPeer: false)), 0)
      equal(house.inputs(0).last, .listenerFailed(type: type, .invalid))
    }
    listen(house, 0)
    listen(house, 0)
    equal(house.inputs(0).last, .listenerFailed(type: Self.type, .invalid))
  }

  @Test("Eight devices in one room with access point and AWDL find one another and talk")
  func eight() {
    let house = NetworkHouse((0..<8).map { "d\($0)" }, NetworkRoom())
    listen(house, 0, name: "lobby", peerToPeer: true)
    for guest in 1...7 { browse(house, guest, peerToPeer: true) }
    house.run(to: .seconds(15))
    for guest in 1...7 {
      equal(found(house, guest).map(\.name), ["lobby"])
      house.connect(guest, interfaces: guest % 2 == 0 ? [.infrastructure] : [.peerToPeer])
    }
    house.run(to: .seconds(17))
    for guest in 1...7 {
      for _ in 0..<5 { house.send([UInt8](repeating: UInt8(guest), count: 3_000), 0, guest) }
    }
    for id in 0..<7 { house.send([UInt8](repeating: 9, count: 10_000), 2 * id + 1, 0) }
    house.run(to: .seconds(25))
    for guest in 1...7 { equal(house.counts[guest][0], 10_000) }
    equal(house.counts[0].values.sorted(), Array(repeating: 15_000, count: 7))
  }
}
