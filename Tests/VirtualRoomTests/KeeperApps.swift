import CoreBluetooth
import Foundation

/// What apps of all launches write down.
final class Diary {
  var lines: [String] = []
  var identifier: UUID?
}

/// A central that wants to be restored: connects to the archive, subscribes to its first box, and comes back to it.
final class Keeper: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  private let diary: Diary
  private(set) var manager: CBCentralManager!
  private(set) var peer: CBPeripheral?
  private var isScanRestored = false

  init(_ diary: Diary, _ identifier: String?) {
    self.diary = diary
    super.init()
    diary.lines.append("launch")
    let options = identifier.map { [CBCentralManagerOptionRestoreIdentifierKey: $0] }
    manager = CBCentralManager(delegate: self, queue: .main, options: options)
  }

  var boxes: [CBCharacteristic] {
    (peer?.services?.first?.characteristics ?? []).filter { $0.uuid == Archive.box }
  }

  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    isScanRestored = dict[CBCentralManagerRestoredStateScanServicesKey] != nil
    peer = (dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral])?.first
    peer?.delegate = self
    guard let peer else { return diary.lines.append("restored scan") }
    guard peer.state == .connected else { return diary.lines.append("restored connecting") }
    let found = peer.services?.first?.characteristics ?? []
    diary.lines.append("restored connected, \(found.count) characteristics, \(found.filter(\.isNotifying).count) on")
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    guard central.state == .poweredOn else { return }
    diary.lines.append("on")
    let isNew = peer == nil && !isScanRestored && diary.identifier == nil
    if isNew { central.scanForPeripherals(withServices: [Archive.shelf]) }
  }

  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard peer == nil else { return }
    peer = peripheral
    diary.identifier = peripheral.identifier
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral)
  }

  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    diary.lines.append("connected")
    peripheral.discoverServices([Archive.shelf])
  }

  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    diary.lines.append("disconnected")
    central.connect(peripheral)
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
    for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
  }

  func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?) {
    if let box = boxes.first { peripheral.setNotifyValue(true, for: box) }
  }

  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    if characteristic.isNotifying { diary.lines.append("notifies") }
  }

  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?) {
    diary.lines.append("value \(characteristic.value?.first ?? 0)")
  }
}

/// A peripheral that wants to be restored, with one characteristic whose value it is asked for.
final class Shelf: NSObject, CBPeripheralManagerDelegate {
  private let diary: Diary
  private var manager: CBPeripheralManager!
  private var box: CBMutableCharacteristic?

  init(_ diary: Diary) {
    self.diary = diary
    super.init()
    diary.lines.append("launch")
    manager = CBPeripheralManager(
      delegate: self, queue: .main, options: [CBPeripheralManagerOptionRestoreIdentifierKey: "shelf"])
  }

  func update(_ number: UInt8) {
    if let box { _ = manager.updateValue(Data([number]), for: box, onSubscribedCentrals: nil) }
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
    let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
    box = services.first?.characteristics?.first as? CBMutableCharacteristic
    let isAdvertising = dict[CBPeripheralManagerRestoredStateAdvertisementDataKey] != nil
    diary.lines.append(
      "restored \(services.count) service, \(isAdvertising ? "advertising" : "silent"), "
        + "\(box?.subscribedCentrals?.count ?? 0) subscriber")
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    diary.lines.append("on")
    guard box == nil else { return }
    let box = CBMutableCharacteristic(
      type: Archive.box, properties: [.read, .notify], value: nil, permissions: .readable)
    let service = CBMutableService(type: Archive.shelf, primary: true)
    service.characteristics = [box]
    self.box = box
    peripheral.add(service)
    peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [Archive.shelf]])
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    diary.lines.append("asked")
    request.value = Data([5])
    peripheral.respond(to: request, withResult: .success)
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {
    diary.lines.append("subscribed")
  }
}
