import AppSeam
import Expectations
import SimKernel
import Testing

@testable import VirtualNetwork

@Suite("Faults of a network")
struct FaultTests {
  /// A connection from the second device to the first, ready at once; the clock is at 10 ms or later.
  private func connected(
    _ interface: NetworkInterface = .infrastructure, _ room: NetworkRoom = .ideal, keepAlive: KeepAliveRequest? = nil,
    _ change: (inout NetworkStation) -> Void = { _ in }
  ) -> NetworkHouse {
    let house = NetworkHouse(["ada", "bob"], room, change)
    house.introduce(0, to: [1], over: [interface], keepAlive: keepAlive)
    house.network.appStarted(0)
    house.network.appStarted(1)
    house.connect(1, interfaces: [interface])
    house.run(to: .milliseconds(10))
    house.log = [[], []]
    return house
  }

  private let guest = ConnectionID(0)
  private let host = ConnectionID(1)

  @Test("Interface off: not viable at once, over after 5 s; on again in time: it goes on")
  func interfaceOff() {
    let house = connected()
    house.apply(.wifiOff, 1)
    equal(house.inputs(1), [.pathChanged([.infrastructure]), .pathChanged([]), .viable(guest, false)])
    house.send([1], 0, 1)
    house.run(for: .seconds(4))
    house.apply(.wifiOn, 1)
    house.run(for: .seconds(4))
    equal(house.inputs(1).last, .viable(guest, true))
    equal(house.octets[0][1], [1])
    house.apply(.wifiOff, 1)
    let off = house.timeline.now
    house.run(for: .seconds(10))
    equal(house.instant(1, .failed(guest, .interfaceOff)), off + .seconds(5))
  }

  @Test("Leaving the infrastructure keeps the other interface, and joining takes 0.8 to 1.6 s")
  func leaveAndJoin() {
    let house = connected(.infrastructure, NetworkRoom()) { $0.hasPeerToPeer = true }
    house.apply(.leaveNetwork, 1)
    equal(house.inputs(1), [.pathChanged([.peerToPeer]), .viable(guest, false)])
    house.run(to: .seconds(1))
    let start = house.timeline.now
    house.apply(.joinNetwork, 1)
    house.run(for: .seconds(3))
    let back = house.instant(1, .pathChanged([.infrastructure, .peerToPeer]))
    equal(back.map { $0 - start >= .milliseconds(800) && $0 - start <= .milliseconds(1_600) }, true)
    equal(house.inputs(1).last, .viable(guest, true))
  }

  @Test("A device that vanishes says nothing: its peer notices by keep-alive, or when a segment is sent 9 times")
  func vanish() {
    let house = connected()
    house.apply(.vanish, 0)
    house.send([1], 0, 1)
    let start = house.timeline.now
    house.run(for: .seconds(200))
    equal(house.instant(1, .failed(guest, .timedOut)), start + .milliseconds(102_200))

    let lively = connected(keepAlive: KeepAliveRequest(idle: .seconds(10), interval: .seconds(2), count: 3))
    lively.apply(.vanish, 1)
    lively.run(for: .seconds(60))
    // Silent since the handshake's last segment came at 3 ms.
    equal(lively.instant(0, .failed(host, .timedOut)), .milliseconds(3) + .seconds(16))
  }

  @Test("A device that vanished loses its link after ten beacons, and joins again when it is there")
  func vanishAndAppear() {
    let house = connected()
    house.apply(.vanish, 0)
    house.run(for: .seconds(2))
    expect(house.told(0, .viable(host, false)))
    expect(!house.told(1, .viable(guest, false)))
    house.apply(.appear, 0)
    house.run(for: .seconds(1))
    equal(house.inputs(0).last, .viable(host, true))
    house.send([5], 0, 1)
    house.run(for: .seconds(1))
    equal(house.octets[0][1], [5])
  }

  @Test("Nothing passes a partition, nobody is told, and what was sent arrives after it")
  func partition() {
    for other in [nil, 1] {
      let house = connected()
      house.apply(.partition(from: other), 0)
      house.send([1, 2], 0, 1)
      house.run(for: .seconds(5))
      expect(house.octets[0][1] == nil)
      house.apply(.endPartition(from: other), 0)
      house.run(for: .seconds(10))
      equal(house.octets[0][1], [1, 2])
      expect(house.inputs(0) == [] && house.inputs(1) == [])
    }
  }

  @Test("Out of reach of the access point is noticed after ten beacons; a neighbour that is gone after 2 s")
  func moved() {
    let house = connected()
    house.deaf = [[-1, 1]]
    house.apply(.moved, 1)
    let start = house.timeline.now
    house.run(for: .seconds(3))
    equal(house.instant(1, .viable(guest, false)), start + .milliseconds(1_024))

    let near = connected(.peerToPeer)
    near.deaf = [[0, 1]]
    near.apply(.moved, 0)
    let begin = near.timeline.now
    near.run(for: .seconds(3))
    equal(near.instant(1, .viable(guest, false)), begin + .seconds(2))
    near.deaf = []
    near.apply(.moved, 0)
    near.run(for: .seconds(3))
    equal(near.inputs(1).last, .viable(guest, true))
  }

  @Test("A stream on AWDL is told of infrastructure that becomes usable, and never moves by itself")
  func betterPath() {
    let house = NetworkHouse()
    house.apply(.leaveNetwork, 1)
    house.introduce(0, to: [1], over: [.peerToPeer, .infrastructure])
    house.connect(1, interfaces: [.infrastructure, .peerToPeer])
    house.run(to: .milliseconds(10))
    equal(house.inputs(1).last, .ready(guest, .peerToPeer))
    house.apply(.joinNetwork, 1)
    house.run(to: .milliseconds(20))
    equal(house.inputs(1).last, .betterPath(guest, true))
    house.apply(.leaveNetwork, 1)
    equal(house.inputs(1).last, .betterPath(guest, false))
    house.send([1], 0, 1)
    house.run(to: .milliseconds(30))
    equal(house.octets[0][1], [1])
  }

  @Test("The preferred interface has 250 ms before the other one is tried as well")
  func race() {
    let house = NetworkHouse()
    house.introduce(0, to: [1], over: [.infrastructure, .peerToPeer])
    house.connect(1, interfaces: [.infrastructure, .peerToPeer])
    house.run(to: .milliseconds(10))
    equal(house.inputs(1).last, .ready(guest, .infrastructure))
    // Infrastructure is known and dead: its access point does not reach the host.
    house.deaf = [[-1, 0]]
    house.apply(.moved, 0)
    house.connect(1, 2, interfaces: [.infrastructure, .peerToPeer])
    let start = house.timeline.now
    house.run(for: .seconds(1))
    equal(house.instant(1, .ready(ConnectionID(2), .peerToPeer)), start + .milliseconds(252))
  }

  @Test("Without a path a connection waits, and is tried when there is one")
  func waiting() {
    let house = NetworkHouse()
    house.introduce(0, to: [1])
    house.apply(.wifiOff, 1)
    house.introduce(0, to: [1])
    house.connect(1)
    equal(house.inputs(1).last, .waiting(guest, .noPath))
    house.run(to: .seconds(5))
    house.apply(.wifiOn, 1)
    house.introduce(0, to: [1])
    house.run(to: .seconds(6))
    expect(house.inputs(1).contains(.ready(guest, .infrastructure)))
  }

  @Test("A suspended app is told nothing, its buffer fills, and it reads on when it runs again")
  func suspension() {
    let house = connected()
    house.apply(.suspend, 0)
    house.send([UInt8](repeating: 1, count: 131_072), 0, 1)
    house.run(for: .seconds(5))
    house.send([UInt8](repeating: 2, count: 100_000), 0, 1)
    house.run(for: .seconds(5))
    house.send([UInt8](repeating: 2, count: 100_000), 0, 1)
    expect(!house.isTaken[1])
    expect(house.counts[0][1] == nil)
    house.run(for: .seconds(100))
    house.apply(.resume, 0)
    house.run(for: .seconds(100))
    equal(house.counts[0][1], 231_072)
    expect(house.told(1, .room(guest)))
  }

  @Test("After 60 s of suspension sockets are taken back where the system does so")
  func reclaim() {
    let house = connected { $0.reclaimsSockets = true }
    house.apply(.suspend, 0)
    let start = house.timeline.now
    house.run(for: .seconds(70))
    equal(house.instant(1, .failed(guest, .reset)), start + .seconds(60) + .milliseconds(1))
    equal(house.inputs(0), [])
    house.apply(.resume, 0)
    equal(house.inputs(0).suffix(2), [.failed(host, .reclaimed), .listenerFailed(type: "_a._tcp", .reclaimed)])
  }

  @Test("A killed app's streams end by RST, and its next life begins with new numbers")
  func killed() {
    let house = connected()
    house.network.appEnded(0)
    house.settle()
    house.run(for: .milliseconds(5))
    equal(house.inputs(1), [.failed(guest, .reset)])
    equal(house.inputs(0), [])
    house.connect(1, 2)
    house.run(for: .milliseconds(5))
    equal(house.inputs(1).last, .failed(ConnectionID(2), .refused))
    house.introduce(0, to: [1])
    house.connect(1, 4)
    house.run(for: .milliseconds(5))
    equal(house.inputs(0).last, .incoming(host, .infrastructure, peer: "bob"))
  }
}
