import BluetoothWire
import Expectations
import Testing

struct ForeignAdvertisingPDU: CustomTestStringConvertible, Sendable {
  var source: String
  var octets: String
  var pdu: LL.AdvertisingPDU
  var testDescription: String { source }

  private static func random(_ bits: UInt64) -> BluetoothAddress { BluetoothAddress(kind: .random, bits: bits) }
  private static func fixed(_ bits: UInt64) -> BluetoothAddress { BluetoothAddress(kind: .publicDevice, bits: bits) }

  static let all: [ForeignAdvertisingPDU] = [
    .init(
      source: "02 #1 ADV_IND", octets: "0019132009006a550201060f09536d6172742d446f6f7262656c6c",
      pdu: .advInd(
        advertiser: fixed(0x556A_0009_2013), data: .hex("0201060f09536d6172742d446f6f7262656c6c"), chSel: false)),
    .init(
      source: "08 #1 ADV_IND", octets: "20153685e179cf58020106080947726f75702d41020a09",
      pdu: .advInd(
        advertiser: fixed(0x58CF_79E1_8536), data: [UInt8].hex("020106080947726f75702d41020a09"), chSel: true)),
    .init(
      source: "02 #6 SCAN_REQ", octets: "430c8738d0d71749132009006a55",
      pdu: .scanReq(scanner: random(0x4917_D7D0_3887), advertiser: fixed(0x556A_0009_2013))),
    .init(
      source: "07 #9 SCAN_REQ", octets: "c30c0cb2f0def51416234282437d",
      pdu: .scanReq(scanner: random(0x14F5_DEF0_B20C), advertiser: random(0x7D43_8242_2316))),
    .init(
      source: "02 #7 SCAN_RSP", octets: "0416132009006a550f08536d6172742d446f6f7262656c6c",
      pdu: .scanRsp(advertiser: fixed(0x556A_0009_2013), data: [UInt8].hex("0f08536d6172742d446f6f7262656c6c"))),
    .init(
      source: "07 #10 SCAN_RSP", octets: "440616234282437d",
      pdu: .scanRsp(advertiser: random(0x7D43_8242_2316), data: [])),
    .init(
      source: "02 #207 CONNECT_IND", octets: "45228738d0d71749132009006a556d9358c6998a2901170024000000f40100feffff1f0a",
      pdu: .connectInd(
        .init(
          initiator: random(0x4917_D7D0_3887), advertiser: fixed(0x556A_0009_2013),
          channelSelectionAlgorithm2: false, accessAddress: 0xC658_936D, crcInit: 0x298A99, windowSize: 1,
          windowOffset: 23, interval: 36, latency: 0, timeout: 500, channelMap: 0x1F_FFFF_FE00, hop: 10,
          sleepClockAccuracy: 0))),
    .init(
      source: "07 #44 CONNECT_IND", octets: "8522f43e7370f35c16234282437d274a65505dd42e032600360000002a00ffffffff1fa5",
      pdu: .connectInd(
        .init(
          initiator: fixed(0x5CF3_7073_3EF4), advertiser: random(0x7D43_8242_2316),
          channelSelectionAlgorithm2: false, accessAddress: 0x5065_4A27, crcInit: 0x2ED45D, windowSize: 3,
          windowOffset: 38, interval: 54, latency: 0, timeout: 42, channelMap: 0x1F_FFFF_FFFF, hop: 5,
          sleepClockAccuracy: 5))),
    .init(
      source: "08 #1633 CONNECT_IND",
      octets: "6522054187afa6703685e179cf58266973a42d41d702010024000000f401ffffffff1f2b",
      pdu: .connectInd(
        .init(
          initiator: random(0x70A6_AF87_4105), advertiser: fixed(0x58CF_79E1_8536),
          channelSelectionAlgorithm2: true, accessAddress: 0xA473_6926, crcInit: 0xD7412D, windowSize: 2,
          windowOffset: 1, interval: 36, latency: 0, timeout: 500, channelMap: 0x1F_FFFF_FFFF, hop: 11,
          sleepClockAccuracy: 1))),
    .init(
      source: "08 #1528 ADV_NONCONN_IND", octets: "021df0a2f94098dc02010613ff060002010600de9840f9ade60000000003" + "80",
      pdu: .advNonconnInd(
        advertiser: fixed(0xDC98_40F9_A2F0), data: [UInt8].hex("02010613ff060002010600de9840f9ade6000000000380"))),
    // No capture holds these with a good CRC; octets by hand from 2.3.1.2 and 2.3.1.4, read by tshark in
    // ConformanceTests.
    .init(
      source: "ADV_DIRECT_IND", octets: "a10c010203040506 1112131415d6",
      pdu: .advDirectInd(advertiser: fixed(0x0605_0403_0201), target: random(0xD615_1413_1211), chSel: true)),
    .init(
      source: "ADV_SCAN_IND", octets: "4609 1112131415d6 020106",
      pdu: .advScanInd(advertiser: random(0xD615_1413_1211), data: [2, 1, 6])),
    .init(source: "ADV_EXT_IND", octets: "0703010000", pdu: .other(header: 7, payload: [1, 0, 0])),
  ]
}

@Suite("Advertising channel PDUs (Core Vol 6, Part B, 2.3)")
struct LLAdvertisingPDUTests {
  @Test("Foreign octets decode to their meaning and encode back to themselves", arguments: ForeignAdvertisingPDU.all)
  func foreignOctets(_ foreign: ForeignAdvertisingPDU) throws {
    let octets = [UInt8].hex(foreign.octets)
    try equal(LL.AdvertisingPDU(decoding: octets), foreign.pdu)
    equal(foreign.pdu.octets, octets)
    if case .connectInd(let request) = foreign.pdu {
      try equal(LL.ConnectInd(decoding: octets), request)
      equal(request.octets, octets)
    } else {
      #expect(throws: WireError(.unknownType, at: 0)) { try LL.ConnectInd(decoding: octets) }
    }
  }

  @Test("Every proper prefix is refused as truncated", arguments: ForeignAdvertisingPDU.all)
  func prefixes(_ foreign: ForeignAdvertisingPDU) {
    let octets = [UInt8].hex(foreign.octets)
    for prefix in Octets.properPrefixes(octets) {
      #expect(throws: WireError(.truncated, at: prefix.count)) { try LL.AdvertisingPDU(decoding: prefix) }
    }
    #expect(throws: WireError(.trailingOctets, at: octets.count)) { try LL.AdvertisingPDU(decoding: octets + [0]) }
  }

  @Test("Damaged octets are refused or encode back, but for reserved header bits", arguments: ForeignAdvertisingPDU.all)
  func damaged(_ foreign: ForeignAdvertisingPDU) {
    for octets in Octets.damaged([UInt8].hex(foreign.octets)) {
      guard let pdu = try? LL.AdvertisingPDU(decoding: octets) else { continue }
      let again = pdu.octets
      equal(again.dropFirst(), octets.dropFirst())
      equal(again[0] & 0x4F, octets[0] & 0x4F)
    }
  }

  @Test("A length that its PDU type does not allow is refused at the length field")
  func lengths() {
    for (type, length) in [(0, 5), (0, 38), (1, 11), (3, 13), (4, 5), (5, 33), (5, 35), (6, 38)] {
      #expect(throws: WireError(.lengthMismatch, at: 1)) {
        try LL.AdvertisingPDU(decoding: [UInt8(type), UInt8(length)] + [UInt8](repeating: 0, count: length))
      }
    }
  }

  @Test("Data beyond 31 octets is cut, so that no encoder makes an impossible PDU")
  func cut() throws {
    let address = BluetoothAddress(kind: .random, bits: 1)
    let octets = LL.AdvertisingPDU.scanRsp(advertiser: address, data: [UInt8](repeating: 7, count: 40)).octets
    equal(octets.count, 2 + 37)
    #expect(throws: Never.self) { try LL.AdvertisingPDU(decoding: octets) }
    equal(LL.AdvertisingPDU.other(header: 7, payload: [UInt8](repeating: 7, count: 400)).octets.count, 257)
  }
}
