import BluetoothWire
import CaptureFormats
import SimKernel

@testable import CaptureCheck

/// What one end sends in a connection event: LLID and payload.
struct RulePDU {
  var llid: UInt8 = 1
  var payload: [UInt8] = []

  static let empty = RulePDU()
  static func control(_ octets: [UInt8]) -> Self { RulePDU(llid: 3, payload: octets) }
  static func start(_ octets: [UInt8]) -> Self { RulePDU(llid: 2, payload: octets) }
}

extension RuleScript {
  static let accessAddress: UInt32 = 0x5065_4A27
  static let initiator = BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4A0)
  static let advertiser = BluetoothAddress(kind: .random, bits: 0xF0F1_F2F3_F4A1)

  static let request = LL.ConnectInd(
    initiator: initiator, advertiser: advertiser, channelSelectionAlgorithm2: false, accessAddress: accessAddress,
    crcInit: 0x2ED45D, windowSize: 2, windowOffset: 1, interval: 24, latency: 0, timeout: 3_200,
    channelMap: 0x1F_FFFF_FFFF, hop: 7, sleepClockAccuracy: 5)

  mutating func onAir(_ accessAddress: UInt32, fromCentral: Bool? = nil, _ pdu: [UInt8]) {
    var header = AirHeader(accessAddress: accessAddress)
    header.isCRCValid = true
    header.isFromCentral = fromCentral
    header.rfChannel = accessAddress == LL.advertisingAccessAddress ? 0 : 12
    records.append(
      CaptureRecord(
        number: records.count + 1, link: .leLinkLayerWithHeader, nanoseconds: nanoseconds,
        originalLength: pdu.count + 17, body: .air(header), octets: pdu[...]))
  }

  mutating func advertise(_ pdu: LL.AdvertisingPDU) {
    wait(milliseconds: 10)
    onAir(LL.advertisingAccessAddress, pdu.octets)
  }

  /// A connection event with one PDU of each end. Nil: nothing is received of that end, and nothing more comes.
  mutating func exchange(_ central: RulePDU = .empty, _ peripheral: RulePDU? = .empty) {
    wait(milliseconds: 30)
    let sn: UInt8 = records.count { $0.octets.count > 0 && Self.isFromCentral($0) } % 2 == 0 ? 0 : 1
    // Both ends take turns, so that the sequence numbers of both are those of the event.
    onAir(
      Self.accessAddress, fromCentral: true,
      [central.llid | sn << 3 | sn << 2, UInt8(central.payload.count)] + central.payload)
    guard let peripheral else { return }
    nanoseconds += 150_000 + Int64(central.payload.count + 10) * 8_000
    onAir(
      Self.accessAddress, fromCentral: false,
      [peripheral.llid | sn << 3 | (1 - sn) << 2, UInt8(peripheral.payload.count)] + peripheral.payload)
    nanoseconds -= 150_000 + Int64(central.payload.count + 10) * 8_000
  }

  private static func isFromCentral(_ record: CaptureRecord) -> Bool {
    guard case .air(let header) = record.body else { return false }
    return header.isFromCentral == true
  }

  /// A connection from its CONNECT_IND on, on which everything that rules look at has happened once, properly.
  static func air() -> RuleScript {
    var script = RuleScript()
    script.advertise(.advInd(advertiser: advertiser, data: [2, 1, 6], chSel: false))
    script.advertise(.connectInd(request))
    script.exchange(.control([0x08, 1, 0, 0, 0, 0, 0, 0, 0]))
    script.exchange(.empty, .control([0x09, 1, 0, 0, 0, 0, 0, 0, 0]))
    script.exchange(centralVersion, peripheralVersion)
    script.exchange(.control([0x14] + word(251) + word(2_120) + word(100) + word(2_120)))
    script.exchange(.empty, .control([0x15] + word(251) + word(2_120) + word(60) + word(2_120)))
    script.exchange(.start(word(80) + word(5) + [0x30, 1] + word(76) + [UInt8](repeating: 0, count: 76)))
    script.exchange(.empty, .control([0x0F] + parameters + [UInt8](repeating: 0, count: 15)))
    script.exchange(.control([0x11, 0x0F, 0x3B]), .control([0x19, 3, 5]))
    script.exchange(.control([0x07, 0x19]))
    script.exchange(.control([0x00, 2] + word(0) + word(24) + word(0) + word(3_200) + word(200)))
    script.exchange(.control([0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F] + word(200)))
    return script
  }

  /// LL_VERSION_IND: version, company, subversion.
  static let centralVersion = RulePDU.control([0x0C, 0x0C] + word(0x0059) + word(1))
  static let peripheralVersion = RulePDU.control([0x0C, 0x0D] + word(0x0059) + word(1))

  mutating func startEncryption() {
    exchange(.control([0x03] + [UInt8](repeating: 0, count: 22)))
    exchange(.empty, .control([0x04] + [UInt8](repeating: 0, count: 12)))
    exchange(.empty, .control([0x05]))
    exchange()
  }
}
