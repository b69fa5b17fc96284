import BluetoothWire
import Expectations
import Testing

struct ForeignExtendedPDU: CustomTestStringConvertible, Sendable {
  var source: String
  var octets: String
  var kind: LL.ExtendedPDU.Kind
  var pdu: LL.ExtendedPDU
  var testDescription: String { source }

  static let all: [ForeignExtendedPDU] = [
    .init(
      source: "87 #1 ADV_EXT_IND", octets: "0707 46 18 9103 422120", kind: .advExtInd,
      pdu: make(.connectable) {
        $0.dataInfo = .init(did: 0x391, sid: 0)
        $0.pointer = .init(channelIndex: 2, isAccurate: true, hasLongUnits: false, offset: 33, phy: .le2M)
      }),
    .init(
      source: "87 #2 AUX_ADV_IND", octets: "4719 49 09 ad0d4819eb66 9103 0e094e5246353334305f415544494f",
      kind: .auxAdvInd,
      pdu: make(.connectable) {
        $0.advertiser = BluetoothAddress(kind: .random, bits: 0x66EB_1948_0DAD)
        $0.dataInfo = .init(did: 0x391, sid: 0)
        $0.data = [UInt8].hex("0e094e5246353334305f415544494f")
      }),
    .init(
      source: "87 AUX_CONNECT_RSP", octets: "c80e 0d 03 ad0d4819eb66 5cce08725875", kind: .auxConnectRsp,
      pdu: make(.neither) {
        $0.isConnectResponse = true
        $0.advertiser = BluetoothAddress(kind: .random, bits: 0x66EB_1948_0DAD)
        $0.target = BluetoothAddress(kind: .random, bits: 0x7558_7208_CE5C)
      }),
    // No capture that we have holds these: octets by hand from 2.3.4. AuxiliaryNameTests has tshark read their like.
    .init(
      source: "AUX_CHAIN_IND", octets: "0711 06 18 0110 0a2c01 00000000000000000000",
      kind: .auxChainInd,
      pdu: make(.neither) {
        $0.dataInfo = .init(did: 1, sid: 1)
        $0.pointer = .init(channelIndex: 10, isAccurate: false, hasLongUnits: false, offset: 300, phy: .le1M)
        $0.data = [UInt8](repeating: 0, count: 10)
      }),
    .init(
      source: "AUX_SCAN_RSP", octets: "070c 0a 11 a1f4f3f2f1f0 801040 01", kind: .auxScanRsp,
      pdu: make(.neither) {
        $0.advertiser = BluetoothAddress(kind: .publicDevice, bits: 0xF0F1_F2F3_F4A1)
        $0.pointer = .init(channelIndex: 0, isAccurate: false, hasLongUnits: true, offset: 16, phy: .leCoded)
        $0.data = [1]
      }),
    .init(
      source: "AUX_ADV_IND with SyncInfo",
      octets: "471c 1b 29 a1f4f3f2f1f0 0120 6400 5000 ffffffffbf 67452371 563412 0700", kind: .auxAdvInd,
      pdu: make(.neither) {
        $0.advertiser = BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4A1)
        $0.dataInfo = .init(did: 1, sid: 2)
        var info = LL.SyncInfo(
          interval: 80, channelMap: LL.ChannelMap.all.bits, sleepClockAccuracy: 5, accessAddress: 0x7123_4567,
          crcInit: 0x123456, eventCounter: 7)
        info.point(after: 3_000_000)
        $0.syncInfo = info
      }),
    .init(
      source: "AUX_SYNC_IND", octets: "0707 05 50 0a2c01 f9 11", kind: .auxSyncInd,
      pdu: make(.neither) {
        $0.pointer = .init(channelIndex: 10, isAccurate: false, hasLongUnits: false, offset: 300, phy: .le1M)
        $0.txPower = -7
        $0.data = [0x11]
      }),
    .init(
      source: "AUX_SYNC_SUBEVENT_IND", octets: "0707 04 48 0120 f9 0311", kind: .auxSyncSubeventInd,
      pdu: make(.neither) {
        $0.dataInfo = .init(did: 1, sid: 2)
        $0.txPower = -7
        $0.data = [0x03, 0x11]
      }),
    .init(
      source: "AUX_SYNC_SUBEVENT_RSP", octets: "470b 07 01 a1f4f3f2f1f0 0201ff", kind: .auxSyncSubeventRsp,
      pdu: make(.neither) {
        $0.advertiser = BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4A1)
        $0.data = [0x02, 0x01, 0xFF]
      }),
  ]

  private static func make(
    _ mode: LL.ExtendedPDU.Mode, _ fill: (inout LL.ExtendedPDU) -> Void
  ) -> LL.ExtendedPDU {
    var pdu = LL.ExtendedPDU(mode: mode)
    fill(&pdu)
    return pdu
  }
}

/// Captures are numbered as in `Tests/Captures/sources.tsv`.
@Suite("PDUs of extended advertising (Core Vol 6, Part B, 2.3.4)")
struct LLExtendedPDUTests {
  @Test("Foreign octets decode to their meaning and encode back to themselves", arguments: ForeignExtendedPDU.all)
  func foreignOctets(_ foreign: ForeignExtendedPDU) throws {
    let octets = [UInt8].hex(foreign.octets)
    try equal(LL.ExtendedPDU(decoding: octets), foreign.pdu)
    try equal(LL.ExtendedPDU(decoding: octets, as: foreign.kind), foreign.pdu)
    equal(foreign.pdu.octets, octets)
    equal(foreign.pdu.payloadLength, octets.count - 2)
  }

  @Test("AUX_CONNECT_REQ and AUX_SCAN_REQ have the forms of CONNECT_IND and SCAN_REQ")
  func requests() throws {
    // 87, on channel index 35.
    let octets = [UInt8].hex("c5225cce08725875ad0d4819eb661df41d96caf684050000200000006400ffffffff1fae")
    let request = try LL.ConnectInd(decoding: octets)
    expect(request.accessAddress == 0x961D_F41D && request.crcInit == 0x84F6CA)
    expect(request.interval == 32 && request.timeout == 100 && !request.channelSelectionAlgorithm2)
    equal(request.octets, octets)
  }

  @Test("Every proper prefix is refused, and so are further octets", arguments: ForeignExtendedPDU.all)
  func prefixes(_ foreign: ForeignExtendedPDU) {
    let octets = [UInt8].hex(foreign.octets)
    for prefix in Octets.properPrefixes(octets) {
      #expect(throws: WireError(.truncated, at: prefix.count)) { try LL.ExtendedPDU(decoding: prefix) }
    }
    #expect(throws: WireError(.trailingOctets, at: octets.count)) { try LL.ExtendedPDU(decoding: octets + [0]) }
  }

  @Test("Damaged octets are refused, or what they say survives", arguments: ForeignExtendedPDU.all)
  func damaged(_ foreign: ForeignExtendedPDU) throws {
    for octets in Octets.damaged([UInt8].hex(foreign.octets)) {
      guard let pdu = try? LL.ExtendedPDU(decoding: octets) else { continue }
      try equal(LL.ExtendedPDU(decoding: pdu.octets), pdu)
    }
  }

  @Test("What the clause reserves is refused where it is")
  func reserved() {
    for (octets, reason, place) in [
      ("0707c6189103422120", .valueOutOfRange, 2), ("07074618910325 2120", .valueOutOfRange, 6),
      ("0707461891034221 60", .valueOutOfRange, 8), ("0707471891 03422120", .lengthMismatch, 2),
      ("0707441891 03422120", .lengthMismatch, 3), ("0600", .unknownType, 0), ("0700", .truncated, 2),
    ] as [(String, WireError.Reason, Int)] {
      #expect(throws: WireError(reason, at: place), "\(octets)") { try LL.ExtendedPDU(decoding: [UInt8].hex(octets)) }
    }
  }

  @Test("A PDU is refused where it must be another one")
  func kinds() {
    for foreign in ForeignExtendedPDU.all {
      for kind in LL.ExtendedPDU.Kind.allCases where kind != foreign.kind {
        let isTaken = (try? LL.ExtendedPDU(decoding: [UInt8].hex(foreign.octets), as: kind)) != nil
        // AUX_ADV_IND that is neither connectable nor scannable may have any of the fields of the two others.
        let parts = [LL.ExtendedPDU.Kind.auxChainInd, .auxSyncInd]
        let subevents = [LL.ExtendedPDU.Kind.auxSyncSubeventInd, .auxSyncSubeventRsp]
        let mayBe =
          kind == .auxAdvInd && (parts + subevents + [.auxScanRsp]).contains(foreign.kind)
          || parts.contains(kind) && (parts + [.auxSyncSubeventInd]).contains(foreign.kind)
          || kind == .auxScanRsp && foreign.kind == .auxSyncSubeventRsp
        equal(isTaken, mayBe, "\(foreign.source) as \(kind)")
      }
    }
  }

  @Test("Offsets have units of 30 µs up to 245.73 ms, and of 300 µs beyond")
  func offsets() {
    func pointer(_ nanoseconds: Int64) -> LL.ExtendedPDU.Pointer? {
      LL.ExtendedPDU.Pointer(to: 1, after: nanoseconds, isAccurate: true, phy: .le1M)
    }
    for (span, offset, isLong) in [
      (0, 0, false), (450_000, 15, false), (479_999, 15, false), (245_759_999, 8_191, false),
      (245_760_000, 819, true), (2_457_599_999, 8_191, true),
    ] as [(Int64, UInt16, Bool)] {
      expect(pointer(span)?.offset == offset && pointer(span)?.hasLongUnits == isLong)
    }
    expect(pointer(2_457_600_000) == nil && pointer(-1) == nil)
  }

  @Test("SyncInfo tells what comes within 4.9 s, in units of 30 µs up to 245.7 ms")
  func syncOffsets() {
    var info = LL.SyncInfo(
      interval: 6, channelMap: 3, sleepClockAccuracy: 0, accessAddress: 1, crcInit: 2, eventCounter: 3)
    for (span, offset, isLong, isAdjusted) in [
      (3_000_000, 100, false, false), (3_029_999, 100, false, false), (245_699_999, 8_189, false, false),
      (245_700_000, 819, true, false), (2_457_599_999, 8_191, true, false), (2_458_000_000, 1, true, true),
      (4_915_199_999, 8_191, true, true), (4_915_200_000, 0, false, false), (29_999, 0, false, false),
    ] as [(Int64, UInt16, Bool, Bool)] {
      info.point(after: span)
      expect(info.offset == offset && info.hasLongUnits == isLong && info.isAdjusted == isAdjusted, "\(span)")
      expect(info.span.map { $0 <= span && span < $0 + info.unit } ?? (offset == 0))
    }
  }

  @Test("No encoder makes a PDU of more than 255 octets of payload")
  func cut() throws {
    var pdu = LL.ExtendedPDU()
    pdu.dataInfo = .init(did: 1, sid: 2)
    pdu.data = [UInt8](repeating: 7, count: 300)
    equal(pdu.room, 251)
    equal(pdu.octets.count, 257)
    pdu.controllerData = [UInt8](repeating: 1, count: 80)
    try equal(LL.ExtendedPDU(decoding: pdu.octets).controllerData.count, 60)
  }
}
