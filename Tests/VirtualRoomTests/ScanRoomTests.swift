import Bench
import BluetoothWire
import CoreBluetooth
import Expectations
import Foundation
import Platform
import SimKernel
import Testing
import VirtualRadio
import VirtualRoom

@Suite("Scans in a room with sensors")
struct ScanRoomTests {
  private func room(duplicates: Bool) -> (room: VirtualRoom, scanner: RoomPhone<Scanner>) {
    let room = VirtualRoom(seed: 5)
    room.advertiser(
      "sensor", at: Position(x: 100, y: 0), data: [2, 0x01, 0x06, 2, 0x0A, 0xFC, 5, 0xFF, 0x59, 0, 21, 5],
      scanResponse: [5, 0x16, 0x0F, 0x18, 80, 1])
    let scanner = room.phone("phone") { Scanner(duplicates: duplicates) }
    return (room, scanner)
  }

  @Test("A sensor's manufacturer data, service data and transmit power reach the app")
  func data() throws {
    let (room, scanner) = room(duplicates: false)
    try room.run(for: .seconds(3))
    let seen = try required(scanner.app?.seen)
    equal(seen.first?.data[CBAdvertisementDataManufacturerDataKey] as? Data, Data([0x59, 0, 21, 5]))
    equal(seen.first?.data[CBAdvertisementDataTxPowerLevelKey] as? NSNumber, -4)
    let services = seen.last?.data[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]
    equal(services, [CBUUID(string: "180F"): Data([80, 1])])
    expect((1...2).contains(seen.count))
    expect(scanner.remarks.allSatisfy { $0.kind == "notVirtual" })
  }

  @Test(
    "An advertiser that takes no connections says so, on the air and to the app; a connection to it stays pending",
    arguments: [true, false])
  func connectable(isConnectable: Bool) throws {
    let room = VirtualRoom(seed: 5)
    let air = AirTypes()
    room.readers = [air]
    room.advertiser("beacon", data: [2, 0x01, 0x06], connectable: isConnectable)
    let scanner = room.phone("phone", at: Position(x: 100, y: 0)) { Scanner(duplicates: false) }
    try room.run(for: .seconds(2))
    typealias Kind = LL.AdvertisingType
    equal(air.types, (isConnectable ? [Kind.advInd, Kind.scanReq, Kind.scanRsp] : [Kind.advNonconnInd]))
    let seen = try required(scanner.app?.seen.first)
    equal(seen.data[CBAdvertisementDataIsConnectable] as? Bool, isConnectable)
    try scanner.act { app in app.connect() }
    try room.run(for: .seconds(60))
    equal(scanner.app?.peer?.state, (isConnectable ? .connected : .connecting))
    expect(scanner.app?.failures == 0 && air.connects == isConnectable)
    // It can be given up.
    try scanner.act { app in app.disconnect() }
    try room.run(for: .seconds(2))
    equal(scanner.app?.peer?.state, .disconnected)
  }

  @Test("One with a scan response that takes no connections is scanned, and its response leaves that as it is")
  func scannable() throws {
    let room = VirtualRoom(seed: 5)
    let air = AirTypes()
    room.readers = [air]
    room.advertiser("beacon", data: [2, 0x01, 0x06], scanResponse: [2, 0x0A, 0xFC], connectable: false)
    let scanner = room.phone("phone", at: Position(x: 100, y: 0)) { Scanner(duplicates: true) }
    try room.run(for: .seconds(2))
    equal(air.types, [LL.AdvertisingType.scanReq, LL.AdvertisingType.scanRsp, LL.AdvertisingType.advScanInd])
    let seen = try required(scanner.app?.seen)
    expect(seen.contains { $0.data[CBAdvertisementDataTxPowerLevelKey] as? NSNumber == -4 })
    expect(seen.allSatisfy { $0.data[CBAdvertisementDataIsConnectable] as? Bool == false })
  }

  @Test("With duplicates every packet is an event, whose signal follows the phone; in background none is")
  func duplicates() throws {
    let (room, scanner) = room(duplicates: true)
    try room.run(for: .seconds(3))
    let near = try required(scanner.app?.seen)
    expect(near.count > 20)
    try scanner.apply(.move(Position(x: 800, y: 0)))
    try room.run(for: .seconds(3))
    let far = try required(scanner.app?.seen.dropFirst(near.count))
    expect(far.count > 20)
    expect((far.map(\.signal).max() ?? 0) < (near.map(\.signal).min() ?? 0))
    try scanner.apply(.background)
    let before = scanner.app?.seen.count
    try room.run(for: .seconds(3))
    equal(scanner.app?.seen.count, before)
  }

  @Test("A peripheral's wish for latency changes the interval of the link, and values arrive sooner or later")
  func latency() throws {
    func delay(_ latency: CBPeripheralManagerConnectionLatency) throws -> SimDuration {
      let room = VirtualRoom(seed: 1)
      let archive = room.phone("archive") { Archive() }
      let visitor = room.phone("visitor", at: Position(x: 200, y: 0)) { Visitor() }
      try room.wait(within: .seconds(20)) { visitor.app?.log.contains("description second") == true }
      try visitor.act { $0.peer?.setNotifyValue(true, for: $0.boxes[0]) }
      try room.wait(within: .seconds(5)) { archive.app?.central != nil }
      try archive.act { $0.manager.setDesiredConnectionLatency(latency, for: $0.central!) }
      try room.run(for: .seconds(3))
      let start = room.now
      for count in 1...10 {
        try archive.act { app in _ = app.manager.updateValue(Data([1]), for: app.first, onSubscribedCentrals: nil) }
        try room.wait(within: .seconds(5)) { visitor.app?.values.count == count }
      }
      expect(archive.remarks.allSatisfy { $0.kind == "notVirtual" })
      return room.now - start
    }
    let (low, high) = (try delay(.low), try delay(.high))
    expect(low < .milliseconds(300) && high > .milliseconds(1_500))
  }
}

/// Which PDUs there were on the advertising channels.
private final class AirTypes: TraceReader {
  var wantsAir: Bool { true }
  /// Without CONNECT_IND, in the order of their numbers.
  private(set) var types: [UInt8] = []
  private(set) var connects = false

  func read(_ record: TraceRecord) {
    guard case .radio(.air(let pdu)) = record.event, pdu.accessAddress == LL.advertisingAccessAddress else { return }
    let type = pdu.pdu[0] & 0x0F
    if type == LL.AdvertisingType.connectInd {
      connects = true
    } else if !types.contains(type) {
      types = (types + [type]).sorted()
    }
  }
}

/// A central that writes down what it finds.
private final class Scanner: NSObject, CBCentralManagerDelegate {
  private var manager: CBCentralManager!
  private let duplicates: Bool
  private(set) var seen: [(data: [String: Any], signal: Int)] = []
  private(set) var peer: CBPeripheral?
  private(set) var failures = 0

  init(duplicates: Bool) {
    self.duplicates = duplicates
    super.init()
    manager = CBCentralManager(delegate: self, queue: .main)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn {
      central.scanForPeripherals(
        withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: duplicates])
    }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    seen.append((advertisementData, RSSI.intValue))
    peer = peripheral
  }

  func connect() { peer.map { manager.connect($0) } }
  func disconnect() { peer.map { manager.cancelPeripheralConnection($0) } }

  func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
    failures += 1
  }
}
