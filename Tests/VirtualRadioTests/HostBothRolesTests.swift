import BluetoothWire
import Expectations
import RadioLaws
import SimKernel
import Testing
import VirtualRadio

/// Vol 3, Part C, 2.2.2: a device may have several GAP roles at once; Vol 6, Part B, 1.1.1 for the link layer.
@Suite("One device, peripheral on one link and central on another")
struct HostBothRolesTests {
  /// Device 0 is the peripheral of device 1, which is the peripheral of device 2: (1 → 0, 2 → 1), each by the handle
  /// that device 1 knows it by.
  private func chain(
    _ configure: @escaping (Int, inout HostConfiguration) -> Void
  ) throws -> (room: StackRoom, asCentral: HCI.ConnectionHandle, asPeripheral: HCI.ConnectionHandle) {
    let room = StackRoom(3, configure: configure)
    for host in room.hosts { host.publish(.loop) }
    for (peripheral, central) in [(0, 1), (1, 2)] {
      room.hosts[peripheral].startAdvertising(data: [2, 1, 6], scanResponse: [])
      room.hosts[central].connect(to: RadioBench.address(peripheral))
      room.run(for: .seconds(2))
    }
    let made = links(room.take(1))
    try require(made.map(\.role) == [.central, .peripheral])
    for (device, handle) in [(1, made[0].handle), (2, try required(links(room.take(2)).first).handle)] {
      room.hosts[device].discover(handle, service: loopService)
      room.run(for: .seconds(2))
      room.hosts[device].subscribe(handle, characteristic: loopState, true)
      room.run(for: .seconds(1))
    }
    return (room, made[0].handle, made[1].handle)
  }

  private func links(_ events: [HostEvent]) -> [(handle: HCI.ConnectionHandle, role: HCI.Role)] {
    events.compactMap { if case .connected(let handle, let connection) = $0 { (handle, connection.role) } else { nil } }
  }

  /// Values that came in, with the link: written to this device or notified to it.
  private func values(_ events: [HostEvent]) -> [(link: HCI.ConnectionHandle, value: [UInt8])] {
    events.compactMap {
      switch $0 {
      case .valueWritten(let handle, _, let value, _), .valueNotified(let handle, _, let value): (handle, value)
      default: nil
      }
    }
  }

  @Test("Values flow both ways on both links, and each link has the ATT_MTU of its role")
  func values() throws {
    let (room, asCentral, asPeripheral) = try chain { _, configuration in
      configuration.serverATTMTU = 200
      configuration.clientATTMTU = 100
      configuration.exchangesMTUAutomatically = true
      configuration.requested2M = true
    }
    equal(room.hosts[1].attMTU(asCentral), 100)
    equal(room.hosts[1].attMTU(asPeripheral), 100)
    for device in 0..<3 { _ = room.take(device) }
    let middle = room.hosts[1]
    expect(middle.writeWithoutResponse(asCentral, characteristic: loopCommand, value: [1]))
    expect(middle.notify(asPeripheral, characteristic: loopState, value: [2]))
    let outer = HCI.ConnectionHandle(0x0040)
    expect(room.hosts[0].notify(outer, characteristic: loopState, value: [3]))
    expect(room.hosts[2].writeWithoutResponse(outer, characteristic: loopCommand, value: [4]))
    room.run(for: .seconds(1))
    equal(values(room.take(0)).map(\.value), [[1]])
    equal(values(room.take(2)).map(\.value), [[2]])
    let taken = values(room.take(1))
    equal(taken.count, 2)
    expect(taken.contains { $0.link == asCentral && $0.value == [3] })
    expect(taken.contains { $0.link == asPeripheral && $0.value == [4] })
  }

  @Test("The Rx MTU of a link is that of the role, whatever the other link has")
  func rxMTU() throws {
    let (room, asCentral, asPeripheral) = try chain { index, configuration in
      configuration.serverATTMTU = index == 1 ? 60 : 517
      configuration.clientATTMTU = index == 1 ? 185 : 517
      configuration.exchangesMTUAutomatically = true
    }
    equal(room.hosts[1].attMTU(asCentral), 185)
    equal(room.hosts[1].attMTU(asPeripheral), 60)
  }

  @Test("As many values wait on a link as its role has room for")
  func queueDepths() {
    let bench = LoopBench(3) { _, configuration in
      configuration.requestedDataLength = nil
      configuration.notificationQueueDepth = 2
      configuration.writeCommandQueueDepth = 5
    }
    for device in bench.devices { device.host.publish(.loop) }
    for (peripheral, central) in [(0, 1), (1, 2)] {
      bench.devices[peripheral].host.startAdvertising(data: [], scanResponse: [])
      bench.settle()
      bench.devices[central].host.connect(to: LoopDevice.address(UInt64(peripheral)))
      bench.settle()
    }
    let middle = bench.devices[1]
    let made = links(middle.take())
    middle.host.discover(made[0].handle, service: loopService)
    bench.devices[2].host.discover(made[1].handle, service: loopService)
    bench.settle()
    bench.devices[2].host.subscribe(made[1].handle, characteristic: loopState, true)
    bench.settle()
    middle.controller.isStalled = true
    for (handle, role) in made {
      let before = middle.controller.sent.count
      var taken = 0
      while taken < 100,
        role == .central
          ? middle.host.writeWithoutResponse(handle, characteristic: loopCommand, value: [0])
          : middle.host.notify(handle, characteristic: loopState, value: [0])
      {
        taken += 1
      }
      equal(taken - (middle.controller.sent.count - before), (role == .central ? 5 : 2))
    }
  }

  @Test("Each role has its own limit of links: a full peripheral still connects, a full central still advertises")
  func limits() {
    let bench = LoopBench(5) { index, configuration in
      guard index == 0 else { return }
      configuration.linksAsPeripheral = 1
      configuration.linksAsCentral = 1
    }
    let device = bench.devices[0]
    func advertise(_ device: LoopDevice) {
      device.host.startAdvertising(data: [], scanResponse: [])
      bench.settle()
    }
    func connect(_ device: LoopDevice, to peer: UInt64) {
      device.host.connect(to: LoopDevice.address(peer))
      bench.settle()
    }
    advertise(device)
    connect(bench.devices[1], to: 0)
    _ = device.take()
    advertise(device)
    equal(device.take(), [.advertisingStarted(.connectionLimitExceeded)])
    advertise(bench.devices[2])
    connect(device, to: 2)
    equal(links(device.take()).map(\.role), [.central])
    connect(device, to: 3)
    equal(device.take(), [.connectFailed(LoopDevice.address(3), reason: .connectionLimitExceeded)])
    // A controller that lets one more in all the same: Remote Device Terminated Connection due to Low Resources.
    device.controller.add(0x99, .peripheral, LoopDevice.address(4), peer: nil)
    bench.settle()
    equal(device.controller.commands.last, .disconnect(0x99, reason: HCI.ErrorCode(0x14)))
    equal(device.take(), [])
    let handle = device.controller.links[0].handle
    bench.devices[1].host.disconnect(handle)
    bench.settle()
    _ = device.take()
    advertise(device)
    equal(device.take(), [.advertisingStarted(.success)])
  }

  @Test("A device with links in both roles advertises and scans at once, hears others and is connected to")
  func advertisesAndScans() throws {
    let room = StackRoom(5)
    for (peripheral, central) in [(0, 1), (1, 2)] {
      room.hosts[peripheral].startAdvertising(data: [2, 1, 6], scanResponse: [])
      room.hosts[central].connect(to: RadioBench.address(peripheral))
      room.run(for: .seconds(2))
    }
    room.hosts[1].startAdvertising(data: [2, 1, 6], scanResponse: [])
    room.hosts[1].startScanning()
    room.hosts[3].startAdvertising(data: [2, 1, 4], scanResponse: [])
    room.run(for: .seconds(3))
    room.hosts[4].connect(to: RadioBench.address(1))
    room.run(for: .seconds(3))
    let told = room.take(1)
    equal(links(told).map(\.role), [.central, .peripheral, .peripheral])
    let heard = told.contains {
      if case .scanReport(RadioBench.address(3), [2, 1, 4], _, _, _) = $0 { true } else { false }
    }
    expect(heard)
    equal(world(room, linksOf: 1), 3)
  }

  private func world(_ room: StackRoom, linksOf device: Int) -> Int { room.world.controllers[device].linkCount }

  @Test("Two devices that advertise and connect to each other get one link; the slower attempt fails with 0x0B")
  func crossing() throws {
    let room = StackRoom(2)
    for (device, peer) in [(0, 1), (1, 0)] {
      room.hosts[device].startAdvertising(data: [2, 1, 6], scanResponse: [])
      room.hosts[device].connect(to: RadioBench.address(peer))
    }
    room.run(for: .seconds(5))
    expect(world(room, linksOf: 0) == 1 && world(room, linksOf: 1) == 1)
    let told = [room.take(0), room.take(1)]
    let slower = try required(told.firstIndex { links($0).map(\.role) == [.peripheral] })
    equal(links(told[1 - slower]).map(\.role), [.central])
    let failed = HostEvent.connectFailed(RadioBench.address(1 - slower), reason: .connectionAlreadyExists)
    expect(told[slower].contains(failed))
    expect(!told[1 - slower].contains { if case .connectFailed = $0 { true } else { false } })
    room.hosts[slower].connect(to: RadioBench.address(1 - slower))
    equal(room.take(slower), [failed])
  }

  @Test("LE 2M becomes the default with the first connection attempt, and never of a device that only advertises")
  func preferredPHY() {
    let bench = LoopBench(2) { $1.requested2M = true }
    _ = bench.connectAll()
    let preference = HCI.Command.leSetDefaultPHY(tx: .le2M, rx: .le2M)
    expect(!bench.devices[0].controller.commands.contains(preference))
    bench.devices[1].host.connect(to: LoopDevice.address(7))
    bench.settle()
    let commands = bench.devices[1].controller.commands
    equal(commands.filter { $0 == preference }.count, 1)
    let attempt = commands.firstIndex { if case .leCreateConnection = $0 { true } else { false } }
    equal(commands.firstIndex(of: preference), attempt.map { $0 - 1 })
  }
}
