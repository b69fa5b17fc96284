import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

private let askedValue = BluetoothUUID(0x2A3D)
private let longType = BluetoothUUID(high: 0xAAAA_BBBB_0000_1000, low: 0x8000_0080_5F9B_34FB)

/// After the loop's service, which ends at 19: a secondary service 20 … 22; one of 128 bits 23; a service 24 that
/// includes both (25, 26), with two characteristics of one type (27, 28, configuration 29; 30, 31, configuration 32,
/// description 33) and one that needs encryption (34, 35, configuration 36).
private struct Answering {
  let range: ATT.HandleRange
  let values: [ATT.Handle]

  init(_ host: HostStack) {
    var dynamic = GATT.Characteristic(
      uuid: askedValue, properties: [.read, .write, .writeWithoutResponse, .notify])
    dynamic.answering = .owner
    var indicated = GATT.Characteristic(
      uuid: askedValue, properties: [.read, .indicate],
      descriptors: [GATT.Descriptor(uuid: BluetoothUUID(0x2901), value: Array("second".utf8))])
    indicated.access = .read
    indicated.answering = .owner
    var secret = GATT.Characteristic(uuid: BluetoothUUID(0x2A3E), properties: [.read, .write, .notify])
    secret.access = [.readEncrypted, .writeEncrypted, .configureEncrypted]
    secret.answering = .owner
    let inner = host.publish(
      GATT.Service(
        uuid: BluetoothUUID(0x180F), isPrimary: false,
        characteristics: [GATT.Characteristic(uuid: BluetoothUUID(0x2A19), properties: .read, value: [99])]))!
    let long = host.publish(GATT.Service(uuid: longType, isPrimary: false, characteristics: []))!
    range = host.publish(
      GATT.Service(
        uuid: BluetoothUUID(0x1900),
        included: [
          GATT.DiscoveredService(uuid: BluetoothUUID(0x180F), start: inner.start, end: inner.end),
          GATT.DiscoveredService(uuid: longType, start: long.start, end: long.end),
        ], characteristics: [dynamic, indicated, secret]))!
    values = host.valueHandles(in: range)
  }
}

@Suite("Attributes that the owner answers, and attributes by handle (Core v5.4, Vol 3, Part F and G)")
struct HostAttributeTests {
  private static let handle = HandDrivenHost.handle

  private func error(_ request: ATT.Opcode, _ handle: ATT.Handle, _ code: ATT.ErrorCode) -> ATT.PDU {
    .errorResponse(request: request, handle: handle, code: code)
  }

  private func requests(_ events: [HostEvent]) -> [Int] {
    events.compactMap { event in
      switch event {
      case .readRequested(_, let request, _, _), .writeRequested(_, let request, _, needsAnswer: true): request
      default: nil
      }
    }
  }

  // MARK: The server asks its owner

  @Test("Reads wait for the owner, carry their offset, and are cut to ATT_MTU − 1")
  func reads() {
    let host = HandDrivenHost()
    equal(Answering(host.device.host).values, [28, 31, 35])
    equal(host.att(.readRequest(28)), [])
    let events = host.device.take()
    equal(events, [.readRequested(Self.handle, request: requests(events)[0], attribute: 28, offset: 0)])
    host.device.host.answer(request: requests(events)[0], value: Array(0..<100), error: nil)
    equal(host.sentPDUs(), [.readResponse(Array(0..<22))])
    equal(host.att(.readBlobRequest(28, offset: 22)), [])
    let more = host.device.take()
    equal(more, [.readRequested(Self.handle, request: requests(more)[0], attribute: 28, offset: 22)])
    host.device.host.answer(request: requests(more)[0], value: [5], error: nil)
    // A second answer says nothing.
    host.device.host.answer(request: requests(more)[0], value: [6], error: nil)
    equal(host.sentPDUs(), [.readBlobResponse([5])])
  }

  @Test("Read By Type of a value that the owner answers has its answer; several values in one request have not")
  func readByType() {
    let host = HandDrivenHost()
    _ = Answering(host.device.host)
    let all = ATT.HandleRange(start: 20, end: 0xFFFF)
    equal(host.att(.readByTypeRequest(all, type: .short(0x2A3D))), [])
    host.device.host.answer(request: requests(host.device.take())[0], value: [1, 2], error: nil)
    equal(host.sentPDUs(), [.readByTypeResponse([ATT.HandleValue(handle: 28, value: [1, 2])])])
    equal(host.att(.readMultipleRequest([28, 31])), [error(.readMultipleRequest, 28, .requestNotSupported)])
  }

  @Test("Writes wait for the owner, whose error is the response; commands wait for nobody")
  func writes() {
    let host = HandDrivenHost()
    _ = Answering(host.device.host)
    equal(host.att(.writeRequest(28, value: [7])), [])
    let asked = host.device.take()
    let part = WrittenPart(attribute: 28, offset: 0, value: [7])
    equal(asked, [.writeRequested(Self.handle, request: requests(asked)[0], [part], needsAnswer: true)])
    host.device.host.answer(request: requests(asked)[0], value: [], error: ATT.ErrorCode(0x80))
    equal(host.sentPDUs(), [error(.writeRequest, 28, ATT.ErrorCode(0x80))])
    equal(host.att(.writeCommand(28, value: [8])), [])
    let told = host.device.take()
    guard case .writeRequested(_, _, let parts, needsAnswer: false)? = told.first else {
      return expect(false, "\(told)")
    }
    expect(told.count == 1 && parts == [WrittenPart(attribute: 28, offset: 0, value: [8])])
    equal(host.att(.writeRequest(31, value: [1])), [error(.writeRequest, 31, .writeNotPermitted)])
  }

  @Test("Prepared writes come to the owner together, in order, when they are executed")
  func preparedWrites() {
    let host = HandDrivenHost()
    _ = Answering(host.device.host)
    for (offset, value) in [(0, [1, 2] as [UInt8]), (2, [3]), (9, [4])] {
      equal(
        host.att(.prepareWriteRequest(28, offset: UInt16(offset), value: value)),
        [.prepareWriteResponse(28, offset: UInt16(offset), value: value)])
    }
    equal(host.device.take(), [])
    equal(host.att(.executeWriteRequest(flags: 1)), [])
    let asked = host.device.take()
    equal(
      asked,
      [
        .writeRequested(
          Self.handle, request: requests(asked)[0],
          [
            WrittenPart(attribute: 28, offset: 0, value: [1, 2]), WrittenPart(attribute: 28, offset: 2, value: [3]),
            WrittenPart(attribute: 28, offset: 9, value: [4]),
          ], needsAnswer: true)
      ])
    host.device.host.answer(request: requests(asked)[0], value: [], error: .invalidOffset)
    equal(host.sentPDUs(), [error(.executeWriteRequest, 28, .invalidOffset)])
  }

  @Test("A request before the response to the last one is a violation, and is not asked")
  func impatience() {
    let host = HandDrivenHost()
    _ = Answering(host.device.host)
    equal(host.att(.readRequest(28)), [])
    equal(host.att(.readRequest(31)), [])
    let events = host.device.take()
    equal(requests(events).count, 1)
    expect(events.contains { if case .protocolViolation = $0 { true } else { false } })
    host.device.host.answer(request: requests(events)[0], value: [1], error: nil)
    equal(host.sentPDUs(), [.readResponse([1])])
  }

  @Test("What needs encryption is refused on a link without it; its configuration too")
  func encryption() {
    let host = HandDrivenHost()
    _ = Answering(host.device.host)
    let code = ATT.ErrorCode.insufficientAuthentication
    equal(host.att(.readRequest(35)), [error(.readRequest, 35, code)])
    equal(host.att(.writeRequest(35, value: [1])), [error(.writeRequest, 35, code)])
    equal(host.att(.writeRequest(36, value: [1, 0])), [error(.writeRequest, 36, code)])
    equal(
      host.att(.prepareWriteRequest(35, offset: 0, value: [1])), [error(.prepareWriteRequest, 35, code)])
    equal(host.device.take(), [])
  }

  @Test("A service that is taken back is not found, is told of, and refuses who waits for its owner")
  func unpublish() {
    let host = HandDrivenHost()
    let service = Answering(host.device.host)
    // Handle 9 is the configuration of Service Changed.
    equal(host.att(.writeRequest(9, value: [2, 0])), [.writeResponse])
    equal(host.att(.readRequest(28)), [])
    let waiting = requests(host.device.take())
    host.device.host.unpublish(service.range)
    equal(
      host.sentPDUs(), [error(.readRequest, 28, .invalidHandle), .handleValueIndication(8, value: [24, 0, 36, 0])])
    host.device.host.answer(request: waiting[0], value: [1], error: nil)
    equal(host.sentPDUs(), [])
    _ = host.att(.handleValueConfirmation)
    equal(host.att(.readRequest(28)), [error(.readRequest, 28, .invalidHandle)])
    equal(host.att(.writeRequest(29, value: [1, 0])), [error(.writeRequest, 29, .invalidHandle)])
    let rest = ATT.HandleRange(start: 24, end: 0xFFFF)
    equal(
      host.att(.readByGroupTypeRequest(rest, type: .short(0x2800))),
      [error(.readByGroupTypeRequest, 24, .attributeNotFound)])
    equal(host.att(.findInformationRequest(rest)), [error(.findInformationRequest, 24, .attributeNotFound)])
    expect(!host.device.host.send(Self.handle, attribute: 28, value: [1]))
    // Handles are not given out again.
    equal(host.device.host.publish(GATT.Service(uuid: BluetoothUUID(0x1901), characteristics: []))?.start, 37)
  }

  @Test("Prepared writes to a service that has gone since are refused")
  func preparedAndGone() {
    let host = HandDrivenHost()
    let service = Answering(host.device.host)
    _ = host.att(.prepareWriteRequest(28, offset: 0, value: [1]))
    host.device.host.unpublish(service.range)
    equal(host.att(.executeWriteRequest(flags: 1)), [error(.executeWriteRequest, 28, .invalidHandle)])
    equal(host.device.take(), [])
  }

  @Test("Services end with the handles: one too many is refused whole")
  func noHandlesLeft() {
    let host = HandDrivenHost()
    let big = GATT.Service(
      uuid: BluetoothUUID(0x1900),
      characteristics: (0..<1_000).map { _ in GATT.Characteristic(uuid: askedValue, properties: .notify) })
    var count = 0
    while host.device.host.publish(big) != nil { count += 1 }
    // 1 + 3 × 1 000 handles each, after 19.
    equal(count, (0xFFFF - 19) / 3_001)
    expect(host.device.host.publish(GATT.Service(uuid: BluetoothUUID(0x1901), characteristics: [])) != nil)
  }

  // MARK: Two stacks

  private func pair() -> (bench: LoopBench, server: LoopDevice, client: LoopDevice, handle: HCI.ConnectionHandle) {
    let bench = LoopBench(2) { _, configuration in configuration.requestedDataLength = nil }
    bench.devices[0].host.publish(.loop)
    _ = Answering(bench.devices[0].host)
    let handle = bench.connectAll()[0]
    bench.settle()
    _ = bench.devices[0].take()
    _ = bench.devices[1].take()
    return (bench, bench.devices[0], bench.devices[1], handle)
  }

  private static let service = ATT.HandleRange(start: 24, end: 36)

  @Test("Included services are found with types of 16 and of 128 bits")
  func included() {
    let (bench, _, client, handle) = pair()
    client.host.discoverIncluded(handle, in: Self.service)
    client.host.discoverIncluded(handle, in: ATT.HandleRange(start: 10, end: 19))
    bench.settle()
    equal(
      client.take(),
      [
        .includedFound(
          handle, Self.service,
          [
            GATT.DiscoveredService(uuid: BluetoothUUID(0x180F), start: 20, end: 22),
            GATT.DiscoveredService(uuid: longType, start: 23, end: 23),
          ], error: nil),
        .includedFound(handle, ATT.HandleRange(start: 10, end: 19), [], error: nil),
      ])
  }

  @Test("Two characteristics of one type are told apart by handle, in values, subscriptions and descriptors")
  func oneType() {
    let (bench, server, client, handle) = pair()
    client.host.discoverCharacteristics(handle, in: Self.service)
    client.host.discoverDescriptors(handle, in: ATT.HandleRange(start: 32, end: 33))
    client.host.configure(handle, attribute: 28, true)
    client.host.configure(handle, attribute: 31, true)
    client.host.configure(handle, attribute: 12, true)
    bench.settle()
    let events = client.take()
    guard case .characteristicsFound(handle, Self.service, let found, nil, _)? = events.first else {
      return expect(false, "\(events)")
    }
    expect(found.map(\.value) == [28, 31, 35] && found.map(\.clientConfiguration) == [29, 32, 36])
    equal(
      events.dropFirst().map { $0 },
      [
        .descriptorsFound(
          handle, ATT.HandleRange(start: 32, end: 33),
          [
            ATT.Information(handle: 32, type: .short(0x2902)), ATT.Information(handle: 33, type: .short(0x2901)),
          ], error: nil),
        .attributeConfigured(handle, attribute: 28, true, error: nil),
        .attributeConfigured(handle, attribute: 31, true, error: nil),
        .attributeConfigured(handle, attribute: 12, true, error: .attributeNotFound),
      ])
    equal(
      server.take(),
      [
        .configurationWritten(handle, attribute: 28, true), .configurationWritten(handle, attribute: 31, true),
      ])
    expect(server.host.send(handle, attribute: 28, value: [1]))
    expect(server.host.send(handle, attribute: 31, value: [2]))
    expect(!server.host.send(handle, attribute: 35, value: [3]))
    bench.settle()
    equal(
      client.take(),
      [
        .attributeNotified(handle, attribute: 28, characteristic: askedValue, value: [1]),
        .attributeNotified(handle, attribute: 31, characteristic: askedValue, value: [2]),
      ])
    equal(server.take(), [.indicationConfirmed(handle, attribute: 31, characteristic: askedValue)])
  }

  @Test("Answers have the tags of their calls; one too many is answered first")
  func tags() {
    let (bench, _, client, handle) = pair()
    client.host.discoverServices(handle, tag: 1)
    client.host.discoverIncluded(handle, in: ATT.HandleRange(start: 10, end: 19), tag: 2)
    client.host.discoverDescriptors(handle, in: ATT.HandleRange(start: 33, end: 33), tag: 3)
    client.host.configure(handle, attribute: 12, true, tag: 4)
    for tag in 5...66 { client.host.read(handle, attribute: 33, tag: tag) }
    client.host.write(handle, attribute: 33, value: [1], tag: 67)
    client.host.discoverCharacteristics(handle, in: Self.service, tag: 68)
    bench.settle()
    let tags = client.take().compactMap { event -> Int? in
      switch event {
      case .primaryServices(_, _, let tag), .attributeWritten(_, _, _, let tag): tag
      case .includedFound(_, _, _, _, let tag), .characteristicsFound(_, _, _, _, let tag): tag
      case .descriptorsFound(_, _, _, _, let tag), .attributeRead(_, _, _, _, let tag): tag
      case .attributeConfigured(_, _, _, _, let tag): tag
      default: nil
      }
    }
    // One runs, 64 wait.
    equal(tags, Array(66...68) + Array(1...65))
  }

  @Test("Reads, writes and commands by handle reach the owner, and its answers come back")
  func values() {
    let (bench, server, client, handle) = pair()
    client.host.read(handle, attribute: 28)
    client.host.read(handle, attribute: 33)
    client.host.write(handle, attribute: 28, value: Array(0..<60))
    expect(client.host.writeWithoutResponse(handle, attribute: 28, type: askedValue, value: [9]))
    bench.settle()
    let asked = server.take()
    guard case .readRequested(_, let read, 28, 0)? = asked.first, asked.count == 2 else {
      return expect(false, "\(asked)")
    }
    server.host.answer(request: read, value: [4, 5], error: nil)
    bench.settle()
    equal(
      client.take(),
      [
        .attributeRead(handle, attribute: 28, value: [4, 5], error: nil),
        .attributeRead(handle, attribute: 33, value: Array("second".utf8), error: nil),
      ])
    let written = server.take()
    guard case .writeRequested(_, let write, let parts, needsAnswer: true)? = written.first else {
      return expect(false, "\(written)")
    }
    expect(parts.map(\.offset) == [0, 18, 36, 54] && parts.flatMap(\.value) == Array(0..<60))
    server.host.answer(request: write, value: [], error: nil)
    bench.settle()
    equal(client.take(), [.attributeWritten(handle, attribute: 28, error: nil)])
  }

  @Test("The signal strength is the controller's, and 127 when it does not say")
  func signalStrength() {
    let (bench, _, client, handle) = pair()
    client.host.readRSSI(handle)
    bench.settle()
    // The loop has no radio: success without an octet.
    equal(client.take(), [.rssi(handle, 127)])
    expect(client.controller.commands.contains(.readRSSI(handle)))
  }

  @Test("A link that ends takes its waiting requests with it")
  func linkEnds() {
    let (bench, server, client, handle) = pair()
    client.host.read(handle, attribute: 28)
    bench.settle()
    let asked = requests(server.take())
    client.host.disconnect(handle, reason: .remoteUserTerminatedConnection)
    bench.settle()
    server.host.answer(request: asked[0], value: [1], error: nil)
    bench.settle()
    equal(client.take(), [.disconnected(handle, reason: .connectionTerminatedByLocalHost)])
  }

  // MARK: Hostile servers

  @Test("No answer of a server makes a search endless or traps", arguments: UInt64(0)..<200)
  func hostileServer(seed: UInt64) {
    var random = RandomStream(seed: seed, component: "test", purpose: "hostile server")
    let host = HandDrivenHost(.central)
    let stack = host.device.host
    let range = ATT.HandleRange(start: UInt16(random.below(40)), end: UInt16(random.below(0x1_0000)))
    for _ in 0..<4 {
      switch random.below(4) {
      case 0: stack.discoverIncluded(HandDrivenHost.handle, in: range)
      case 1: stack.discoverCharacteristics(HandDrivenHost.handle, in: range)
      case 2: stack.discoverDescriptors(HandDrivenHost.handle, in: range)
      default: stack.read(HandDrivenHost.handle, attribute: range.start)
      }
    }
    let opcodes: [UInt8] = [0x01, 0x05, 0x09, 0x0B, 0x0D, 0x11, 0x1B, 0x1D]
    for _ in 0..<60 {
      var octets: [UInt8] = [opcodes[Int(random.below(UInt64(opcodes.count)))]]
      octets += (0..<random.below(22)).map { _ in UInt8(random.below(random.below(2) == 0 ? 9 : 256)) }
      _ = host.give(.attribute, octets)
    }
    expect(host.sentPDUs().count < 1_000)
  }
}
