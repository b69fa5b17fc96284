import BluetoothWire
import Expectations
import SimKernel
import Testing
import VirtualRadio

/// The octets are RootCanal's own, version 1.10.0 of its Python package: two controllers of it in one room were sent
/// the packets on the left over its HCI ports, and said what is on the right.
@Suite("Our host stack over RootCanal's answers")
struct HostRootCanalTests {
  private static let supported =
    "040e4401021000f3ffef03ceff83ff3f3fff1ff20fe86e3ff783ff1c00040061f7ffff7f380000feb0f97ffeff7f0700a01f1c02"
    + "00000000000000000000000000000000000000"

  static let start: [String: [String]] = [
    "01030c00": ["040e0401030c00"],
    "01021000": [supported],
    "01010c081088000000000020": ["040e0401010c00"],
    "010120087f08080000000000": ["040e0401012000"],
    "01032000": ["040e0c01032000df39003000000000"],
    "010520060100000000c0": ["040e0401052000"],
    "010520060200000000c0": ["040e0401052000"],
    "01312003000202": ["040e0401312000"],
    "01022000": ["040e07010220001b0014"],
  ]

  static let host: [String: [String]] = [
    "0106200fa000a0000001000000000000000700": ["040e0401062000"],
    "010820200302010600000000000000000000000000000000000000000000000000000000": ["040e0401082000"],
    "010920200302094100000000000000000000000000000000000000000000000000000000": ["040e0401092000"],
    "010a200101": ["040e04010a2000", "043e130100fe0e01010200000000c028000000900100", "043e060c00fe0e0202"],
    "02fe0e10000c000500120108001800280000009001": ["04130501fe0e0100"],
  ]

  static let client: [String: [String]] = [
    "010b200701300030000100": ["040e04010b2000"],
    "010c20020101": [
      "040e04010c2000", "043e0f020100010100000000c003020106f1", "043e0f020104010100000000c003020941e7",
    ],
    "010c20020000": ["040e04010c2000"],
    "010d20193000300000010100000000c001180028000000900100000000": [
      "040f0400010d20", "043e130100fe0e00010100000000c028000000900100",
    ],
    "01162002fe0e": ["040f0400011620", "043e0c0400fe0edf39003000000000"],
    "01322007fe0e0002020000": ["040f0400013220", "043e060c00fe0e0202"],
    "0113200efe0e180018000000900100000000": ["043e0a0300fe0e180000009001", "040f0400011320"],
    "010d20193000300000010900000000c001180028000000900100000000": ["040f0400010d20"],
    "010e2000": ["040e04010e2000", "043e1301020000000000000000000000000000000000"],
    "01060403fe0e13": ["040f0400010604", "04050400fe0e16"],
  ]

  private static let handle: HCI.ConnectionHandle = 0x0EFE

  private func controller(_ table: [String: [String]], _ address: UInt64) -> ScriptedController {
    ScriptedController(Self.start.merging(table) { first, _ in first }, isWhole: true, address: address) {
      $0.requested2M = true
      $0.advertisingInterval = 160...160
    }
  }

  @Test("A client starts, scans, connects, takes parameters, gives up an attempt, and ends its link")
  func asClient() throws {
    let peer = BluetoothAddress(kind: .random, bits: 0xC000_0000_0001)
    let controller = controller(Self.client, 0xC000_0000_0002)
    try equal(controller.start(), [.poweredOn])
    controller.host.startScanning()
    try equal(
      controller.give(),
      [
        .scanReport(peer, data: [2, 1, 6], scanResponse: [], rssi: -15, isConnectable: true),
        .scanReport(peer, data: [2, 1, 6], scanResponse: [2, 9, 0x41], rssi: -25, isConnectable: true),
      ])
    controller.host.stopScanning()
    controller.host.connect(to: peer)
    let connection = HostConnection(
      role: .central, peer: peer, interval: 40, peripheralLatency: 0, supervisionTimeout: 400)
    try equal(
      controller.give(),
      [
        .connected(Self.handle, connection), .phy(Self.handle, tx: .le2M, rx: .le2M),
      ])
    // It does not know LE Set Data Length and says so in its mask, so that is not asked.
    expect(!controller.sent.contains { $0.hasPrefix("012220") })
    controller.host.connect(to: BluetoothAddress(kind: .random, bits: 0xC000_0000_0009))
    _ = try controller.give()
    controller.host.cancelConnect()
    try equal(
      controller.give(),
      [
        .connectFailed(
          BluetoothAddress(kind: .random, bits: 0xC000_0000_0009), reason: .unknownConnectionIdentifier)
      ])
    controller.host.disconnect(Self.handle)
    try equal(controller.give(), [.disconnected(Self.handle, reason: .connectionTerminatedByLocalHost)])
    equal(controller.unknown, [])
  }

  @Test("Its LE Connection Update Complete comes before the Command Status")
  func completeBeforeStatus() throws {
    var table = Self.client
    // Accepted: the response goes down as ACL data, and RootCanal completes it as it completed the request.
    table["02fe0e0a000600050013010200" + "0000"] = ["04130501fe0e0100"]
    let controller = controller(table, 0xC000_0000_0002)
    _ = try controller.start()
    controller.host.connect(to: BluetoothAddress(kind: .random, bits: 0xC000_0000_0001))
    _ = try controller.give()
    // The request as RootCanal handed it up: 24 … 40, 0, 400.
    let events = try controller.give("02fe2e10000c000500120108001800180000009001")
    equal(
      events,
      [
        .connectionParameters(Self.handle, interval: 24, peripheralLatency: 0, supervisionTimeout: 400)
      ])
    equal(controller.unknown, [])
    controller.host.disconnect(Self.handle)
    try equal(controller.give(), [.disconnected(Self.handle, reason: .connectionTerminatedByLocalHost)])
  }

  @Test("A host starts, advertises, is connected to, serves, and loses its link")
  func asHost() throws {
    let controller = controller(Self.host, 0xC000_0000_0001)
    try equal(controller.start(), [.poweredOn])
    controller.host.startAdvertising(data: [2, 1, 6], scanResponse: [2, 9, 0x41])
    let connection = HostConnection(
      role: .peripheral, peer: BluetoothAddress(kind: .random, bits: 0xC000_0000_0002), interval: 40,
      peripheralLatency: 0, supervisionTimeout: 400)
    try equal(
      controller.give(),
      [
        .advertisingStarted(.success), .advertisingStopped, .connected(Self.handle, connection),
        .phy(Self.handle, tx: .le2M, rx: .le2M),
      ])
    controller.answers["02fe0e0700030004000305 02".filter { $0 != " " }] = ["04130501fe0e0100"]
    // ATT Exchange MTU Request with 517, as it came; the response says the same.
    try equal(controller.give("02fe2e070003000400020502"), [.attMTU(Self.handle, 517)])
    try equal(
      controller.give("04050400fe0e13"), [.disconnected(Self.handle, reason: .remoteUserTerminatedConnection)])
    equal(controller.unknown, [])
  }
}
