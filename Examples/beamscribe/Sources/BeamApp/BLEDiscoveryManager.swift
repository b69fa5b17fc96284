import CoreBluetooth

/// Finds, and is found, over Bluetooth LE: advertisements only, nobody connects.
public final class BLEDiscoveryManager: NSObject {
  /// A host was heard, with the local name of its advertisement.
  var onHeard: ((String?) -> Void)?

  private var central: CBCentralManager?
  private var peripheral: CBPeripheralManager?
  private var advertisedName: String?
  private var wantsScan = false
  private let service = CBUUID(string: Beam.serviceUUID)

  init(isHost: Bool) {
    super.init()
    if isHost {
      peripheral = CBPeripheralManager(delegate: self, queue: .main)
    } else {
      central = CBCentralManager(delegate: self, queue: .main)
    }
  }

  /// Advertises a name; nil: nothing.
  func advertise(_ name: String?) {
    guard name != advertisedName else { return }
    let isOn = advertisedName != nil
    advertisedName = name
    guard let peripheral, peripheral.state == .poweredOn else { return }
    if isOn { peripheral.stopAdvertising() }
    startAdvertising()
  }

  /// Asks again for what the system may have ended.
  func advertiseAgain() {
    guard let peripheral, peripheral.state == .poweredOn, advertisedName != nil else { return }
    peripheral.stopAdvertising()
    startAdvertising()
  }

  private func startAdvertising() {
    guard let advertisedName else { return }
    peripheral?.startAdvertising([
      CBAdvertisementDataLocalNameKey: advertisedName, CBAdvertisementDataServiceUUIDsKey: [service],
    ])
  }

  func scan(_ isOn: Bool) {
    guard isOn != wantsScan else { return }
    wantsScan = isOn
    guard central?.state == .poweredOn else { return }
    if isOn { startScan() } else { central?.stopScan() }
  }

  func scanAgain() { if wantsScan, central?.state == .poweredOn { startScan() } }

  private func startScan() {
    central?.scanForPeripherals(withServices: [service], options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
  }
}

extension BLEDiscoveryManager: CBPeripheralManagerDelegate {
  public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    if peripheral.state == .poweredOn { startAdvertising() }
  }
}

extension BLEDiscoveryManager: CBCentralManagerDelegate {
  public func centralManagerDidUpdateState(_ central: CBCentralManager) {
    if central.state == .poweredOn, wantsScan { startScan() }
  }

  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any], rssi: NSNumber
  ) {
    if wantsScan { onHeard?(advertisementData[CBAdvertisementDataLocalNameKey] as? String) }
  }
}
