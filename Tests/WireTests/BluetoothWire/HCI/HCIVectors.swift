import BluetoothWire
import Expectations
import Testing

/// One H4 packet that another stack made.
struct ForeignPacket<Value: Sendable>: CustomTestStringConvertible, Sendable {
  /// Shared capture (number and packet), Bumble 0.0.236, RootCanal 1.13.0 (its packet module).
  var source: String
  var octets: String
  var value: Value
  var testDescription: String { source }
}

enum HCIVectors {
  static func random(_ bits: UInt64) -> BluetoothAddress { BluetoothAddress(kind: .random, bits: bits) }
  static func fixed(_ bits: UInt64) -> BluetoothAddress { BluetoothAddress(kind: .publicDevice, bits: bits) }
  private static let fast = HCI.ConnectionParameters(
    intervalMinimum: 6, intervalMaximum: 12, peripheralLatency: 1, supervisionTimeout: 500)

  static let commands: [ForeignPacket<HCI.Command>] =
    fromCaptures + fromBumble + general + privacy + addressTypes + advertisingSets + extendedScanning + periodic
    + power + subevents + streams

  private static let fromCaptures: [ForeignPacket<HCI.Command>] = [
    .init(
      source: "03 #1034", octets: "01060403020013",
      value: .disconnect(0x0002, reason: .remoteUserTerminatedConnection)),
    .init(source: "03 #757", octets: "011d04020200", value: .readRemoteVersionInformation(0x0002)),
    .init(source: "04 #45", octets: "01010c08ffffffffffffbf3d", value: .setEventMask(0x3DBF_FFFF_FFFF_FFFF)),
    .init(source: "04 #1", octets: "01030c00", value: .reset),
    .init(source: "04 #7", octets: "01011000", value: .readLocalVersionInformation),
    .init(source: "04 #11", octets: "01021000", value: .readLocalSupportedCommands),
    .init(source: "35 #5", octets: "01031000", value: .readLocalSupportedFeatures),
    .init(source: "04 #9", octets: "01091000", value: .readBDADDR),
    .init(source: "04 #43", octets: "010120087f1e020000000000", value: .leSetEventMask(0x21E7F)),
    .init(source: "04 #27", octets: "01022000", value: .leReadBufferSize),
    .init(source: "04 #31", octets: "01032000", value: .leReadLocalSupportedFeatures),
    .init(source: "04 #75", octets: "010520068998938cbc55", value: .leSetRandomAddress(random(0x55BC_8C93_9889))),
    .init(
      source: "14 #49", octets: "0106200f300030000000000000000000000700",
      value: .leSetAdvertisingParameters(
        {
          var parameters = HCI.AdvertisingParameters(intervalMinimum: 48, intervalMaximum: 48)
          parameters.ownAddressType = .publicDevice
          return parameters
        }())),
    .init(
      source: "35 #81", octets: "0108202003020a0c" + String(repeating: "00", count: 28),
      value: .leSetAdvertisingData([2, 0x0A, 0x0C])),
    .init(
      source: "35 #83", octets: "010920200d0c0857696d50695a65726f32" + String(repeating: "00", count: 19),
      value: .leSetScanResponseData([UInt8].hex("0c0857696d50695a65726f3200"))),
    .init(source: "23 #2", octets: "010a200100", value: .leSetAdvertisingEnable(false)),
    .init(
      source: "03 #13", octets: "010b200701900424010100",
      value: .leSetScanParameters(
        {
          HCI.ScanParameters(isActive: true, interval: 0x0490, window: 0x0124)
        }())),
    .init(source: "03 #11", octets: "010c20020000", value: .leSetScanEnable(false, filterDuplicates: false)),
    .init(
      source: "15 #314", octets: "010d2019600030000000504d63781df801180028000000f40100000000",
      value: .leCreateConnection(
        HCI.CreateConnection(
          scanInterval: 96, scanWindow: 48, peer: fixed(0xF81D_7863_4D50),
          parameters: .init(intervalMinimum: 24, intervalMaximum: 40, supervisionTimeout: 500)))),
    .init(source: "03 #1", octets: "010e2000", value: .leCreateConnectionCancel),
    .init(source: "04 #25", octets: "010f2000", value: .leReadFilterAcceptListSize),
    .init(source: "15 #1353", octets: "01102000", value: .leClearFilterAcceptList),
    .init(
      source: "03 #745", octets: "0111200700fc126538c1a4",
      value: .leAddDeviceToFilterAcceptList(fixed(0xA4C1_3865_12FC))),
    .init(
      source: "03 #743", octets: "01122007001147056917d0",
      value: .leRemoveDeviceFromFilterAcceptList(fixed(0xD017_6905_4711))),
    .init(
      source: "03 #760", octets: "0113200e0200060006000000f40100000000",
      value: .leConnectionUpdate(2, .init(intervalMinimum: 6, intervalMaximum: 6, supervisionTimeout: 500))),
    .init(source: "03 #754", octets: "011620020200", value: .leReadRemoteFeatures(2)),
    .init(source: "34 #475", octets: "012220060200fb004808", value: .leSetDataLength(2, txOctets: 251, txTime: 2120)),
    .init(source: "04 #37", octets: "01232000", value: .leReadSuggestedDefaultDataLength),
    .init(source: "04 #35", octets: "012f2000", value: .leReadMaximumDataLength),
    .init(
      source: "04 #51", octets: "012e20028403",
      value: .privacy(.leSetResolvablePrivateAddressTimeout(900))),
  ]

  private static let fromBumble: [ForeignPacket<HCI.Command>] = [
    .init(source: "Bumble", octets: "01312003010002", value: .leSetDefaultPHY(tx: nil, rx: .le2M)),
    .init(source: "Bumble", octets: "013220074000000201" + "0000", value: .leSetPHY(0x40, tx: .le2M, rx: .le1M)),
    .init(source: "Bumble", octets: "013020024000", value: .leReadPHY(0x40)),
    .init(
      source: "Bumble", octets: "0120200e400006000c000100f40100000000",
      value: .leRemoteConnectionParameterRequestReply(0x40, fast)),
    .init(
      source: "Bumble", octets: "0121200340003b",
      value: .leRemoteConnectionParameterRequestNegativeReply(0x40, reason: .unacceptableConnectionParameters)),
    .init(
      source: "Bumble", octets: "01242004fb004808",
      value: .leWriteSuggestedDefaultDataLength(txOctets: 251, txTime: 2120)),
    .init(
      source: "Bumble", octets: "0106200f20004000010101f5f4f3f2f1f00700",
      value: .leSetAdvertisingParameters(
        {
          var parameters = HCI.AdvertisingParameters(intervalMinimum: 0x20, intervalMaximum: 0x40)
          parameters.kind = .connectableDirectedHighDuty
          parameters.peerAddress = random(0xF0F1_F2F3_F4F5)
          return parameters
        }())),
    .init(source: "Bumble", octets: "010514024000", value: .readRSSI(0x40)),
    .init(
      source: "by hand, read by tshark in ConformanceTests", octets: "011520024000", value: .leReadChannelMap(0x40)),
    .init(
      source: "by hand, read by tshark in ConformanceTests", octets: "0114200500f0ffff1f",
      value: .leSetHostChannelClassification(0x1F_FFFF_F000)),
  ]

  static let events: [ForeignPacket<HCI.Event>] =
    legacyEvents + extendedEvents + periodicEvents + linkEvents + subeventEvents + streamEvents

  private static let legacyEvents: [ForeignPacket<HCI.Event>] = [
    .init(
      source: "03 #1039", octets: "04050400020016",
      value: .disconnectionComplete(2, status: .success, reason: .connectionTerminatedByLocalHost)),
    .init(
      source: "03 #759", octets: "040c080002000911021c1c",
      value: .readRemoteVersionInformationComplete(
        2, status: .success, version: 9, company: 0x0211, subversion: 0x1C1C)),
    .init(
      source: "03 #2, one credit", octets: "040e04010e2000",
      value: .commandComplete(.leCreateConnectionCancel, status: .success, returnParameters: [])),
    .init(
      source: "04 #5 form, credits only", octets: "040e03010000",
      value: .commandComplete(.init(rawValue: 0), status: .success, returnParameters: [])),
    .init(
      source: "03 #755, one credit", octets: "040f0400011620",
      value: .commandStatus(.leReadRemoteFeatures, status: .success)),
    .init(
      source: "03 #763", octets: "0413050102000100", value: .numberOfCompletedPackets([.init(handle: 2, count: 1)])),
    .init(
      source: "36 #20", octets: "043e130100400000000f5c21cc5ee327000000d00700",
      value: .leConnectionComplete(
        .init(
          status: .success, handle: 0x40, role: .central, peer: fixed(0xE35E_CC21_5C0F), interval: 39,
          peripheralLatency: 0, supervisionTimeout: 2000, centralClockAccuracy: 0))),
    .init(
      source: "03 #20", octets: "043e200201040014eafc38c1a414130969686f6d656e745f48363131305f45413134ce",
      value: .leAdvertisingReport(
        .init(
          kind: .scanRsp, address: fixed(0xA4C1_38FC_EA14),
          data: [UInt8].hex("130969686f6d656e745f48363131305f45413134"), rssi: -50))),
    .init(
      source: "03 #982", octets: "043e0a03000200180000005a00",
      value: .leConnectionUpdateComplete(
        2, status: .success, interval: 24, peripheralLatency: 0, supervisionTimeout: 90)),
    .init(
      source: "03 #756", octets: "043e0c040002003d00000000000000",
      value: .leReadRemoteFeaturesComplete(2, status: .success, features: 0x3D)),
    .init(
      source: "15 #341", octets: "043e0b0740001b004801fb004808",
      value: .leDataLengthChange(0x40, maxTxOctets: 27, maxTxTime: 328, maxRxOctets: 251, maxRxTime: 2120)),
    .init(source: "34 #457", octets: "043e0414020000", value: .leChannelSelectionAlgorithm(2, algorithm: 0)),
    .init(
      source: "Bumble", octets: "043e0c230040000800010003005802",
      value: .leSubrateChange(
        0x40, status: .success, factor: 8, peripheralLatency: 1, continuationNumber: 3, supervisionTimeout: 600)),
    .init(
      source: "RootCanal, LE Directed Advertising Report", octets: "043e120b010101f5f4f3f2f1f0015544332211c0c0",
      value: .other(code: 0x3E, parameters: [UInt8].hex("0b010101f5f4f3f2f1f0015544332211c0c0"))),
    .init(
      source: "13 #189, BR/EDR mode change", octets: "041406000200000000",
      value: .other(code: 0x14, parameters: [0, 2, 0, 0, 0, 0])),
    .init(
      source: "Bumble", octets: "043e0b06400006000c000100f401",
      value: .leRemoteConnectionParameterRequest(0x40, fast)),
    .init(
      source: "Bumble", octets: "043e060c0040000201",
      value: .lePHYUpdateComplete(0x40, status: .success, tx: .le2M, rx: .le1M)),
    .init(
      source: "Bumble", octets: "043e060c0040000303",
      value: .lePHYUpdateComplete(0x40, status: .success, tx: .leCoded, rx: .leCoded)),
    .init(source: "by hand, read by tshark in ConformanceTests", octets: "04100142", value: .hardwareError(0x42)),
    .init(
      source: "Bumble", octets: "0413090240000100" + "41000300",
      value: .numberOfCompletedPackets([.init(handle: 0x40, count: 1), .init(handle: 0x41, count: 3)])),
    .init(
      source: "Bumble", octets: "043e13010041000101f5f4f3f2f1f0180000004800" + "05",
      value: .leConnectionComplete(
        .init(
          status: .success, handle: 0x41, role: .peripheral, peer: random(0xF0F1_F2F3_F4F5), interval: 24,
          peripheralLatency: 0, supervisionTimeout: 72, centralClockAccuracy: 5))),
  ]

  static let data: [ForeignPacket<HCI.ACLData>] = [
    .init(
      source: "03 #761", octets: "0202000b0007000400100100ffff0028",
      value: .init(handle: 2, boundary: .firstNonFlushable, octets: [UInt8].hex("07000400100100ffff0028"))),
    .init(
      source: "10 #87 form, continuing", octets: "0205100300" + "0a002d",
      value: .init(handle: 5, boundary: .continuing, octets: [0x0A, 0x00, 0x2D])),
    .init(
      source: "Bumble", octets: "024020070003000400021700",
      value: .init(handle: 0x40, boundary: .firstFlushable, octets: [UInt8].hex("03000400021700"))),
  ]
}
