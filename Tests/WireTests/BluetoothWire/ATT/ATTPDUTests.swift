import BluetoothWire
import Expectations
import Testing

private let bab = BluetoothUUID(high: 0x1234_5678_1234_1234, low: 0x1234_1234_5678_9ABC)

/// Octets made by Bumble 0.0.236 (`bumble.att`, one constructor call each), except the last two entries: Bumble has no
/// `ATT_MULTIPLE_HANDLE_VALUE_NTF`, so that one follows Core v5.4, Vol 3, Part F, 3.4.7.4; 0x6F is an unknown command.
private let golden: [(hex: String, pdu: ATT.PDU)] = [
  ("010a34120a", .errorResponse(request: .readRequest, handle: 0x1234, code: .attributeNotFound)),
  ("020502", .exchangeMTURequest(clientRxMTU: 517)),
  ("03b900", .exchangeMTUResponse(serverRxMTU: 185)),
  ("041000ffff", .findInformationRequest(.init(start: 0x10, end: 0xFFFF))),
  (
    "05011000022911000129",
    .findInformationResponse([
      .init(handle: 0x10, type: .short(0x2902)), .init(handle: 0x11, type: .short(0x2901)),
    ])
  ),
  (
    "05021200bc9a7856341234123412341278563412",
    .findInformationResponse([.init(handle: 0x12, type: .long(bab))])
  ),
  (
    "060100ffff0028bc9a7856341234123412341278563412",
    .findByTypeValueRequest(.init(start: 1, end: 0xFFFF), type: 0x2800, value: bab.octets)
  ),
  ("070100050020002f00", .findByTypeValueResponse([.init(start: 1, end: 5), .init(start: 0x20, end: 0x2F)])),
  ("08010009000328", .readByTypeRequest(.init(start: 1, end: 9), type: .short(0x2803))),
  ("0801000900bc9a7856341234123412341278563412", .readByTypeRequest(.init(start: 1, end: 9), type: .long(bab))),
  (
    "09070200020300002a0400200500052a",
    .readByTypeResponse([
      .init(handle: 2, value: [0x02, 0x03, 0x00, 0x00, 0x2A]), .init(handle: 4, value: [0x20, 0x05, 0x00, 0x05, 0x2A]),
    ])
  ),
  ("0a0300", .readRequest(3)),
  ("0b426162", .readResponse(Array("Bab".utf8))),
  ("0c03001600", .readBlobRequest(3, offset: 22)),
  ("0d72657374", .readBlobResponse(Array("rest".utf8))),
  ("0e030005000900", .readMultipleRequest([3, 5, 9])),
  ("0f010203", .readMultipleResponse([1, 2, 3])),
  ("100100ffff0028", .readByGroupTypeRequest(.init(start: 1, end: 0xFFFF), type: .short(0x2800))),
  (
    "1106010005000018060009000118",
    .readByGroupTypeResponse([
      .init(handle: 1, end: 5, value: [0x00, 0x18]), .init(handle: 6, end: 9, value: [0x01, 0x18]),
    ])
  ),
  ("2003000500", .readMultipleVariableRequest([3, 5])),
  (
    "21030042616202000001",
    .readMultipleVariableResponse([
      .init(length: 3, value: Array("Bab".utf8)), .init(length: 2, value: [0, 1]),
    ])
  ),
  ("122a000100", .writeRequest(0x2A, value: [1, 0])),
  ("13", .writeResponse),
  ("522a006d6f7665", .writeCommand(0x2A, value: Array("move".utf8))),
  (
    "d22a006d000102030405060708090a0b",
    .signedWriteCommand(0x2A, valueAndSignature: [0x6D, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])
  ),
  ("162a00120070617274", .prepareWriteRequest(0x2A, offset: 18, value: Array("part".utf8))),
  ("172a00120070617274", .prepareWriteResponse(0x2A, offset: 18, value: Array("part".utf8))),
  ("1801", .executeWriteRequest(flags: 1)),
  ("19", .executeWriteResponse),
  ("1b2c007374617465", .handleValueNotification(0x2C, value: Array("state".utf8))),
  ("1d2c000100ffff", .handleValueIndication(0x2C, value: [1, 0, 0xFF, 0xFF])),
  ("1e", .handleValueConfirmation),
  ("232c00010041", .multipleHandleValueNotification([0x2C, 0, 1, 0, 0x41])),
  ("6f0102", .other(.init(rawValue: 0x6F), parameters: [1, 2])),
]

@Suite("ATT PDUs (Core v5.4, Vol 3, Part F, 3.4)")
struct ATTPDUTests {
  @Test("Octets of another stack decode to the fields it was given, and encode back", arguments: golden.indices)
  func goldenOctets(index: Int) throws {
    let (hex, pdu) = golden[index]
    try equal(ATT.PDU(decoding: [UInt8].hex(hex)), pdu)
    equal(pdu.octets, [UInt8].hex(hex))
    equal(pdu.opcode.rawValue, [UInt8].hex(hex)[0])
  }

  @Test("Every opcode that Part F defines is among the golden octets")
  func goldenOctetsAreComplete() {
    let defined: [UInt8] =
      Array(0x01...0x13) + Array(0x16...0x19) + [0x1B, 0x1D, 0x1E, 0x20, 0x21, 0x23, 0x52, 0xD2]
    let present = Set(golden.map { $0.pdu.opcode.rawValue })
    equal(defined.filter { !present.contains($0) }, [])
  }

  @Test("A PDU behind a header decodes from there, and a refusal names the octet in the whole")
  func decodingFromAnOffset() throws {
    try equal(ATT.PDU(decoding: [UInt8].hex("0300 0400 03b900"), from: 4), .exchangeMTUResponse(serverRxMTU: 185))
    #expect(throws: WireError(.truncated, at: 6)) { try ATT.PDU(decoding: [UInt8].hex("0300 0400 03b9"), from: 4) }
    #expect(throws: WireError(.truncated, at: 2)) { try ATT.PDU(decoding: [0x13, 0x00], from: 9) }
  }

  @Test(
    "Octets that break a clause are refused, with the offset of the first wrong one",
    arguments: [
      ("", WireError.Reason.truncated, 0), ("02 17", .truncated, 2), ("02 1700 00", .trailingOctets, 3),
      ("05 03 0100 0028", .valueOutOfRange, 1), ("05 01", .truncated, 2), ("05 01 0100", .truncated, 4),
      ("07", .truncated, 1), ("07 0100 05", .truncated, 4), ("08 0100 0900 03", .truncated, 6),
      ("08 0100 0900 032800", .truncated, 8), ("09 01 0100", .valueOutOfRange, 1), ("09 02", .truncated, 2),
      ("09 04 0100 4142 0200", .truncated, 8), ("0e 0300", .truncated, 3), ("0e 0300 05", .truncated, 4),
      ("11 03 010005", .valueOutOfRange, 1), ("13 00", .trailingOctets, 1), ("18", .truncated, 1),
      ("1e 00", .trailingOctets, 1), ("21 0300 42 4142 01", .truncated, 7), ("d2 2a00 0001020304", .truncated, 8),
    ])
  func refusals(hex: String, reason: WireError.Reason, offset: Int) {
    #expect(throws: WireError(reason, at: offset)) { try ATT.PDU(decoding: [UInt8].hex(hex)) }
  }

  @Test("A 128-bit type over the Base UUID keeps its width and equals its 16-bit form as a UUID")
  func widthSurvives() throws {
    let wide = [UInt8].hex("0801000900fb349b5f80000080001000000328 0000")
    let pdu = try ATT.PDU(decoding: wide)
    guard case .readByTypeRequest(_, let type) = pdu else { return expect(false, "not a Read By Type Request") }
    equal(type.uuid, BluetoothUUID(0x2803))
    expect(type != ATT.AttributeType(type.uuid))
    equal(pdu.octets, wide)
  }

  @Test("A list with entries of several lengths encodes to one that decodes")
  func unevenLists() throws {
    let uneven = ATT.PDU.readByTypeResponse([.init(handle: 1, value: [1, 2]), .init(handle: 2, value: [3])])
    try equal(
      ATT.PDU(decoding: uneven.octets),
      .readByTypeResponse([.init(handle: 1, value: [1, 2]), .init(handle: 2, value: [3, 0])]))
    let huge = ATT.PDU.readByGroupTypeResponse([.init(handle: 1, end: 2, value: Array(repeating: 7, count: 400))])
    #expect(throws: Never.self) { try ATT.PDU(decoding: huge.octets) }
  }

  @Test("No prefix, bit flip or random string traps; what decodes encodes back to the same octets")
  func hostileOctets() {
    var decoded = 0
    var refused = 0
    func probe(_ octets: [UInt8]) {
      do throws(WireError) {
        let pdu = try ATT.PDU(decoding: octets)
        decoded += 1
        equal(pdu.octets, octets)
      } catch {
        refused += 1
        expect((0...octets.count).contains(error.offset))
      }
    }
    for (hex, _) in golden {
      let octets = [UInt8].hex(hex)
      for count in 0..<octets.count { probe(Array(octets[..<count])) }
      for bit in 0..<octets.count * 8 {
        var flipped = octets
        flipped[bit / 8] ^= 1 << (bit % 8)
        probe(flipped)
      }
    }
    var stream = HostileStream(state: 1)
    for _ in 0..<20_000 {
      var octets = stream.octets(upTo: 40)
      if !octets.isEmpty { octets[0] &= 0x3F }
      probe(octets)
    }
    expect(decoded > 3_000)
    expect(refused > 3_000)
  }
}
