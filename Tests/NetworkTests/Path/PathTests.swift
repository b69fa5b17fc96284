import AppSeam
import CoreBluetooth
import Expectations
import Network
import Platform
import SimKernel
import Testing
import VirtualNetwork
import VirtualRoom

@Suite("Paths of the device")
struct PathTests {
  private static func monitor(_ phone: SeamPhone, _ make: @escaping () -> NWPathMonitor = { NWPathMonitor() }) -> Watch
  {
    let watch = phone.phone.whileCurrent { Watch(make()) }
    phone.act { watch.monitor.start(queue: phone.queue) }
    return watch
  }

  @Test("A monitor tells the path after its start, and each change once")
  func changes() {
    let phone = SeamPhone()
    let watch = Self.monitor(phone)
    equal(watch.paths.map(\.status), [.satisfied])
    equal(watch.paths[0].availableInterfaces.map(\.name), ["en0"])
    phone.tell(
      .pathChanged([.infrastructure]), .pathChanged([.peerToPeer]), .pathChanged([]), .pathChanged([.infrastructure]))
    equal(watch.paths.map(\.status), [.satisfied, .unsatisfied, .satisfied])
    expect(watch.monitor.currentPath.status == .satisfied && watch.monitor.queue === phone.queue)
  }

  @Test("AWDL alone is no path of the device")
  func peerToPeerAlone() {
    equal(Self.monitor(SeamPhone(links: [.peerToPeer])).paths.map(\.status), [.unsatisfied])
  }

  @Test("A monitor that starts before the phone knows waits for it")
  func early() throws {
    let room = VirtualRoom(seed: 3, network: .ideal)
    let phone = room.phone("phone") { RoomWatch() }
    try room.run(for: .seconds(1))
    equal(phone.app?.statuses, [.satisfied])
  }

  @Test("One type of interface, or all but some")
  func types() {
    equal(Self.monitor(SeamPhone()) { NWPathMonitor(requiredInterfaceType: .wifi) }.paths[0].status, .satisfied)
    equal(
      Self.monitor(SeamPhone()) { NWPathMonitor(requiredInterfaceType: .cellular) }.paths[0].status, .unsatisfied)
    equal(
      Self.monitor(SeamPhone()) { NWPathMonitor(prohibitedInterfaceTypes: [.wifi]) }.paths[0].status, .unsatisfied)
  }

  @Test("A monitor that was cancelled tells nothing, and cannot start again")
  func cancel() {
    let phone = SeamPhone()
    let watch = Self.monitor(phone)
    phone.act { watch.monitor.start(queue: phone.queue) }
    phone.act { watch.monitor.cancel() }
    phone.tell(.pathChanged([]))
    equal(watch.paths.count, 1)
    phone.act { watch.monitor.start(queue: phone.queue) }
    equal(watch.paths.count, 1)
    equal(phone.remarks, ["misuse network.started-twice", "misuse network.started-twice"])
  }

  @Test("What a path says: types, versions of IP, text")
  func values() {
    let path = NWPath(interfaces: 1)
    expect(path.usesInterfaceType(.wifi) && !path.usesInterfaceType(.cellular))
    expect(path.supportsIPv4 && path.supportsDNS && !path.isExpensive && !path.isConstrained)
    equal(path.debugDescription, "satisfied, interfaces: en0")
    expect(NWPath(interfaces: 0).debugDescription == "unsatisfied" && path != NWPath(interfaces: 0))
  }

  @Test("Wi-Fi off and on, and a phone in a room without a network")
  func rooms() throws {
    let room = VirtualRoom(seed: 3, network: .home)
    let phone = room.phone("phone") { RoomWatch() }
    try room.run(for: .seconds(3))
    equal(phone.app?.statuses.last, .satisfied)
    try phone.apply(.network(.wifiOff))
    equal(phone.app?.statuses.last, .unsatisfied)
    try phone.apply(.network(.wifiOn))
    try room.run(for: .seconds(3))
    equal(phone.app?.statuses.suffix(2), [.unsatisfied, .satisfied])
    let silent = VirtualRoom(seed: 3)
    let alone = silent.phone("alone") { RoomWatch() }
    try silent.run(for: .seconds(1))
    equal(alone.app?.statuses, [.unsatisfied])
  }
}

private final class Watch: @unchecked Sendable {
  let monitor: NWPathMonitor
  private(set) var paths: [NWPath] = []

  init(_ monitor: NWPathMonitor) {
    self.monitor = monitor
    monitor.pathUpdateHandler = { [self] in paths.append($0) }
  }
}

private final class RoomWatch: @unchecked Sendable {
  let monitor = NWPathMonitor()
  private(set) var statuses: [NWPath.Status] = []

  init() {
    monitor.pathUpdateHandler = { [unowned self] in statuses.append($0.status) }
    monitor.start(queue: .main)
  }
}
