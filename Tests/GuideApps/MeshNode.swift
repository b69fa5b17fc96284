import CoreBluetooth

/// An app of both roles that connects to everybody, as mesh apps do: one characteristic, written and notified.
public final class MeshNode: NSObject {
  private let service = CBUUID(string: "F47B5E2D-4A9E-4C5A-9B3F-8E1D2C3A4B5C")
  private let line = CBUUID(string: "A1B2C3D4-E5F6-4A5B-8C9D-0E1F2A3B4C5D")
  private var central: CBCentralManager!
  private var peripheral: CBPeripheralManager!
  private var characteristic: CBMutableCharacteristic!
  public private(set) var peers: [CBPeripheral] = []
  public private(set) var lines: [CBPeripheral: CBCharacteristic] = [:]
  public private(set) var subscribers: [CBCentral] = []
  /// What came, with the way that it came by.
  public private(set) var heard: [String] = []

  public init(queue: DispatchQueue) {
    super.init()
    central = CBCentralManager(delegate: self, queue: queue)
    peripheral = CBPeripheralManager(delegate: self, queue: queue, options: nil)
  }

  /// To everybody, by a write and by a notification.
  public func send(_ text: String) {
    for peer in peers {
      if let line = lines[peer] { peer.writeValue(Data(text.utf8), for: line, type: .withoutResponse) }
    }
    _ = peripheral.updateValue(Data(text.utf8), for: characteristic, onSubscribedCentrals: nil)
  }
}

extension MeshNode: CBCentralManagerDelegate, CBPeripheralDelegate {
  public func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn { central.scanForPeripherals(withServices: [service]) }
  }

  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    if !peers.contains(peripheral) { peers.append(peripheral) }
    peripheral.delegate = self
    if peripheral.state == .disconnected { central.connect(peripheral) }
  }

  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([service])
  }

  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    lines[peripheral] = nil
    central.connect(peripheral)
  }

  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] { peripheral.discoverCharacteristics([line], for: service) }
  }

  public func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    guard let found = service.characteristics?.first else { return }
    lines[peripheral] = found
    peripheral.setNotifyValue(true, for: found)
  }

  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    heard.append("update " + String(decoding: characteristic.value ?? Data(), as: UTF8.self))
  }
}

extension MeshNode: CBPeripheralManagerDelegate {
  public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    peripheral.removeAllServices()
    characteristic = CBMutableCharacteristic(
      type: line, properties: [.notify, .writeWithoutResponse], value: nil, permissions: .writeable)
    let service = CBMutableService(type: service, primary: true)
    service.characteristics = [characteristic]
    peripheral.add(service)
  }

  public func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
    peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [self.service]])
  }

  public func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {
    subscribers.append(central)
  }

  public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    heard += requests.map { "write " + String(decoding: $0.value ?? Data(), as: UTF8.self) }
    peripheral.respond(to: requests[0], withResult: .success)
  }
}
