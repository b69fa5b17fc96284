import CoreBluetooth

/// A central that wants to be restored: connects to a shelf, subscribes to what it finds there, and comes back to it.
public final class ShelfKeeper: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  static var service: CBUUID { CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E") }
  static var box: CBUUID { CBUUID(string: "6E400002-B5A3-F393-E0A9-E50E24DCCA9E") }

  private var manager: CBCentralManager!
  private var peer: CBPeripheral?
  /// It was given a scan that goes on.
  private var isScanning = false

  public override init() {
    super.init()
    manager = CBCentralManager(
      delegate: self, queue: .main, options: [CBCentralManagerOptionRestoreIdentifierKey: "keeper"])
  }

  public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    peer = (dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral])?.first
    peer?.delegate = self
    isScanning = dict[CBCentralManagerRestoredStateScanServicesKey] != nil
  }

  public func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn, peer == nil, !isScanning else { return }
    central.scanForPeripherals(withServices: [Self.service])
  }

  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard peer == nil else { return }
    peer = peripheral
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral)
  }

  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([Self.service])
  }

  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    central.connect(peripheral)
  }

  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
  }

  public func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    for box in service.characteristics ?? [] where box.uuid == Self.box { peripheral.setNotifyValue(true, for: box) }
  }

  /// Asks for a value again with the object that it was given.
  public func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    guard let value = characteristic.value, value.count == 1, value[0] % 2 == 0 else { return }
    peripheral.readValue(for: characteristic)
  }
}
