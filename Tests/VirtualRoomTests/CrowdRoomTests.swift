import Bench
import BluetoothWire
import CoreBluetooth
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio
import VirtualRoom

/// Connects to the first host that it finds, and writes down what it is told of that.
private final class Eager: NSObject, CBCentralManagerDelegate {
  private(set) var log: [String] = []
  private(set) var manager: CBCentralManager!
  private(set) var host: CBPeripheral?

  override init() {
    super.init()
    manager = CBCentralManager(delegate: self, queue: .main)
  }

  /// As apps do that want a fresh link.
  func connectAgain() {
    guard let host else { return }
    manager.cancelPeripheralConnection(host)
    manager.connect(host)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { central.scanForPeripherals(withServices: [CBUUID(string: "AA10")]) }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    host = peripheral
    central.stopScan()
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) { log.append("connect") }
  func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
    log.append("fail")
  }
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    log.append("disconnect \(error == nil)")
  }
}

/// Advertises after some seconds, and does nothing else.
private final class Beacon: NSObject, CBPeripheralManagerDelegate, @unchecked Sendable {
  private var manager: CBPeripheralManager!

  init(after seconds: Double) {
    super.init()
    DispatchQueue.main.asyncAfter(deadline: .now() + seconds) {
      self.manager = CBPeripheralManager(delegate: self, queue: .main)
    }
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "AA10")]])
  }
}

@Suite("Phones that connect to one host at the same time")
struct CrowdRoomTests {
  @Test(
    "Five that answer one advertisement are all connected in the end, and none is told of a failure",
    arguments: 1...8 as ClosedRange<UInt64>)
  func five(seed: UInt64) throws {
    let room = VirtualRoom(seed: seed, environment: .livingRoom)
    let attempts = ConnectCounter()
    room.readers = [attempts]
    // All guests wait, and hear its first advertisements.
    _ = room.phone("host") { Beacon(after: 2) }
    let guests = (1...5).map { number in
      room.phone("guest-\(number)", at: Position(x: number * 60, y: 0)) { Eager() }
    }
    try room.wait(within: .seconds(30)) { guests.allSatisfy { $0.app?.log == ["connect"] } }
    try room.run(for: .seconds(10))
    expect(guests.allSatisfy { $0.app?.log == ["connect"] })
    // Several have answered one advertisement, of which the host takes one.
    expect(attempts.count > 5)
  }

  @Test("A guest that cancels and connects at once has a new link that stays")
  func again() throws {
    let room = VirtualRoom(seed: 3)
    _ = room.phone("host") { Beacon(after: 0) }
    let guest = room.phone("guest", at: Position(x: 100, y: 0)) { Eager() }
    try room.wait(within: .seconds(20)) { guest.app?.log == ["connect"] }
    for count in 1...3 {
      try guest.act { $0.connectAgain() }
      let told = ["connect"] + (1...count).flatMap { _ in ["disconnect true", "connect"] }
      try room.wait(within: .seconds(10)) { guest.app?.log == told }
      try room.run(for: .seconds(10))
      expect(guest.app?.log == told && guest.app?.host?.state == .connected)
    }
  }
}
