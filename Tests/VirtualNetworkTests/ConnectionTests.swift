import AppSeam
import Expectations
import SimKernel
import Testing

@testable import VirtualNetwork

@Suite("Connections between apps")
struct ConnectionTests {
  @Test("A stream opens in one round trip for its client and one and a half for its server")
  func handshake() {
    let house = NetworkHouse()
    house.introduce(0, to: [1])
    house.connect(1)
    house.run(to: .seconds(1))
    equal(house.instant(1, .ready(ConnectionID(0), .infrastructure)), .milliseconds(2))
    equal(house.instant(0, .incoming(ConnectionID(1), .infrastructure, peer: "bob")), .milliseconds(3))
  }

  @Test("Octets go both ways, and ends are told", arguments: NetworkInterface.allCases)
  func bothWays(interface: NetworkInterface) {
    let house = NetworkHouse()
    house.introduce(0, to: [1], over: [interface])
    house.connect(1, interfaces: [interface])
    house.run(to: .milliseconds(10))
    let out = [UInt8](1...200)
    house.send(out, 0, 1)
    house.send([7, 8, 9], 1, 0)
    house.perform(.finish(ConnectionID(0)), 1)
    house.run(to: .milliseconds(20))
    equal(house.octets[0][1], out)
    equal(house.octets[1][0], [7, 8, 9])
    expect(house.told(0, .ended(ConnectionID(1))))
    // The other direction is open still.
    house.send([10], 1, 0)
    house.perform(.finish(ConnectionID(1)), 0)
    house.run(to: .milliseconds(30))
    equal(house.octets[1][0], [7, 8, 9, 10])
    equal(house.inputs(1).last, .ended(ConnectionID(0)))
    house.perform(.cancel(ConnectionID(0)), 1)
    house.perform(.cancel(ConnectionID(1)), 0)
    house.run(to: .seconds(300))
    equal(house.inputs(1).last, .cancelled(ConnectionID(0)))
    equal(house.inputs(0).last, .cancelled(ConnectionID(1)))
  }

  @Test(
    "A talk wakes nobody but for its segments: the timer of an answer goes when the answer comes",
    arguments: [nil, KeepAliveRequest(idle: .seconds(3_600), interval: .seconds(1), count: 2)])
  func talk(keepAlive: KeepAliveRequest?) {
    let house = NetworkHouse()
    house.introduce(0, to: [1], keepAlive: keepAlive)
    house.connect(1)
    house.run(to: .seconds(10))
    let before = house.timeline.eventCount
    for second in 11...60 {
      house.send([UInt8](1...100), 1, 0)
      house.run(to: .seconds(Int64(second)))
    }
    // A segment and its acknowledgement; what is left over are names that are looked for again.
    let names = house.timeline.eventCount - before - 100
    expect((0...10).contains(names), "\(names)")
  }

  @Test("Eight devices: each guest gets what is sent to it, incoming numbers are odd from 1 on")
  func eight() {
    let house = NetworkHouse((0..<8).map { "d\($0)" })
    house.introduce(0, to: Array(1...7))
    for guest in 1...7 { house.connect(guest) }
    house.run(to: .milliseconds(10))
    for guest in 1...7 { house.send([UInt8(guest)], guest * 2 - 1, 0) }
    house.run(to: .milliseconds(20))
    for guest in 1...7 { equal(house.octets[guest][0], [UInt8(guest)]) }
    equal(house.network.statistics.devices[0].connections, 7)
  }

  @Test("Nobody listens: refused after one round trip; nobody answers: 183 s")
  func noAnswer() {
    let house = NetworkHouse()
    house.introduce(0, to: [1])
    house.perform(.stopListening(type: "_a._tcp"), 0)
    house.connect(1)
    house.run(to: .seconds(1))
    equal(house.instant(1, .failed(ConnectionID(0), .refused)), .milliseconds(2))
    house.introduce(0, to: [1])
    house.apply(.partition(from: nil), 0)
    house.connect(1, 2)
    house.connect(1, 4, timeout: .seconds(7))
    house.run(to: .seconds(300))
    equal(house.instant(1, .failed(ConnectionID(2), .timedOut)), .seconds(184))
    equal(house.instant(1, .failed(ConnectionID(4), .timedOut)), .seconds(8))
  }

  @Test("Numbers that may not be used are refused")
  func invalid() {
    let house = NetworkHouse()
    house.introduce(0, to: [1])
    house.connect(1, 3)
    house.connect(1, 2)
    house.connect(1, 2)
    let unknown = ConnectRequest(endpoint: EndpointID(9), interfaces: [.infrastructure])
    house.perform(.connect(ConnectionID(4), unknown), 1)
    house.send([1], 8, 1)
    equal(house.inputs(1).suffix(3), [3, 2, 4].map { .failed(ConnectionID($0), .invalid) })
    expect(!house.isTaken[1])
  }

  @Test("Times and names beyond reason do no harm")
  func extremes() {
    let house = NetworkHouse()
    house.introduce(0, to: [1])
    let longest = SimDuration(nanoseconds: .max)
    house.perform(.prime(longest), 1)
    house.perform(.prime(SimDuration(nanoseconds: .min)), 1)
    house.perform(.browse(type: String(repeating: "x", count: 1_000), peerToPeer: true), 1)
    house.perform(.browse(type: "", peerToPeer: true), 1)
    house.connect(1, 0, timeout: longest, keepAlive: KeepAliveRequest(idle: longest, interval: longest, count: .min))
    house.connect(1, 2, timeout: SimDuration(nanoseconds: .min))
    house.connect(1, .max - 1)
    house.run(to: .seconds(1))
    expect(house.told(1, .ready(ConnectionID(0), .infrastructure)))
    expect(house.told(1, .ready(ConnectionID(.max - 1), .infrastructure)))
    expect(house.told(1, .failed(ConnectionID(2), .timedOut)))
    house.perform(
      .listen(ListenRequest(type: "_b._tcp", name: String(repeating: "\u{1F600}", count: 15), peerToPeer: true)), 0)
    house.run(to: .seconds(5))
    equal(house.network.devices[0].listeners.last?.name?.utf8.count, 60)
  }

  @Test("A send is taken whole or not at all, and room is told once half of the buffer is free")
  func room() {
    let house = NetworkHouse()
    house.introduce(0, to: [1])
    house.connect(1)
    house.run(to: .milliseconds(10))
    house.perform(.read(ConnectionID(1), false), 0)
    var taken = 0
    while house.isTaken[1] {
      house.send([UInt8](repeating: 1, count: 50_000), 0, 1)
      if house.isTaken[1] { taken += 1 }
      house.run(for: .milliseconds(50))
    }
    // The receive buffer of 131 072 octets and the send buffer of as many.
    expect(taken == 5 || taken == 4)
    expect(!house.told(1, .room(ConnectionID(0))))
    house.perform(.read(ConnectionID(1), true), 0)
    house.run(for: .seconds(10))
    expect(house.told(1, .room(ConnectionID(0))))
    equal(house.counts[0][1], taken * 50_000)
    house.send([UInt8](repeating: 1, count: 400_000), 0, 1)
    expect(house.isTaken[1])
    house.run(for: .seconds(10))
    equal(house.counts[0][1], taken * 50_000 + 400_000)
  }

  @Test("Cancel with octets unread is RST, otherwise FIN")
  func cancel() {
    for reads in [true, false] {
      let house = NetworkHouse()
      house.introduce(0, to: [1])
      house.connect(1)
      house.run(to: .milliseconds(10))
      house.perform(.read(ConnectionID(1), reads), 0)
      house.send([1, 2, 3], 0, 1)
      house.run(to: .milliseconds(20))
      house.perform(.cancel(ConnectionID(1)), 0)
      house.run(to: .milliseconds(30))
      equal(house.inputs(0).last, .cancelled(ConnectionID(1)))
      equal(house.inputs(1).last, (reads ? .ended(ConnectionID(0)) : .failed(ConnectionID(0), .reset)))
      equal((house.octets[0][1] ?? []), (reads ? [1, 2, 3] : []))
    }
  }

  @Test("What comes in after a cancel is answered by RST")
  func lateOctets() {
    let house = NetworkHouse()
    house.introduce(0, to: [1])
    house.connect(1)
    house.run(to: .milliseconds(10))
    house.perform(.cancel(ConnectionID(0)), 1)
    house.run(to: .milliseconds(20))
    equal(house.inputs(0).last, .ended(ConnectionID(1)))
    house.send([1], 1, 0)
    house.run(to: .milliseconds(30))
    equal(house.inputs(0).last, .failed(ConnectionID(1), .reset))
  }

  @Test("Datagrams are kept apart, need no handshake, and have a longest length")
  func datagrams() {
    let house = NetworkHouse()
    house.introduce(0, to: [1], type: "_a._udp")
    house.connect(1)
    equal(house.inputs(1).last, .ready(ConnectionID(0), .infrastructure))
    house.send([1, 2], 0, 1)
    house.send([3], 0, 1)
    house.run(to: .milliseconds(10))
    equal(house.inputs(0).last, .incoming(ConnectionID(1), .infrastructure, peer: "bob"))
    equal(house.pieces[0][1], [2, 1])
    house.send([UInt8](repeating: 0, count: 1_472), 1, 0)
    expect(house.isTaken[0])
    house.send([UInt8](repeating: 0, count: 1_473), 1, 0)
    expect(!house.isTaken[0])
    house.run(to: .milliseconds(20))
    equal(house.pieces[1][0], [1_472])
  }

  @Test("A listener takes 16 streams of which its app was not told")
  func backlog() {
    let house = NetworkHouse((0..<18).map { "d\($0)" })
    house.introduce(0, to: Array(1...17))
    house.apply(.suspend, 0)
    for guest in 1...17 { house.connect(guest) }
    house.run(to: .milliseconds(500))
    let ready = NetworkInput.ready(ConnectionID(0), .infrastructure)
    equal((1...17).filter { house.told($0, ready) }.count, 16)
    house.apply(.resume, 0)
    house.run(to: .seconds(2))
    equal((1...17).filter { house.told($0, ready) }.count, 17)
  }

  @Test("Octets are cut as the room says, and are the same")
  func chopping() {
    let octets = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    for (chopping, check) in [
      (
        NetworkRoom.Chopping.exactly(7),
        // What is left of a segment may be shorter.
        { (pieces: [Int]) in pieces.allSatisfy { $0 == 7 || $0 == 4 } && pieces.count { $0 == 4 } <= 4 }
      ),
      (.drawn(upTo: 64), { pieces in pieces.allSatisfy { $0 <= 64 } && Set(pieces).count > 20 }),
      (.none, { pieces in pieces == [1_460, 1_460, 1_460, 620] }),
    ] {
      var room = NetworkRoom.ideal
      room.chopping = chopping
      let house = NetworkHouse(room: room)
      house.introduce(0, to: [1])
      house.connect(1)
      house.run(to: .milliseconds(10))
      house.send(octets, 0, 1)
      house.run(to: .seconds(1))
      equal(house.octets[0][1], octets)
      expect(check(house.pieces[0][1] ?? []), "\(chopping)")
    }
  }
}

extension NetworkHouse {
  convenience init(room: NetworkRoom) { self.init(["ada", "bob"], room) }
}
