import BluetoothWire
import Expectations
import Testing

/// Payloads of control PDUs that were on the air, without header and CRC.
struct ForeignControlPDU: CustomTestStringConvertible, Sendable {
  /// Shared capture (number and frame), or the specification.
  var source: String
  var payload: String
  var pdu: LL.ControlPDU
  var testDescription: String { source }

  private static let periodic: LL.ConnectionParam = {
    var parameters = LL.ConnectionParam(intervalMin: 36, intervalMax: 36, latency: 0, timeout: 500)
    parameters.referenceConnEventCount = 65
    (parameters.offset0, parameters.offset1, parameters.offset2) = (6, 7, 8)
    (parameters.offset3, parameters.offset4, parameters.offset5) = (9, 10, 11)
    return parameters
  }()

  private static let transfer: LL.SyncTransfer = {
    var info = LL.SyncInfo(
      interval: 80, channelMap: 0x1F_FFFF_FFFF, sleepClockAccuracy: 5, accessAddress: 0x8E89_BED6, crcInit: 0x12_3456,
      eventCounter: 0x78)
    info.offset = 0xD2
    var transfer = LL.SyncTransfer(
      id: 0x1234, syncInfo: info, eventCounter: 0x1234, sid: 5, sleepClockAccuracy: 5, phy: 2,
      advertiser: BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4F5))
    (transfer.lastTrainCounter, transfer.syncEventCounter) = (0x77, 0x1231)
    return transfer
  }()

  static let all: [ForeignControlPDU] = [
    .init(source: "02 #251", payload: "09fd00000000000000", pdu: .featureRsp(0xFD)),
    .init(
      source: "02 #254", payload: "14fb0048081b004801",
      pdu: .lengthReq(.init(maxRxOctets: 251, maxRxTime: 2120, maxTxOctets: 27, maxTxTime: 328))),
    .init(
      source: "08 #1654", payload: "15fb0048081b004801",
      pdu: .lengthRsp(.init(maxRxOctets: 251, maxRxTime: 2120, maxTxOctets: 27, maxTxTime: 328))),
    .init(
      source: "02 #262", payload: "0c0860000b04", pdu: .versionInd(version: 8, company: 0x0060, subversion: 0x040B)),
    .init(
      source: "02 #265", payload: "0001000006000000f4012900",
      pdu: .connectionUpdateInd(
        windowSize: 1, windowOffset: 0, interval: 6, latency: 0, timeout: 500, instant: 41)),
    .init(
      source: "02 #459", payload: "0100f8ffff1f8200", pdu: .channelMapInd(channelMap: 0x1F_FFFF_F800, instant: 130)),
    .init(
      source: "02 #510", payload: "0213", pdu: .terminateInd(errorCode: .remoteUserTerminatedConnection)),
    .init(source: "07 #51", payload: "080100000000000000", pdu: .featureReq(1)),
    .init(source: "07 #61", payload: "fff009000000", pdu: .other(opcode: 0xFF, data: [0xF0, 0x09, 0, 0, 0])),
    .init(
      source: "07 #162", payload: "04fe04131f36b0f834da5e15d2",
      pdu: .encRsp(sessionKeyDiversifier: 0x34F8_B036_1F13_04FE, initialisationVector: 0xD215_5EDA)),
    .init(source: "07 #166", payload: "05", pdu: .startEncReq),
    .init(
      source: "08 #3139", payload: "0300000000000000000000e41da9c3b01eac4247745176",
      pdu: .encReq(
        random: 0, diversifier: 0, sessionKeyDiversifier: 0x42AC_1EB0_C3A9_1DE4, initialisationVector: 0x7651_7447)),
    .init(
      source: "08 #3142", payload: "04b1cd5377338ff583370c2a48",
      pdu: .encRsp(sessionKeyDiversifier: 0x83F5_8F33_7753_CDB1, initialisationVector: 0x482A_0C37)),
    .init(source: "08 #3149", payload: "06", pdu: .startEncRsp),
    // The Core Specification's sample data (Vol 6, Part C, 1).
    .init(
      source: "Part C, 1 LL_ENC_REQ", payload: "039078563412efcdab74241302f1e0dfcebdac24abdcba",
      pdu: .encReq(
        random: 0xABCD_EF12_3456_7890, diversifier: 0x2474, sessionKeyDiversifier: 0xACBD_CEDF_E0F1_0213,
        initialisationVector: 0xBADC_AB24)),
    .init(
      source: "Part C, 1 LL_ENC_RSP", payload: "047968574635241302bebaafde",
      pdu: .encRsp(sessionKeyDiversifier: 0x0213_2435_4657_6879, initialisationVector: 0xDEAF_BABE)),
    .init(source: "11 #1", payload: "0eff00000000000000", pdu: .peripheralFeatureReq(0xFF)),
    .init(
      source: "08 #1780", payload: "0f240024000000f40100410006000700080009000a000b00",
      pdu: .connectionParamReq(periodic)),
    .init(source: "08 #4826", payload: "12", pdu: .pingReq),
    .init(source: "08 #4829", payload: "13", pdu: .pingRsp),
    // No capture holds these; octets by hand from the figures of Vol 6, Part B, 2.4.2, read by tshark in
    // ConformanceTests.
    .init(source: "2.4.2.8", payload: "07ff", pdu: .unknownRsp(opcode: 0xFF)),
    .init(source: "2.4.2.11", payload: "0a", pdu: .pauseEncReq),
    .init(source: "2.4.2.12", payload: "0b", pdu: .pauseEncRsp),
    .init(source: "2.4.2.14", payload: "0d1a", pdu: .rejectInd(.unsupportedRemoteFeature)),
    .init(
      source: "2.4.2.18", payload: "110f3b",
      pdu: .rejectExtInd(rejectOpcode: 0x0F, errorCode: .unacceptableConnectionParameters)),
    .init(source: "2.4.2.22", payload: "160302", pdu: .phyReq(txPHYs: 3, rxPHYs: 2)),
    .init(source: "2.4.2.22", payload: "170203", pdu: .phyRsp(txPHYs: 2, rxPHYs: 3)),
    .init(
      source: "2.4.2.23", payload: "1802003412",
      pdu: .phyUpdateInd(centralToPeripheral: 2, peripheralToCentral: 0, instant: 0x1234)),
    .init(source: "2.4.2.24", payload: "190305", pdu: .minUsedChannelsInd(phys: 3, minUsedChannels: 5)),
    .init(
      source: "2.4.2.27",
      payload: "1c3412" + "d2005000ffffffffbfd6be898e5634127800" + "34127700" + "b502" + "f5f4f3f2f1f0" + "3112",
      pdu: .periodicSyncInd(transfer)),
    .init(
      source: "2.4.2.38", payload: "2602000800010003005802",
      pdu: .subrateReq(
        .init(
          factorMinimum: 2, factorMaximum: 8, maximumLatency: 1, continuationNumber: 3, supervisionTimeout: 600))),
    .init(
      source: "2.4.2.39", payload: "2708003412010003005802",
      pdu: .subrateInd(factor: 8, baseEvent: 0x1234, latency: 1, continuationNumber: 3, timeout: 600)),
    .init(source: "scapy 2.8.0", payload: "1d05", pdu: .clockAccuracyReq(5)),
    .init(source: "scapy 2.8.0", payload: "1e07", pdu: .clockAccuracyRsp(7)),
    .init(
      source: "scapy 2.8.0",
      payload: "1f0509020178803c00102700204e006400320004dc05001303021000f401003075003412", pdu: .cisReq(stream)),
    .init(
      source: "scapy 2.8.0", payload: "20f401003075003412",
      pdu: .cisRsp(offsetMinimum: 500, offsetMaximum: 30_000, event: 0x1234)),
    .init(
      source: "scapy 2.8.0", payload: "21d1be898ecc10001608006405003612",
      pdu: .cisInd(
        .init(
          accessAddress: 0x8E89_BED1, offset: 4_300, groupSyncDelay: 2_070, streamSyncDelay: 1_380, event: 0x1236))),
    .init(
      source: "scapy 2.8.0", payload: "22050913",
      pdu: .cisTerminateInd(group: 5, stream: 9, errorCode: .remoteUserTerminatedConnection)),
    .init(source: "scapy 2.8.0", payload: "2302fafc", pdu: .powerControlReq(phy: 2, delta: -6, txPower: -4)),
    .init(
      source: "scapy 2.8.0", payload: "2401fcec03",
      pdu: .powerControlRsp(flags: 1, delta: -4, txPower: -20, acceptableReduction: 3)),
    .init(
      source: "scapy 2.8.0", payload: "2504020808", pdu: .powerChangeInd(phy: 4, flags: 2, delta: 8, txPower: 8)),
    .init(
      source: "scapy 2.8.0", payload: "2801050a",
      pdu: .channelReportingInd(isEnabled: 1, minimumSpacing: 5, maximumDelay: 10)),
    .init(source: "scapy 2.8.0", payload: "290d000000000000000001", pdu: .channelStatusInd(status)),
    .init(
      source: "2.4.2.42",
      payload: "2a3412" + "d2005000ffffffffbfd6be898e5634127800" + "34127700" + "b502" + "f5f4f3f2f1f0" + "3112"
        + "1c713c5a" + "050c0408",
      pdu: .periodicSyncWRInd(
        transfer,
        .init(
          accessAddress: 0x5A3C_711C, subevents: .init(count: 5, interval: 12, slotDelay: 4, slotSpacing: 8)))),
  ]
}

private let stream = LL.CISRequest(
  group: 5, stream: 9, centralPHY: 2, peripheralPHY: 1,
  central: .init(longestSDU: 120, sduInterval: 10_000, longestPDU: 100, burst: 3, flushTimeout: 3),
  peripheral: .init(longestSDU: 60, sduInterval: 20_000, longestPDU: 50, burst: 1, flushTimeout: 2), isFramed: true,
  subevents: 4, subinterval: 1_500, interval: 16, offsetMinimum: 500, offsetMaximum: 30_000, event: 0x1234)

/// Channels 0 and 36 are good, 1 is bad.
private let status = {
  var status = LL.ChannelStatus()
  (status[0], status[1], status[36]) = (.good, .bad, .good)
  return status
}()

@Suite("LL Control PDUs (Core Vol 6, Part B, 2.4.2)")
struct LLControlPDUTests {
  @Test("Foreign octets decode to their meaning and encode back to themselves", arguments: ForeignControlPDU.all)
  func foreignOctets(_ foreign: ForeignControlPDU) throws {
    let payload = [UInt8].hex(foreign.payload)
    try equal(LL.ControlPDU(decoding: payload), foreign.pdu)
    equal(foreign.pdu.octets, payload)
    equal(foreign.pdu.opcode, payload[0])
  }

  @Test("CtrData that is too short or too long is refused at its end", arguments: ForeignControlPDU.all)
  func wrongLength(_ foreign: ForeignControlPDU) throws {
    let payload = [UInt8].hex(foreign.payload)
    guard LL.ControlOpcode.dataLength(payload[0]) != nil else {
      #expect(throws: WireError(.truncated, at: 0)) { try LL.ControlPDU(decoding: []) }
      return
    }
    for prefix in Octets.properPrefixes(payload) {
      #expect(throws: WireError(.truncated, at: prefix.count)) { try LL.ControlPDU(decoding: prefix) }
    }
    #expect(throws: WireError(.trailingOctets, at: payload.count)) { try LL.ControlPDU(decoding: payload + [0]) }
  }

  @Test("Damaged octets are refused or encode back to themselves", arguments: ForeignControlPDU.all)
  func damaged(_ foreign: ForeignControlPDU) throws {
    for octets in Octets.damaged([UInt8].hex(foreign.payload)) {
      guard let pdu = try? LL.ControlPDU(decoding: octets) else { continue }
      var kept = octets
      // A bit of SyncInfo is reserved, and is not kept.
      switch pdu {
      case .periodicSyncInd, .periodicSyncWRInd: kept[4] &= 0x7F
      default: break
      }
      equal(pdu.octets, kept)
    }
  }

  @Test("Every opcode with every CtrData length up to 30 is refused or survives")
  func everyOpcode() throws {
    for opcode in UInt8.min...UInt8.max {
      for length in 0...30 {
        let payload = [opcode] + (0..<length).map { UInt8($0) &* 37 }
        let pdu = try? LL.ControlPDU(decoding: payload)
        let modelled = LL.ControlOpcode.dataLength(opcode)
        equal((pdu != nil), (modelled == nil || modelled == length))
        if let pdu { equal(pdu.octets, payload) }
      }
    }
  }

  @Test("A payload beyond 251 octets is refused, and an encoder never makes one")
  func tooLong() {
    #expect(throws: WireError(.tooLong, at: 251)) {
      try LL.ControlPDU(decoding: [UInt8](repeating: 0xFE, count: 252))
    }
    equal(LL.ControlPDU.other(opcode: 0xFE, data: [UInt8](repeating: 1, count: 999)).octets.count, 251)
  }
}

@Suite("Data channel PDU headers (Core Vol 6, Part B, 2.4)")
struct LLDataHeaderTests {
  @Test("Headers from shared captures 02 and 07 mean what their sniffers said")
  func foreignHeaders() throws {
    // 02 #251: control, NESN 1, SN 0, MD 1, 9 octets; 07 #45: empty, NESN 0, SN 0, MD 1.
    let control = try LL.DataHeader(decoding: [UInt8].hex("170909fd00000000000000"))
    equal(control, LL.DataHeader(llid: .control, nesn: true, sn: false, moreData: true, length: 9))
    let empty = try LL.DataHeader(decoding: [UInt8].hex("1100"))
    equal(empty, LL.DataHeader(llid: .continuation, nesn: false, sn: false, moreData: true, length: 0))
    let start = try LL.DataHeader(decoding: [UInt8].hex("1a0b07000600") + [UInt8](repeating: 0, count: 7))
    equal(start, LL.DataHeader(llid: .start, nesn: false, sn: true, moreData: true, length: 11))
  }

  @Test("All 65536 headers decode, and encode back but for the bits that are not modelled")
  func total() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max where LL.DataHeader(first, second).octets != [first & 0x1F, second] {
        Issue.record("header \(first) \(second)")
      }
    }
  }

  @Test("A length field that contradicts the octets is refused")
  func lengths() {
    #expect(throws: WireError(.truncated, at: 1)) { try LL.DataHeader(decoding: [0x02]) }
    #expect(throws: WireError(.truncated, at: 4)) { try LL.DataHeader(decoding: [0x02, 3, 0, 0]) }
    #expect(throws: WireError(.trailingOctets, at: 3)) { try LL.DataHeader(decoding: [0x02, 1, 0, 0]) }
  }
}
