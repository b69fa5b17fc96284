import CoreBluetooth
import Foundation

/// An app in the central role that writes down what it is told.
final class CentralApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
  var manager: CBCentralManager!
  let queue = DispatchQueue(label: "central")
  var log: [String] = []
  var found: [CBPeripheral] = []
  var advertisements: [[String: Any]] = []
  var signals: [Int] = []
  var lastError: (any Error)?
  var values: [Data] = []
  var channel: CBL2CAPChannel?
  var invalidated: [CBService] = []
  var restored: [String: Any] = [:]
  /// Called on the queue, after the line was written.
  var onState: ((CBCentralManager) -> Void)?
  var onRestore: (() -> Void)?
  var onDiscover: ((CBPeripheral) -> Void)?
  var onDisconnect: ((CBPeripheral) -> Void)?

  func start(options: [String: Any]? = nil) {
    manager = CBCentralManager(delegate: self, queue: queue, options: options)
  }

  var peripheral: CBPeripheral! { found.first }
  var services: [CBService] { peripheral.services ?? [] }
  func characteristic(_ uuid: String) -> CBCharacteristic! {
    services.flatMap { $0.characteristics ?? [] }.first { $0.uuid == CBUUID(string: uuid) }
  }

  private func note(_ text: String, _ error: (any Error)? = nil) {
    dispatchPrecondition(condition: .onQueue(queue))
    lastError = error
    log.append(text)
  }

  func centralManagerDidUpdateState(_ central: CBCentralManager) {
    note("state \(central.state)")
    onState?(central)
  }
  func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
    restored = dict
    found = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
    note("restore")
    onRestore?()
  }
  func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    note("discover \(peripheral.name ?? "-")")
    if !found.contains(peripheral) { found.append(peripheral) }
    peripheral.delegate = self
    advertisements.append(advertisementData)
    signals.append(RSSI.intValue)
    onDiscover?(peripheral)
  }
  func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    note("connect \(peripheral.state)")
  }
  func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
    note("fail", error)
  }
  func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: (any Error)?
  ) {
    note("disconnect \(peripheral.state)", error)
    onDisconnect?(peripheral)
  }
  func centralManager(
    _ central: CBCentralManager, connectionEventDidOccur event: CBConnectionEvent, for peripheral: CBPeripheral
  ) {
    note("event \(event)")
  }

  func peripheralDidUpdateName(_ peripheral: CBPeripheral) { note("name \(peripheral.name ?? "-")") }
  func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
    invalidated = invalidatedServices
    note("modify")
  }
  func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
    note("rssi \(RSSI)", error)
  }
  func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) { note("services", error) }
  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?
  ) {
    note("included", error)
  }
  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?
  ) {
    note("characteristics \(service.uuid)", error)
  }
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    note("value \(characteristic.uuid)", error)
    if error == nil { values.append(characteristic.value ?? Data()) }
  }
  func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?) {
    note("written \(characteristic.uuid)", error)
  }
  func peripheral(
    _ peripheral: CBPeripheral, didUpdateNotificationStateFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    note("notify \(characteristic.isNotifying)", error)
  }
  func peripheral(
    _ peripheral: CBPeripheral, didDiscoverDescriptorsFor characteristic: CBCharacteristic, error: (any Error)?
  ) {
    note("descriptors", error)
  }
  func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
    note("descriptor \(descriptor.value ?? "-")", error)
  }
  func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
    note("descriptor written", error)
  }
  func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { note("ready") }
  func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
    self.channel = channel
    note("channel", error)
  }
}
