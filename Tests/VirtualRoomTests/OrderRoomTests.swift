import CoreBluetooth
import Expectations
import Foundation
import SimKernel
import Testing
import VirtualRadio
import VirtualRoom

@Suite("The order in which two phones see what one of them did")
struct OrderRoomTests {
  /// The subscription waits for the answer to the platform's own request for Service Changed; a command waits for none.
  @Test("A write without response overtakes the subscription that was asked for before it")
  func commandOvertakes() throws {
    let room = VirtualRoom(seed: 4)
    let board = room.phone("board") { Board() }
    _ = room.phone("writer", at: Position(x: 100, y: 0)) { HastyWriter() }
    try room.wait(within: .seconds(10)) { board.app?.log.count == 2 }
    equal(board.app?.log, ["written", "subscribed"])
  }
}

/// Notes what comes to its one characteristic.
private final class Board: NSObject, CBPeripheralManagerDelegate {
  static var service: CBUUID { CBUUID(string: "6E400011-B5A3-F393-E0A9-E50E24DCCA9E") }
  static var line: CBUUID { CBUUID(string: "6E400012-B5A3-F393-E0A9-E50E24DCCA9E") }
  private var manager: CBPeripheralManager!
  private(set) var log: [String] = []

  override init() {
    super.init()
    manager = CBPeripheralManager(delegate: self, queue: .main)
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    let service = CBMutableService(type: Self.service, primary: true)
    service.characteristics = [
      CBMutableCharacteristic(
        type: Self.line, properties: [.notify, .writeWithoutResponse], value: nil, permissions: .writeable)
    ]
    peripheral.add(service)
    peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [Self.service]])
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {
    log.append("subscribed")
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    log.append("written")
  }
}

/// Subscribes and writes at once, as soon as it has found the characteristic.
private final class HastyWriter: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  private var manager: CBCentralManager!
  private var peer: CBPeripheral?

  override init() {
    super.init()
    manager = CBCentralManager(delegate: self, queue: .main)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { central.scanForPeripherals(withServices: [Board.service]) }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    peer = peripheral
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([Board.service])
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] { peripheral.discoverCharacteristics([Board.line], for: service) }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    guard let line = service.characteristics?.first else { return }
    peripheral.setNotifyValue(true, for: line)
    peripheral.writeValue(Data([1]), for: line, type: .withoutResponse)
  }
}
