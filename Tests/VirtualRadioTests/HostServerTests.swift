import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

private func error(_ request: ATT.Opcode, _ handle: ATT.Handle, _ code: ATT.ErrorCode) -> ATT.PDU {
  .errorResponse(request: request, handle: handle, code: code)
}

private func range(_ start: ATT.Handle, _ end: ATT.Handle) -> ATT.HandleRange { .init(start: start, end: end) }

@Suite("The attribute server, request by request (Core v5.4, Vol 3, Part F, 3.4)")
struct HostServerTests {
  /// Request, response. Handles: see `GATT.Service.loop`.
  static let table: [(request: ATT.PDU, response: ATT.PDU)] = [
    // 3.4.3.1: "If a Starting Handle of 0x0000 or Starting Handle greater than Ending Handle: Invalid Handle".
    (.findInformationRequest(range(0, 5)), error(.findInformationRequest, 0, .invalidHandle)),
    (.findInformationRequest(range(6, 5)), error(.findInformationRequest, 6, .invalidHandle)),
    (.findInformationRequest(range(20, 0xFFFF)), error(.findInformationRequest, 20, .attributeNotFound)),
    (
      .findInformationRequest(range(18, 0xFFFF)),
      .findInformationResponse([
        .init(handle: 18, type: .short(0x2902)), .init(handle: 19, type: .short(0x2901)),
      ])
    ),
    // One response holds one width: the 128-bit type behind ends it, and begins the next.
    (.findInformationRequest(range(11, 14)), .findInformationResponse([.init(handle: 11, type: .short(0x2803))])),
    (.findInformationRequest(range(14, 15)), .findInformationResponse([.init(handle: 14, type: .long(loopState))])),
    (
      .findByTypeValueRequest(range(1, 0xFFFF), type: 0x2800, value: [0x01, 0x18]),
      .findByTypeValueResponse([range(6, 9)])
    ),
    (
      .findByTypeValueRequest(range(1, 0xFFFF), type: 0x2800, value: loopService.octets),
      .findByTypeValueResponse([range(10, 19)])
    ),
    (
      .findByTypeValueRequest(range(7, 0xFFFF), type: 0x2800, value: [0x01, 0x18]),
      error(.findByTypeValueRequest, 7, .attributeNotFound)
    ),
    (
      .findByTypeValueRequest(range(0, 1), type: 0x2800, value: []),
      error(.findByTypeValueRequest, 0, .invalidHandle)
    ),
    (
      .readByTypeRequest(range(1, 9), type: .short(0x2803)),
      .readByTypeResponse([
        .init(handle: 2, value: [0x02, 3, 0, 0x00, 0x2A]), .init(handle: 4, value: [0x02, 5, 0, 0x01, 0x2A]),
        .init(handle: 7, value: [0x20, 8, 0, 0x05, 0x2A]),
      ])
    ),
    (.readByTypeRequest(range(9, 3), type: .short(0x2803)), error(.readByTypeRequest, 9, .invalidHandle)),
    (.readByTypeRequest(range(1, 9), type: .short(0x2AFF)), error(.readByTypeRequest, 1, .attributeNotFound)),
    // The handle in the error is that of the attribute that cannot be read.
    (.readByTypeRequest(range(1, 19), type: .long(loopCommand)), error(.readByTypeRequest, 12, .readNotPermitted)),
    (
      .readByGroupTypeRequest(range(1, 0xFFFF), type: .short(0x2800)),
      .readByGroupTypeResponse([
        .init(handle: 1, end: 5, value: [0x00, 0x18]), .init(handle: 6, end: 9, value: [0x01, 0x18]),
      ])
    ),
    (
      .readByGroupTypeRequest(range(10, 0xFFFF), type: .short(0x2800)),
      .readByGroupTypeResponse([.init(handle: 10, end: 19, value: loopService.octets)])
    ),
    (
      .readByGroupTypeRequest(range(1, 0xFFFF), type: .short(0x2803)),
      error(.readByGroupTypeRequest, 1, .unsupportedGroupType)
    ),
    (
      .readByGroupTypeRequest(range(1, 0xFFFF), type: .short(0x2801)),
      error(.readByGroupTypeRequest, 1, .attributeNotFound)
    ),
    (
      .readByGroupTypeRequest(range(0, 0xFFFF), type: .short(0x2803)),
      error(.readByGroupTypeRequest, 0, .invalidHandle)
    ),
    (.readRequest(0), error(.readRequest, 0, .invalidHandle)),
    (.readRequest(20), error(.readRequest, 20, .invalidHandle)),
    (.readRequest(12), error(.readRequest, 12, .readNotPermitted)),
    (.readRequest(17), .readResponse([1, 2, 3])),
    (.readRequest(18), .readResponse([0, 0])),
    (.readRequest(19), .readResponse(Array("note".utf8))),
    (.readBlobRequest(17, offset: 1), .readBlobResponse([2, 3])),
    (.readBlobRequest(17, offset: 3), .readBlobResponse([])),
    (.readBlobRequest(17, offset: 4), error(.readBlobRequest, 17, .invalidOffset)),
    (.readBlobRequest(99, offset: 0), error(.readBlobRequest, 99, .invalidHandle)),
    (.readBlobRequest(12, offset: 0), error(.readBlobRequest, 12, .readNotPermitted)),
    (.readMultipleRequest([17, 19]), .readMultipleResponse([1, 2, 3] + Array("note".utf8))),
    (.readMultipleRequest([17, 12, 99]), error(.readMultipleRequest, 12, .readNotPermitted)),
    (.readMultipleRequest([17, 99, 12]), error(.readMultipleRequest, 99, .invalidHandle)),
    (
      .readMultipleVariableRequest([17, 14]),
      .readMultipleVariableResponse([.init(length: 3, value: [1, 2, 3]), .init(length: 0, value: [])])
    ),
    (.readMultipleVariableRequest([17, 0]), error(.readMultipleVariableRequest, 0, .invalidHandle)),
    (.writeRequest(12, value: [7]), .writeResponse),
    (.writeRequest(14, value: [7]), error(.writeRequest, 14, .writeNotPermitted)),
    (.writeRequest(10, value: [7]), error(.writeRequest, 10, .writeNotPermitted)),
    (.writeRequest(19, value: [7]), error(.writeRequest, 19, .writeNotPermitted)),
    (.writeRequest(20, value: [7]), error(.writeRequest, 20, .invalidHandle)),
    (.writeRequest(15, value: [1]), error(.writeRequest, 15, .invalidAttributeValueLength)),
    (.writeRequest(15, value: [1, 0, 0]), error(.writeRequest, 15, .invalidAttributeValueLength)),
    (.writeRequest(15, value: [2, 0]), error(.writeRequest, 15, .valueNotAllowed)),
    (.writeRequest(15, value: [1, 1]), error(.writeRequest, 15, .valueNotAllowed)),
    (.writeRequest(15, value: [1, 0]), .writeResponse),
    (.writeRequest(18, value: [1, 0]), error(.writeRequest, 18, .valueNotAllowed)),
    (.writeRequest(18, value: [2, 0]), .writeResponse),
    (.prepareWriteRequest(14, offset: 0, value: [1]), error(.prepareWriteRequest, 14, .writeNotPermitted)),
    (.prepareWriteRequest(77, offset: 0, value: [1]), error(.prepareWriteRequest, 77, .invalidHandle)),
    (.prepareWriteRequest(17, offset: 900, value: [1]), .prepareWriteResponse(17, offset: 900, value: [1])),
    (.executeWriteRequest(flags: 0), .executeWriteResponse),
    (.executeWriteRequest(flags: 1), .executeWriteResponse),
    (.executeWriteRequest(flags: 2), error(.executeWriteRequest, 0, .invalidPDU)),
    (.other(.init(rawValue: 0x3F), parameters: [1]), error(.init(rawValue: 0x3F), 0, .requestNotSupported)),
    (.exchangeMTURequest(clientRxMTU: 185), .exchangeMTUResponse(serverRxMTU: 517)),
  ]

  @Test("Every request gets the response that its clause names", arguments: table.indices)
  func responses(index: Int) {
    let (request, response) = Self.table[index]
    equal(HandDrivenHost().att(request), [response])
  }

  @Test(
    "A request of the wrong form gets Invalid PDU",
    arguments: [
      "02", "0217", "02170000", "0401000500ff", "06010005", "0801000500", "0801000500ffffff", "0a", "0a0300ff",
      "0c0300", "0e0300", "0e030005", "1001000500", "12", "120c", "160c00", "18", "180100", "2003",
    ])
  func invalidPDUs(hex: String) throws {
    let octets = [UInt8].hex(hex)
    let host = HandDrivenHost()
    equal(host.att(octets), [error(ATT.Opcode(rawValue: octets[0]), 0, .invalidPDU)])
    expect(host.device.take().contains { if case .protocolViolation = $0 { true } else { false } })
  }

  @Test(
    "What asks for no answer gets none",
    arguments: [
      ATT.PDU.writeCommand(0, value: [1]), .writeCommand(14, value: [1]), .writeCommand(99, value: []),
      .writeCommand(17, value: [1]), .signedWriteCommand(12, valueAndSignature: Array(repeating: 0, count: 13)),
      .other(.init(rawValue: 0x7F), parameters: []), .handleValueNotification(14, value: [1]),
      .handleValueConfirmation, .writeResponse, .readResponse([1]), .exchangeMTUResponse(serverRxMTU: 23),
      .errorResponse(request: .readRequest, handle: 1, code: .invalidHandle), .multipleHandleValueNotification([1]),
    ])
  func unanswered(pdu: ATT.PDU) {
    let host = HandDrivenHost()
    equal(host.give(.attribute, pdu.octets), [])
    expect(!host.device.take().contains { if case .valueWritten = $0 { true } else { false } })
  }

  @Test("A second Exchange MTU Request is refused and changes nothing")
  func secondExchange() {
    let host = HandDrivenHost()
    equal(host.att(.exchangeMTURequest(clientRxMTU: 100)), [.exchangeMTUResponse(serverRxMTU: 517)])
    equal(
      host.att(.exchangeMTURequest(clientRxMTU: 200)), [error(.exchangeMTURequest, 0, .requestNotSupported)])
    equal(host.device.host.attMTU(HandDrivenHost.handle), 100)
  }

  @Test("A request longer than the ATT_MTU gets Invalid PDU; an indication that long is still confirmed")
  func oversized() {
    let host = HandDrivenHost()
    let octets = [0x12, 12, 0] + [UInt8](repeating: 1, count: 21)
    equal(host.att(octets), [error(.writeRequest, 0, .invalidPDU)])
    equal(host.att([0x1D] + octets[1...]), [.handleValueConfirmation])
    equal(host.att([0x52] + octets[1...]), [])
    expect(!host.device.take().contains { if case .valueWritten = $0 { true } else { false } })
  }

  @Test("Responses fill the ATT_MTU and not one octet more", arguments: [23, 24, 27, 64, 185, 517])
  func responsesFit(mtu: Int) {
    let host = HandDrivenHost()
    host.device.host.setValue([UInt8](repeating: 9, count: 512), characteristic: loopState)
    for number in 0..<40 {
      host.device.host.publish(GATT.Service(uuid: BluetoothUUID(0x1900 + UInt16(number)), characteristics: []))
    }
    if mtu > 23 { _ = host.att(.exchangeMTURequest(clientRxMTU: UInt16(mtu))) }
    func length(_ pdu: ATT.PDU) -> Int { host.att(pdu).first.map(\.octets.count) ?? 0 }
    equal(length(.readRequest(14)), min(mtu, 513))
    equal(length(.readBlobRequest(14, offset: 100)), min(mtu, 413))
    equal(length(.readByTypeRequest(range(1, 30), type: .long(loopState))), min(mtu, 257))
    equal(length(.readMultipleRequest([14, 14])), mtu)
    equal(length(.readMultipleVariableRequest([14, 14])), mtu)
    equal(length(.findInformationRequest(range(18, 100))), 2 + min(42, (mtu - 2) / 4) * 4)
    equal(length(.readByGroupTypeRequest(range(20, 100), type: .short(0x2800))), 2 + min(40, (mtu - 2) / 6) * 6)
  }

  @Test("Prepared writes are made together or not at all")
  func preparedWrites() {
    let host = HandDrivenHost()
    func prepare(_ handle: ATT.Handle, _ offset: UInt16, _ value: [UInt8]) {
      equal(
        host.att(.prepareWriteRequest(handle, offset: offset, value: value)),
        [.prepareWriteResponse(handle, offset: offset, value: value)])
    }
    prepare(17, 0, [7, 8])
    prepare(12, 0, [1])
    prepare(17, 2, [9])
    equal(host.att(.readRequest(17)), [.readResponse([1, 2, 3])])
    equal(host.device.take(), [])
    equal(host.att(.executeWriteRequest(flags: 1)), [.executeWriteResponse])
    equal(
      host.device.take(),
      [
        .valueWritten(HandDrivenHost.handle, characteristic: loopNote, value: [7, 8, 9], withResponse: true),
        .valueWritten(HandDrivenHost.handle, characteristic: loopCommand, value: [1], withResponse: true),
      ])
    prepare(17, 0, [5])
    prepare(17, 2, [6])
    equal(host.att(.executeWriteRequest(flags: 1)), [error(.executeWriteRequest, 17, .invalidOffset)])
    equal(host.att(.executeWriteRequest(flags: 1)), [.executeWriteResponse])
    equal(host.att(.readRequest(17)), [.readResponse([7, 8, 9])])
    equal(host.device.take(), [])
  }

  @Test("The prepare queue is finite: at its end Prepare Queue Full, and cancelling empties it")
  func prepareQueue() {
    let host = HandDrivenHost()
    var taken = 0
    while taken < 1_000,
      host.att(.prepareWriteRequest(12, offset: 0, value: [1]))
        == [.prepareWriteResponse(12, offset: 0, value: [1])]
    {
      taken += 1
    }
    equal(taken, 64)
    equal(
      host.att(.prepareWriteRequest(12, offset: 0, value: [1])), [error(.prepareWriteRequest, 12, .prepareQueueFull)])
    equal(host.att(.executeWriteRequest(flags: 0)), [.executeWriteResponse])
    equal(
      host.att(.prepareWriteRequest(12, offset: 0, value: [1])), [.prepareWriteResponse(12, offset: 0, value: [1])])
  }

  @Test("A request before the response to the last one has left the host is dropped, and reported")
  func sequentialProtocol() {
    let host = HandDrivenHost { $0.notificationQueueDepth = 100 }
    host.device.controller.isStalled = true
    for _ in 0..<host.device.controller.aclBuffers { equal(host.att(.readRequest(17)).count, 1) }
    equal(host.att(.readRequest(17)), [])
    _ = host.device.take()
    equal(host.att(.readRequest(19)), [])
    equal(
      host.device.take(),
      [
        .protocolViolation(HandDrivenHost.handle, "request 0xa before the response to the last one")
      ])
    host.device.controller.isStalled = false
    host.device.controller.release()
    equal(host.sentPDUs(), [.readResponse([1, 2, 3])])
  }

  @Test("Indications are confirmed, and the server's own wait for theirs for exactly 30 s")
  func indicationTimeout() {
    let host = HandDrivenHost()
    equal(host.att(.handleValueIndication(3, value: [1])), [.handleValueConfirmation])
    _ = host.att(.writeRequest(18, value: [2, 0]))
    host.bench.run(to: .zero + .seconds(10))
    expect(host.device.host.indicate(HandDrivenHost.handle, characteristic: loopNote, value: [1]))
    _ = host.device.take()
    host.bench.run(to: .zero + .seconds(40) - .nanoseconds(1))
    equal(host.device.take(), [])
    equal(host.device.host.nextDeadline, .zero + .seconds(40))
    host.bench.run(to: .zero + .seconds(40))
    equal(host.device.take(), [.transactionTimeout(HandDrivenHost.handle)])
    _ = host.answers()
    equal(host.att(.readRequest(17)), [])
    equal(host.att(.handleValueConfirmation), [])
    expect(!host.device.host.indicate(HandDrivenHost.handle, characteristic: loopNote, value: [1]))
    equal(host.device.take(), [])
    expect(host.device.host.nextDeadline == nil)
  }
}
