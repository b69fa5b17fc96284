import CoreBluetooth

/// A lamp, as its maker writes it for CoreBluetooth; nothing in it knows of a room.
final class Lamp: NSObject, CBPeripheralManagerDelegate {
  static var service: CBUUID { CBUUID(string: "FFF0") }
  static var level: CBUUID { CBUUID(string: "FFF1") }
  private(set) var brightness: UInt8 = 0
  private var manager: CBPeripheralManager!

  override init() {
    super.init()
    manager = CBPeripheralManager(delegate: self, queue: .main)
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    let service = CBMutableService(type: Self.service, primary: true)
    service.characteristics = [
      CBMutableCharacteristic(type: Self.level, properties: .write, value: nil, permissions: .writeable)
    ]
    peripheral.add(service)
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
    peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [Self.service]])
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    for request in requests { brightness = request.value?.first ?? brightness }
    peripheral.respond(to: requests[0], withResult: .success)
  }
}

/// The remote control of the lamp.
final class Remote: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  private(set) var isReady = false
  private(set) var confirmed = 0
  private var manager: CBCentralManager!
  private var lamp: CBPeripheral?
  private var level: CBCharacteristic?

  override init() {
    super.init()
    manager = CBCentralManager(delegate: self, queue: .main)
  }

  func set(_ brightness: UInt8) {
    guard let lamp, let level else { return }
    lamp.writeValue(Data([brightness]), for: level, type: .withResponse)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { central.scanForPeripherals(withServices: [Lamp.service]) }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard lamp == nil else { return }
    lamp = peripheral
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([Lamp.service])
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] { peripheral.discoverCharacteristics([Lamp.level], for: service) }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    level = service.characteristics?.first
    isReady = level != nil
  }

  func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?) {
    if error == nil { confirmed += 1 }
  }
}
