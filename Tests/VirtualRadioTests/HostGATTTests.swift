import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

/// Two stacks, connected; the second is the client and has discovered the first one's service.
private func connectedPair(
  configure: (Int, inout HostConfiguration) -> Void = { _, _ in }
) -> (bench: LoopBench, server: LoopDevice, client: LoopDevice, handle: HCI.ConnectionHandle) {
  let bench = LoopBench(2) { index, configuration in
    configuration.requestedDataLength = nil
    configure(index, &configuration)
  }
  bench.devices[0].host.publish(.loop)
  let handle = bench.connectAll()[0]
  bench.devices[1].host.discover(handle, service: loopService)
  bench.settle()
  return (bench, bench.devices[0], bench.devices[1], handle)
}

@Suite("GATT between two host stacks (Core v5.4, Vol 3, Part G, 4)")
struct HostGATTTests {
  @Test("Discovery finds characteristics with their properties, handles and configurations")
  func discovery() throws {
    let (_, _, client, handle) = connectedPair()
    let found = client.take().compactMap { event -> [GATT.DiscoveredCharacteristic]? in
      if case .servicesDiscovered(handle, loopService, let list) = event { list } else { nil }
    }
    equal(
      found,
      [
        [
          .init(
            uuid: loopCommand, properties: [.write, .writeWithoutResponse], declaration: 11, value: 12, end: 12),
          .init(
            uuid: loopState, properties: [.read, .notify], declaration: 13, value: 14, end: 15,
            clientConfiguration: 15),
          .init(
            uuid: loopNote, properties: [.read, .write, .indicate], declaration: 16, value: 17, end: 19,
            clientConfiguration: 18),
        ]
      ])
  }

  @Test("Discovery of a service that is not there finds nothing; of all services finds the stack's own too")
  func otherDiscoveries() {
    let (bench, _, client, handle) = connectedPair()
    _ = client.take()
    client.host.discover(handle, service: BluetoothUUID(0x180F))
    client.host.discoverServices(handle)
    bench.settle()
    equal(
      client.take(),
      [
        .servicesDiscovered(handle, service: BluetoothUUID(0x180F), characteristics: []),
        .primaryServices(
          handle,
          [
            .init(uuid: .genericAccess, start: 1, end: 5), .init(uuid: .genericAttribute, start: 6, end: 9),
            .init(uuid: loopService, start: 10, end: 19),
          ]),
      ])
  }

  @Test(
    "The ATT_MTU is the smaller of both, at least 23, and exchanged once",
    arguments: [(517, 185), (23, 517), (247, 10)])
  func exchange(server: Int, client: Int) {
    let (bench, first, second, handle) = connectedPair { index, configuration in
      configuration.serverATTMTU = server
      configuration.clientATTMTU = client
    }
    _ = first.take()
    _ = second.take()
    second.host.exchangeMTU(handle, client)
    second.host.exchangeMTU(handle, 400)
    bench.settle()
    let expected = max(23, min(server, client))
    equal(second.take(), [.attMTU(handle, expected), .attMTU(handle, expected)])
    equal(first.take(), [.attMTU(handle, expected)])
    equal(first.host.attMTU(handle), expected)
  }

  @Test("A central that exchanges by itself does so before anything else")
  func automaticExchange() {
    let (_, server, client, handle) = connectedPair { _, configuration in
      configuration.exchangesMTUAutomatically = true
      configuration.serverATTMTU = 517
      configuration.clientATTMTU = 185
    }
    expect(client.take().contains(.attMTU(handle, 185)))
    expect(server.take().contains(.attMTU(handle, 185)))
  }

  @Test(
    "Values of every length around the borders read back whole",
    arguments: [0, 1, 21, 22, 23, 43, 44, 45, 300, 511, 512])
  func longReads(length: Int) {
    let (bench, server, client, handle) = connectedPair()
    let value = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    server.host.setValue(value, characteristic: loopState)
    _ = client.take()
    client.host.read(handle, characteristic: loopState)
    bench.settle()
    equal(client.take(), [.readCompleted(handle, characteristic: loopState, value: value, error: nil)])
  }

  @Test(
    "Values of every length around the borders are written whole", arguments: [0, 1, 19, 20, 21, 36, 37, 299, 300, 512])
  func longWrites(length: Int) {
    let (bench, server, client, handle) = connectedPair()
    let value = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 11) }
    _ = client.take()
    _ = server.take()
    client.host.write(handle, characteristic: loopCommand, value: value)
    bench.settle()
    equal(client.take(), [.writeCompleted(handle, characteristic: loopCommand, error: nil)])
    equal(server.take(), [.valueWritten(handle, characteristic: loopCommand, value: value, withResponse: true)])
  }

  @Test("A value that the characteristic cannot hold is refused and changes nothing")
  func tooLong() {
    let (bench, server, client, handle) = connectedPair()
    _ = client.take()
    _ = server.take()
    client.host.write(handle, characteristic: loopNote, value: [UInt8](repeating: 5, count: 301))
    client.host.write(handle, characteristic: loopNote, value: [UInt8](repeating: 5, count: 513))
    client.host.read(handle, characteristic: loopNote)
    bench.settle()
    equal(
      client.take(),
      [
        .writeCompleted(handle, characteristic: loopNote, error: .invalidAttributeValueLength),
        .writeCompleted(handle, characteristic: loopNote, error: .invalidAttributeValueLength),
        .readCompleted(handle, characteristic: loopNote, value: [1, 2, 3], error: nil),
      ])
    equal(server.take(), [])
  }

  @Test("Notifications reach a subscriber and nobody else, and stop with the subscription")
  func notifications() {
    let (bench, server, client, handle) = connectedPair()
    _ = client.take()
    _ = server.take()
    expect(!server.host.notify(handle, characteristic: loopState, value: [1]))
    client.host.subscribe(handle, characteristic: loopState, true)
    bench.settle()
    equal(server.take(), [.subscriptionChanged(handle, characteristic: loopState, true)])
    expect(server.host.notify(handle, characteristic: loopState, value: [1, 2]))
    expect(!server.host.notify(handle, characteristic: loopNote, value: [3]))
    expect(!server.host.notify(0x0EFF, characteristic: loopState, value: [3]))
    client.host.subscribe(handle, characteristic: loopState, false)
    bench.settle()
    expect(!server.host.notify(handle, characteristic: loopState, value: [4]))
    equal(server.take(), [.subscriptionChanged(handle, characteristic: loopState, false)])
    equal(
      client.take(),
      [
        .subscribeCompleted(handle, characteristic: loopState, true, error: nil),
        .valueNotified(handle, characteristic: loopState, value: [1, 2]),
        .subscribeCompleted(handle, characteristic: loopState, false, error: nil),
      ])
  }

  @Test("A value behind ATT_MTU − 3 is cut there, and the owner is told")
  func truncation() {
    let (bench, server, client, handle) = connectedPair()
    client.host.subscribe(handle, characteristic: loopState, true)
    bench.settle()
    _ = client.take()
    _ = server.take()
    let value = [UInt8](0..<21)
    expect(server.host.notify(handle, characteristic: loopState, value: value))
    expect(client.host.writeWithoutResponse(handle, characteristic: loopCommand, value: value))
    bench.settle()
    equal(
      server.take(),
      [
        .valueTruncated(handle, characteristic: loopState, offered: 21, sent: 20),
        .valueWritten(handle, characteristic: loopCommand, value: Array(value[..<20]), withResponse: false),
      ])
    equal(
      client.take(),
      [
        .valueTruncated(handle, characteristic: loopCommand, offered: 21, sent: 20),
        .valueNotified(handle, characteristic: loopState, value: Array(value[..<20])),
      ])
  }

  @Test("One indication at a time: the next one is refused until the confirmation, and readyToSend follows it")
  func indications() {
    let (bench, server, client, handle) = connectedPair()
    client.host.subscribe(handle, characteristic: loopNote, true)
    bench.settle()
    _ = client.take()
    _ = server.take()
    expect(server.host.indicate(handle, characteristic: loopNote, value: [1]))
    expect(!server.host.indicate(handle, characteristic: loopNote, value: [2]))
    bench.settle()
    equal(
      server.take(), [.indicationConfirmed(handle, attribute: 17, characteristic: loopNote), .readyToSend(handle)])
    expect(server.host.indicate(handle, characteristic: loopNote, value: [2]))
    bench.settle()
    equal(server.take(), [.indicationConfirmed(handle, attribute: 17, characteristic: loopNote)])
    equal(
      client.take(),
      [
        .valueNotified(handle, characteristic: loopNote, value: [1]),
        .valueNotified(handle, characteristic: loopNote, value: [2]),
      ])
  }

  @Test("A service published later is told to clients that listen to Service Changed")
  func serviceChanged() {
    let (bench, server, client, handle) = connectedPair()
    client.host.discover(handle, service: .genericAttribute)
    client.host.subscribe(handle, characteristic: .serviceChanged, true)
    bench.settle()
    _ = client.take()
    _ = server.take()
    server.host.publish(GATT.Service(uuid: BluetoothUUID(0x180F), characteristics: []))
    server.host.publish(GATT.Service(uuid: BluetoothUUID(0x180A), characteristics: []))
    bench.settle()
    equal(
      client.take(),
      [
        .servicesChanged(handle, start: 20, end: 20), .servicesChanged(handle, start: 21, end: 21),
      ])
    equal(server.take(), [])
  }

  @Test("What was never discovered is refused at once; procedures on a vanished link do nothing")
  func unknownTargets() {
    let (bench, _, client, handle) = connectedPair()
    _ = client.take()
    let stranger = BluetoothUUID(0xFFF1)
    client.host.read(handle, characteristic: stranger)
    client.host.write(handle, characteristic: stranger, value: [1])
    client.host.subscribe(handle, characteristic: stranger, true)
    client.host.subscribe(handle, characteristic: loopCommand, true)
    expect(!client.host.writeWithoutResponse(handle, characteristic: stranger, value: [1]))
    client.host.read(0x0123, characteristic: loopState)
    bench.settle()
    equal(
      client.take(),
      [
        .readCompleted(handle, characteristic: stranger, value: [], error: .attributeNotFound),
        .writeCompleted(handle, characteristic: stranger, error: .attributeNotFound),
        .subscribeCompleted(handle, characteristic: stranger, true, error: .attributeNotFound),
        .subscribeCompleted(handle, characteristic: loopCommand, true, error: .attributeNotFound),
      ])
  }

  @Test("Procedures run one after the other, in the order asked, and the 65th that waits is refused")
  func procedureOrder() {
    let (bench, server, client, handle) = connectedPair()
    server.host.setValue([9], characteristic: loopState)
    _ = client.take()
    for number in 0..<66 {
      client.host.write(handle, characteristic: loopCommand, value: [UInt8(number)])
    }
    bench.settle()
    let completions = client.take()
    equal(completions.filter { $0 == .writeCompleted(handle, characteristic: loopCommand, error: nil) }.count, 65)
    equal(completions.first, .writeCompleted(handle, characteristic: loopCommand, error: .insufficientResources))
    let written = server.take().compactMap { event -> UInt8? in
      if case .valueWritten(_, _, let value, true) = event { value[0] } else { nil }
    }
    equal(written, Array(0..<65))
  }

  @Test("Subscriptions, queues and what was discovered end with the link")
  func disconnectCleansUp() {
    let (bench, server, client, handle) = connectedPair()
    client.host.subscribe(handle, characteristic: loopState, true)
    bench.settle()
    client.host.read(handle, characteristic: loopState)
    client.host.disconnect(handle)
    client.host.disconnect(handle)
    bench.settle()
    equal(client.take().last, .disconnected(handle, reason: .connectionTerminatedByLocalHost))
    equal(server.take().last, .disconnected(handle, reason: .remoteUserTerminatedConnection))
    expect(server.host.nextDeadline == nil)
    expect(client.host.nextDeadline == nil)
    let again = bench.connectAll()[0]
    expect(again != handle)
    expect(!server.host.notify(again, characteristic: loopState, value: [1]))
    expect(!client.host.writeWithoutResponse(again, characteristic: loopCommand, value: [1]))
  }
}
