import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

@Suite("GAP: power, advertising, scanning, connecting (Core v5.4, Vol 3, Part C; Vol 4, Part E)")
struct HostGAPTests {
  private let peer = LoopDevice.address(0)

  private func report(
    _ bench: LoopBench, _ device: LoopDevice, _ kind: HCI.AdvertisingReport.Kind, _ data: [UInt8],
    from index: UInt64 = 7
  ) {
    device.controller.push(
      .leAdvertisingReport(.init(kind: kind, address: LoopDevice.address(index), data: data, rssi: -60)))
    bench.settle()
  }

  @Test("Start resets, initialises one command at a time, and ends in poweredOn")
  func start() {
    let bench = LoopBench(1) { $1.requested2M = true }
    equal(bench.devices[0].take(), [.poweredOn])
    equal(
      bench.devices[0].controller.commands,
      [
        .reset, .readLocalSupportedCommands, .setEventMask(0x2000_0000_0000_8810), .leSetEventMask(0x8087F),
        .leReadLocalSupportedFeatures, .leSetRandomAddress(LoopDevice.address(0)),
        .leReadBufferSize,
      ])
    expect(bench.devices[0].host.nextDeadline == nil)
  }

  @Test("A command that is never answered is a controller fault after 2 s, and the next one goes out")
  func silentController() {
    let bench = LoopBench(1)
    let device = bench.devices[0]
    _ = device.take()
    device.controller.silent = [.leReadLocalSupportedFeatures]
    device.host.start(at: bench.now)
    bench.settle()
    equal(device.take(), [])
    bench.run(to: .zero + .milliseconds(1_999))
    equal(device.take(), [])
    bench.run(to: .zero + .seconds(2))
    equal(device.take(), [.controllerFault("command 0x2003 was not answered"), .poweredOn])
  }

  @Test("What was asked for before power comes after it")
  func earlyWishes() {
    let air = LoopAir()
    let device = LoopDevice(air, 3) { _ in }
    device.host.startAdvertising(data: [2, 1, 6], scanResponse: [])
    device.host.startScanning()
    device.host.start(at: .zero)
    while !device.controller.outbox.isEmpty {
      device.host.receive(device.controller.outbox.removeFirst(), at: .zero)
    }
    expect(device.controller.isAdvertising)
    expect(device.controller.isScanning)
  }

  @Test("Advertising sets parameters, both data, and enables; a refusal on the way keeps it off")
  func advertising() {
    let bench = LoopBench(1)
    let device = bench.devices[0]
    _ = device.take()
    device.host.startAdvertising(data: [2, 1, 6], scanResponse: [1])
    bench.settle()
    equal(device.take(), [.advertisingStarted(.success)])
    equal(
      device.controller.commands.suffix(3),
      [
        .leSetAdvertisingData([2, 1, 6]), .leSetScanResponseData([1]), .leSetAdvertisingEnable(true),
      ])
    device.host.startAdvertising(data: [3], scanResponse: [4])
    bench.settle()
    equal(device.take(), [.advertisingStarted(.success)])
    equal(device.controller.commands.suffix(2), [.leSetAdvertisingData([3]), .leSetScanResponseData([4])])
    device.host.stopAdvertising()
    device.host.stopAdvertising()
    bench.settle()
    equal(device.take(), [.advertisingStopped])
    expect(!device.controller.isAdvertising)
    device.host.startAdvertising(data: [UInt8](repeating: 0, count: 32), scanResponse: [])
    equal(device.host.popEvent(), .advertisingStarted(.invalidParameters))
    device.controller.refusals = [.leSetAdvertisingParameters: .commandDisallowed]
    device.host.startAdvertising(data: [1], scanResponse: [])
    bench.settle()
    equal(device.take(), [.advertisingStarted(.commandDisallowed)])
    expect(!device.controller.isAdvertising)
    device.controller.refusals = [:]
    device.host.startAdvertising(data: [1], scanResponse: [])
    bench.settle()
    equal(device.take(), [.advertisingStarted(.success)])
  }

  @Test("A connection ends advertising, and it can be started again")
  func connectionEndsAdvertising() {
    let bench = LoopBench(2)
    _ = bench.devices[0].take()
    let handle = bench.connectAll()[0]
    equal(
      bench.devices[0].take().prefix(3),
      [
        .advertisingStarted(.success), .advertisingStopped,
        .connected(
          handle,
          HostConnection(
            role: .peripheral, peer: LoopDevice.address(1), interval: 24, peripheralLatency: 0,
            supervisionTimeout: 400)),
      ])
    bench.devices[0].host.startAdvertising(data: [1], scanResponse: [])
    bench.settle()
    equal(bench.devices[0].take().last, .advertisingStarted(.success))
  }

  @Test("An advertiser is reported when it is new or has changed, data and scan response together")
  func scanning() {
    let bench = LoopBench(1)
    let device = bench.devices[0]
    _ = device.take()
    report(bench, device, .advInd, [9])
    equal(device.take(), [])
    device.host.startScanning()
    bench.settle()
    report(bench, device, .advInd, [1])
    report(bench, device, .advInd, [1])
    report(bench, device, .scanRsp, [2])
    report(bench, device, .scanRsp, [2])
    report(bench, device, .advInd, [3])
    report(bench, device, .scanRsp, [4], from: 8)
    func heard(_ data: [UInt8], _ response: [UInt8], from index: UInt64 = 7) -> HostEvent {
      .scanReport(LoopDevice.address(index), data: data, scanResponse: response, rssi: -60, isConnectable: true)
    }
    equal(device.take(), [heard([1], []), heard([1], [2]), heard([3], [2]), heard([], [4], from: 8)])
    device.host.stopScanning()
    device.host.startScanning()
    bench.settle()
    report(bench, device, .advInd, [3])
    equal(device.take(), [heard([3], [])])
  }

  @Test("Whether an advertiser takes connections is what its newest advertisement says, and a change is news")
  func connectable() {
    let bench = LoopBench(1)
    let device = bench.devices[0]
    _ = device.take()
    device.host.startScanning()
    bench.settle()
    func flags() -> [Bool] {
      device.take().compactMap {
        if case .scanReport(_, _, _, _, let isConnectable) = $0 { isConnectable } else { nil }
      }
    }
    report(bench, device, .scanRsp, [2])
    report(bench, device, .advScanInd, [1])
    report(bench, device, .scanRsp, [3])
    report(bench, device, .advInd, [1])
    report(bench, device, .advInd, [1])
    report(bench, device, .advNonconnInd, [1])
    equal(flags(), [true, false, false, true, false])
  }

  @Test("The host remembers 256 advertisers and forgets the oldest")
  func scanLimit() {
    let bench = LoopBench(1)
    let device = bench.devices[0]
    device.host.startScanning()
    bench.settle()
    for index in 0..<257 { report(bench, device, .advInd, [1], from: UInt64(1_000 + index)) }
    _ = device.take()
    report(bench, device, .advInd, [1], from: 1_001)
    equal(device.take(), [])
    report(bench, device, .advInd, [1], from: 1_000)
    equal(device.take().count, 1)
  }

  @Test("Scanning pauses while a connection is being made")
  func scanPauses() {
    let bench = LoopBench(1)
    let device = bench.devices[0]
    device.host.startScanning()
    bench.settle()
    expect(device.controller.isScanning)
    device.host.connect(to: LoopDevice.address(7))
    bench.settle()
    expect(!device.controller.isScanning)
    device.host.cancelConnect()
    bench.settle()
    expect(device.controller.isScanning)
    equal(device.take().last, .connectFailed(LoopDevice.address(7), reason: .unknownConnectionIdentifier))
  }

  @Test("Attempts run one at a time, in order; each gives up after its own 30 s")
  func attempts() {
    let bench = LoopBench(1)
    let device = bench.devices[0]
    _ = device.take()
    device.host.connect(to: LoopDevice.address(7))
    device.host.connect(to: LoopDevice.address(8))
    device.host.connect(to: LoopDevice.address(7))
    device.host.connect(to: LoopDevice.address(9))
    bench.settle()
    device.host.cancelConnect(LoopDevice.address(9))
    bench.settle()
    equal(device.take(), [.connectFailed(LoopDevice.address(9), reason: .unknownConnectionIdentifier)])
    equal(device.controller.initiatingTo, LoopDevice.address(7))
    bench.run(to: .zero + .seconds(30) - .nanoseconds(1))
    equal(device.take(), [])
    bench.run(to: .zero + .seconds(30))
    equal(device.take(), [.connectFailed(LoopDevice.address(7), reason: .connectionTimeout)])
    equal(device.controller.initiatingTo, LoopDevice.address(8))
    bench.run(to: .zero + .seconds(60))
    equal(device.take(), [.connectFailed(LoopDevice.address(8), reason: .connectionTimeout)])
    expect(device.controller.initiatingTo == nil)
    expect(device.host.nextDeadline == nil)
  }

  @Test("Failures of the controller are told with its status, 0x3E too")
  func failures() {
    let bench = LoopBench(1)
    let device = bench.devices[0]
    _ = device.take()
    device.controller.refusals = [.leCreateConnection: .commandDisallowed]
    device.host.connect(to: LoopDevice.address(7))
    bench.settle()
    equal(device.take(), [.connectFailed(LoopDevice.address(7), reason: .commandDisallowed)])
    device.controller.refusals = [:]
    device.host.connect(to: LoopDevice.address(7))
    bench.settle()
    device.controller.pushConnection(
      status: .connectionFailedToBeEstablished, 0, .central, LoopDevice.address(7))
    bench.settle()
    equal(device.take(), [.connectFailed(LoopDevice.address(7), reason: .connectionFailedToBeEstablished)])
  }

  @Test("A connection that wins against its cancellation is told, and ended")
  func cancelRace() {
    let bench = LoopBench(1)
    let device = bench.devices[0]
    device.host.connect(to: LoopDevice.address(7))
    bench.settle()
    _ = device.take()
    device.controller.silent = [.leCreateConnectionCancel]
    device.host.cancelConnect()
    device.controller.add(0x40, .central, LoopDevice.address(7), peer: nil)
    device.controller.push(
      .commandComplete(.leCreateConnectionCancel, status: .commandDisallowed, returnParameters: []))
    bench.settle()
    equal(
      device.take().compactMap { event -> String? in
        switch event {
        case .connected: "connected"
        case .disconnected: "disconnected"
        default: nil
        }
      }, ["connected", "disconnected"])
  }

  @Test("The limit of links refuses advertising and connecting, and turns further centrals away")
  func limit() {
    let bench = LoopBench(4) {
      $1.linksAsPeripheral = 1
      $1.linksAsCentral = 0
      if $0 == 1 { $1.linksAsCentral = 1 }
    }
    let server = bench.devices[0]
    server.host.startAdvertising(data: [1], scanResponse: [])
    bench.devices[1].host.connect(to: peer)
    bench.settle()
    _ = server.take()
    server.host.startAdvertising(data: [1], scanResponse: [])
    server.host.connect(to: LoopDevice.address(2))
    bench.settle()
    equal(
      server.take(),
      [
        .advertisingStarted(.connectionLimitExceeded),
        .connectFailed(LoopDevice.address(2), reason: .connectionLimitExceeded),
      ])
    server.controller.add(0x99, .peripheral, LoopDevice.address(2), peer: nil)
    bench.settle()
    equal(server.controller.commands.last, .disconnect(0x99, reason: HCI.ErrorCode(0x14)))
    equal(server.take(), [])
    bench.devices[1].host.connect(to: peer)
    bench.settle()
    equal(bench.devices[1].take().last, .connectFailed(peer, reason: .connectionAlreadyExists))
  }

  @Test("A central reads features, then asks for data length and 2M as its configuration and the peer allow")
  func linkSetup() {
    let bench = LoopBench(2) { $1.requested2M = true }
    let handle = bench.connectAll()[0]
    let told = bench.devices[1].take()
    expect(told.contains(.dataLength(handle, tx: 251, rx: 251)))
    expect(told.contains(.phy(handle, tx: .le2M, rx: .le2M)))
    let commands = bench.devices[1].controller.commands
    equal(
      commands.suffix(3),
      [
        .leReadRemoteFeatures(handle), .leSetDataLength(handle, txOctets: 251, txTime: 2_120),
        .leSetPHY(handle, tx: .le2M, rx: .le2M),
      ])
    let far = LoopBench(2) {
      $1.hasCoded = true
      $1.requestedCoding = .s2
    }
    far.devices[1].controller.features |= 1 << 11
    let coded = far.connectAll()[0]
    far.devices[1].host.preferPHY(coded, tx: .leCoded, rx: .le1M, options: .s8)
    far.settle()
    equal(
      far.devices[1].controller.commands.suffix(3),
      [
        .leSetDataLength(coded, txOctets: 251, txTime: 17_040),
        .leSetPHY(coded, tx: .leCoded, rx: .leCoded, options: .s2),
        .leSetPHY(coded, tx: .leCoded, rx: .le1M, options: .s8),
      ])
    let old = LoopBench(2) { $1.requested2M = true }
    old.devices[1].controller.features = 0
    let other = old.connectAll()[0]
    equal(old.devices[1].controller.commands.last, .leReadRemoteFeatures(other))
  }

  @Test("Radio off ends everything in silence, and on begins anew")
  func offAndOn() {
    let bench = LoopBench(2)
    let server = bench.devices[0]
    let handle = bench.connectAll()[0]
    server.host.startAdvertising(data: [1], scanResponse: [])
    server.host.connect(to: LoopDevice.address(7))
    bench.settle()
    _ = server.take()
    server.host.stop(at: bench.now)
    bench.settle()
    equal(
      server.take(),
      [
        .disconnected(handle, reason: .connectionTerminatedByLocalHost), .advertisingStopped,
        .connectFailed(LoopDevice.address(7), reason: .connectionTerminatedByLocalHost),
      ])
    expect(server.host.nextDeadline == nil)
    server.host.start(at: bench.now)
    bench.settle()
    equal(server.take(), [.poweredOn])
    expect(!server.controller.isAdvertising)
    server.controller.push(.hardwareError(1))
    bench.settle()
    equal(server.take(), [.controllerFault("hardware error 1"), .poweredOn])
  }
}
