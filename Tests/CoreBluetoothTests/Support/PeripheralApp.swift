import CoreBluetooth
import Foundation

/// An app in the peripheral role that writes down what it is told.
final class PeripheralApp: NSObject, CBPeripheralManagerDelegate {
  var manager: CBPeripheralManager!
  let queue = DispatchQueue(label: "peripheral")
  var log: [String] = []
  var lastError: (any Error)?
  var centrals: [CBCentral] = []
  var reads: [CBATTRequest] = []
  var writes: [[CBATTRequest]] = []
  /// What a read returns, cut at its offset.
  var value = Data()
  var answer: CBATTError.Code? = .success
  var channel: CBL2CAPChannel?
  var restored: [String: Any] = [:]
  var service: CBMutableService!
  /// Called when there is room again.
  var onReady: (() -> Void)?

  func start(options: [String: Any]? = nil) {
    manager = CBPeripheralManager(delegate: self, queue: queue, options: options)
  }

  /// A service with one characteristic of each kind, and its advertisement.
  func offer(_ name: String = "Box") {
    service = PeripheralApp.makeService()
    manager.add(service)
    manager.startAdvertising([
      CBAdvertisementDataLocalNameKey: name, CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "AA00")],
    ])
  }

  static func makeService() -> CBMutableService {
    let service = CBMutableService(type: CBUUID(string: "AA00"), primary: true)
    let user = CBMutableDescriptor(type: CBUUID(string: CBUUIDCharacteristicUserDescriptionString), value: "all")
    let all = CBMutableCharacteristic(
      type: CBUUID(string: "AA01"), properties: [.read, .write, .writeWithoutResponse, .notify], value: nil,
      permissions: [.readable, .writeable])
    all.descriptors = [user]
    let fixed = CBMutableCharacteristic(
      type: CBUUID(string: "AA02"), properties: .read, value: Data("fixed".utf8), permissions: .readable)
    let indicate = CBMutableCharacteristic(
      type: CBUUID(string: "AA03"), properties: .indicate, value: nil, permissions: .readable)
    let writeOnly = CBMutableCharacteristic(
      type: CBUUID(string: "AA04"), properties: .write, value: nil, permissions: .writeable)
    service.characteristics = [all, fixed, indicate, writeOnly]
    return service
  }

  func characteristic(_ uuid: String) -> CBMutableCharacteristic! {
    service.characteristics?.first { $0.uuid == CBUUID(string: uuid) } as? CBMutableCharacteristic
  }

  private func note(_ text: String, _ error: (any Error)? = nil) {
    dispatchPrecondition(condition: .onQueue(queue))
    lastError = error
    log.append(text)
  }

  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) { note("state \(peripheral.state)") }
  func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
    restored = dict
    note("restore")
  }
  func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
    note("advertising", error)
  }
  func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
    note("added \(service.uuid)", error)
  }
  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {
    centrals.append(central)
    note("subscribe \(characteristic.uuid)")
  }
  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    note("unsubscribe \(characteristic.uuid)")
  }
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    reads.append(request)
    note("read \(request.offset)")
    guard let answer else { return }
    if request.offset > value.count { return peripheral.respond(to: request, withResult: .invalidOffset) }
    request.value = value.subdata(in: request.offset..<value.count)
    peripheral.respond(to: request, withResult: answer)
  }
  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    writes.append(requests)
    note("write \(requests.map { $0.value?.count ?? 0 })")
    if let answer { peripheral.respond(to: requests[0], withResult: answer) }
  }
  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
    note("ready")
    onReady?()
  }
  func peripheralManager(
    _ peripheral: CBPeripheralManager, didPublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  ) {
    note("psm \(PSM)", error)
  }
  func peripheralManager(
    _ peripheral: CBPeripheralManager, didUnpublishL2CAPChannel PSM: CBL2CAPPSM, error: (any Error)?
  ) {
    note("psm gone \(PSM)", error)
  }
  func peripheralManager(_ peripheral: CBPeripheralManager, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
    self.channel = channel
    note("channel", error)
  }
}
