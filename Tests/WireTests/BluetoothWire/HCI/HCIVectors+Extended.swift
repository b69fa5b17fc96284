import BluetoothWire

extension HCIVectors {
  static let advertisingSets: [ForeignPacket<HCI.Command>] = [
    .init(
      source: "Bumble", octets: "0135200702f5f4f3f2f1f0",
      value: .extended(.leSetAdvertisingSetRandomAddress(2, random(0xF0F1_F2F3_F4F5)))),
    .init(
      source: "Bumble, legacy PDUs", octets: "01362019011300200000300000070300000000000000007f0100010500",
      value: .extended(
        .leSetExtendedAdvertisingParameters(
          {
            var parameters = HCI.ExtendedAdvertisingParameters(
              set: 1, properties: [.connectable, .scannable, .legacy], intervalMinimum: 32, intervalMaximum: 48)
            parameters.ownAddressType = .resolvableOrRandom
            parameters.sid = 5
            return parameters
          }()))),
    .init(
      source: "Bumble, every field", octets: "01362019ef4500563412efcdab050201f5f4f3f2f1f003ec0307020f01",
      value: .extended(
        .leSetExtendedAdvertisingParameters(
          {
            var parameters = HCI.ExtendedAdvertisingParameters(
              set: 0xEF, properties: [.connectable, .directed, .includesTxPower], intervalMinimum: 0x12_3456,
              intervalMaximum: 0xAB_CDEF)
            parameters.channelMap = 5
            parameters.ownAddressType = .resolvableOrPublic
            parameters.peerAddress = random(0xF0F1_F2F3_F4F5)
            parameters.filterPolicy = 3
            parameters.txPower = -20
            parameters.primaryPHY = .leCoded
            parameters.secondaryMaximumSkip = 7
            parameters.secondaryPHY = .le2M
            parameters.sid = 15
            parameters.notifiesScanRequests = true
            return parameters
          }()))),
    .init(
      source: "Bumble", octets: "0137200701030103020106",
      value: .extended(.leSetExtendedAdvertisingData(.init(set: 1, data: [2, 1, 6])))),
    .init(
      source: "Bumble, 251 octets", octets: "013720ff010100fb" + String(repeating: "07", count: 251),
      value: .extended(
        .leSetExtendedAdvertisingData(
          .init(set: 1, operation: .first, fragmentPreference: 0, data: [UInt8](repeating: 7, count: 251))))),
    .init(
      source: "Bumble", octets: "0137200401040000",
      value: .extended(
        .leSetExtendedAdvertisingData(.init(set: 1, operation: .unchanged, fragmentPreference: 0, data: [])))),
    .init(
      source: "Bumble", octets: "01382009010300050409626162",
      value: .extended(
        .leSetExtendedScanResponseData(
          .init(set: 1, fragmentPreference: 0, data: [0x04, 0x09, 0x62, 0x61, 0x62])))),
    .init(
      source: "Bumble", octets: "0139200a01020000000005e8030a",
      value: .extended(
        .leSetExtendedAdvertisingEnable(true, [.init(set: 0), .init(set: 5, duration: 1_000, maximumEvents: 10)]))),
    .init(
      source: "Bumble", octets: "013920020000", value: .extended(.leSetExtendedAdvertisingEnable(false, []))),
    .init(source: "Bumble", octets: "013a2000", value: .extended(.leReadMaximumAdvertisingDataLength)),
    .init(source: "Bumble", octets: "013b2000", value: .extended(.leReadNumberOfSupportedAdvertisingSets)),
    .init(source: "Bumble", octets: "013c200103", value: .extended(.leRemoveAdvertisingSet(3))),
    .init(source: "Bumble", octets: "013d2000", value: .extended(.leClearAdvertisingSets)),
  ]

  static let extendedScanning: [ForeignPacket<HCI.Command>] = [
    .init(
      source: "Bumble, LE 1M and LE Coded", octets: "0141200d010005016000300000c0006000",
      value: .extended(
        .leSetExtendedScanParameters(
          .init(
            phys: [.le1M, .leCoded],
            entries: [
              .init(isActive: true, interval: 96, window: 48), .init(isActive: false, interval: 192, window: 96),
            ])))),
    .init(
      source: "Bumble", octets: "0142200601022c010400",
      value: .extended(
        .leSetExtendedScanEnable(.init(isEnabled: true, duplicateFilter: .perPeriod, duration: 300, period: 4)))),
    .init(
      source: "Bumble, three PHYs",
      octets: "0143203a0003025544332211c007" + "60003000180028000000f40101000400" + "6100310019002900"
        + "0100f50102000500" + "620032001a002a000200f60103000600",
      value: .extended(
        .leExtendedCreateConnection(
          {
            var creation = HCI.ExtendedCreateConnection(
              peer: fixed(0xC011_2233_4455), phys: [.le1M, .le2M, .leCoded], entries: (0..<3).map(initiating))
            creation.peerIsIdentity = true
            creation.ownAddressType = .resolvableOrRandom
            return creation
          }()))),
    .init(
      source: "Bumble, filter accept list",
      octets: "0143201a01010000000000000001" + "60003000180028000000f40100000000",
      value: .extended(
        .leExtendedCreateConnection(
          {
            var creation = HCI.ExtendedCreateConnection(
              peer: fixed(0), phys: .le1M, entries: [.init(scanInterval: 96, scanWindow: 48, parameters: slow)])
            creation.usesFilterAcceptList = true
            return creation
          }()))),
  ]

  private static func initiating(_ index: Int) -> HCI.ExtendedCreateConnection.OnePHY {
    let step = UInt16(index)
    var parameters = HCI.ConnectionParameters(
      intervalMinimum: 24 + step, intervalMaximum: 40 + step, peripheralLatency: step, supervisionTimeout: 500 + step)
    parameters.eventLengthMinimum = 1 + step
    parameters.eventLengthMaximum = 4 + step
    return HCI.ExtendedCreateConnection.OnePHY(scanInterval: 96 + step, scanWindow: 48 + step, parameters: parameters)
  }

  static let extendedEvents: [ForeignPacket<HCI.Event>] = [
    .init(
      source: "Bumble, resolved", octets: "043e1f0a0040000103f5f4f3f2f1f005040302014a0a090807065b18000100f40107",
      value: .extended(
        .leEnhancedConnectionComplete(
          .init(
            {
              var complete = HCI.ConnectionComplete(
                status: .success, handle: 0x40, role: .peripheral, peer: random(0xF0F1_F2F3_F4F5), interval: 24,
                peripheralLatency: 1, supervisionTimeout: 500, centralClockAccuracy: 7)
              complete.peerIsIdentity = true
              return complete
            }(), localResolvable: random(0x4A01_0203_0405), peerResolvable: random(0x5B06_0708_090A))))),
    .init(
      source: "03 #4, cancelled", octets: "043e1f0a02" + String(repeating: "00", count: 29),
      value: .extended(
        .leEnhancedConnectionComplete(
          .init(
            .init(
              status: .unknownConnectionIdentifier, handle: 0, role: .central, peer: fixed(0), interval: 0,
              peripheralLatency: 0, supervisionTimeout: 0, centralClockAccuracy: 0))))),
    .init(
      source: "Bumble, ADV_IND", octets: "043e1d0d01" + "130001f5f4f3f2f1f00100ff7fc400000000000000000003020106",
      value: .extended(.leExtendedAdvertisingReport(reports[0]))),
    .init(
      source: "Bumble, every field",
      octets: "043e1e0d01" + "2500025544332211c0030205f9a618000105040302014a0401010101",
      value: .extended(.leExtendedAdvertisingReport(reports[1]))),
    .init(
      source: "Bumble, anonymous", octets: "043e1a0d01" + "0000ff00000000000001020f7f7f00000000000000000000",
      value: .extended(.leExtendedAdvertisingReport(reports[2]))),
    .init(source: "RootCanal", octets: "043e0111", value: .extended(.leScanTimeout)),
    .init(
      source: "Bumble", octets: "043e06120001410009",
      value: .extended(
        .leAdvertisingSetTerminated(.init(status: .success, set: 1, connection: 0x41, completedEvents: 9)))),
    .init(
      source: "Bumble", octets: "043e06123c01000000",
      value: .extended(
        .leAdvertisingSetTerminated(.init(status: .init(0x3C), set: 1, connection: 0, completedEvents: 0)))),
    .init(
      source: "RootCanal", octets: "043e09130203f5f4f3f2f1f0",
      value: .extended(
        .leScanRequestReceived(2, scanner: .init(random(0xF0F1_F2F3_F4F5), isIdentity: true)))),
    .init(
      source: "Bumble, public identity", octets: "043e130100410001025544332211c018000000480005",
      value: .leConnectionComplete(
        {
          var complete = HCI.ConnectionComplete(
            status: .success, handle: 0x41, role: .peripheral, peer: fixed(0xC011_2233_4455), interval: 24,
            peripheralLatency: 0, supervisionTimeout: 72, centralClockAccuracy: 5)
          complete.peerIsIdentity = true
          return complete
        }())),
    .init(
      source: "Bumble, random identity", octets: "043e0f02010003f5f4f3f2f1f003020106ce",
      value: .leAdvertisingReport(
        {
          var report = HCI.AdvertisingReport(
            kind: .advInd, address: random(0xF0F1_F2F3_F4F5), data: [2, 1, 6], rssi: -50)
          report.isIdentity = true
          return report
        }())),
  ]

  /// What the extended reports above hold, and the event with three of them.
  static let reports: [HCI.ExtendedAdvertisingReport] = {
    let legacy = HCI.ExtendedAdvertisingReport(
      type: .advInd, address: .init(random(0xF0F1_F2F3_F4F5)), rssi: -60, data: [2, 1, 6])
    var directed = HCI.ExtendedAdvertisingReport(
      type: [.connectable, .directed, .incomplete], address: .init(fixed(0xC011_2233_4455), isIdentity: true),
      rssi: -90, data: [1, 1, 1, 1])
    directed.primaryPHY = .leCoded
    directed.secondaryPHY = .le2M
    directed.sid = 5
    directed.txPower = -7
    directed.periodicInterval = 24
    directed.target = .init(random(0x4A01_0203_0405))
    var anonymous = HCI.ExtendedAdvertisingReport(
      type: [], address: .init(kind: .anonymous, bits: 0), rssi: HCI.ExtendedAdvertisingReport.noPower, data: [])
    anonymous.secondaryPHY = .le2M
    anonymous.sid = 15
    return [legacy, directed, anonymous]
  }()

  /// Bumble: the three reports in one event.
  static let threeReports =
    "043e510d03" + "130001f5f4f3f2f1f00100ff7fc400000000000000000003020106"
    + "2500025544332211c0030205f9a618000105040302014a0401010101" + "0000ff00000000000001020f7f7f00000000000000000000"
}
