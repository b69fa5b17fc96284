import CoreBluetooth

/// The peripheral's end of the chat.
public class ChatHost: NSObject {
  private var manager: CBPeripheralManager!
  private var characteristic: CBMutableCharacteristic?
  private var unsent: [Data] = []
  public private(set) var heard: [String] = []
  public private(set) var guests = 0

  public init(queue: DispatchQueue) {
    super.init()
    manager = CBPeripheralManager(delegate: self, queue: queue)
  }

  public func say(_ text: String) {
    unsent.append(Data(text.utf8))
    flush()
  }

  private func flush() {
    guard let characteristic else { return }
    while let next = unsent.first {
      guard manager.updateValue(next, for: characteristic, onSubscribedCentrals: nil) else { return }
      unsent.removeFirst()
    }
  }
}

extension ChatHost: CBPeripheralManagerDelegate {
  public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    switch peripheral.state {
    case .poweredOn:
      let characteristic = CBMutableCharacteristic(
        type: Chat.line, properties: [.notify, .writeWithoutResponse], value: nil, permissions: [.writeable])
      let service = CBMutableService(type: Chat.service, primary: true)
      service.characteristics = [characteristic]
      peripheral.add(service)
      self.characteristic = characteristic
    case .poweredOff, .resetting, .unauthorized, .unknown, .unsupported:
      return
    @unknown default:
      return
    }
  }

  public func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: Error?) {
    if let error { return print("not added: \(error.localizedDescription)") }
    peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [Chat.service]])
  }

  public func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {
    guests += 1
  }

  public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { flush() }

  public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    for request in requests {
      guard let value = request.value, let text = String(data: value, encoding: .utf8) else { continue }
      heard.append(text)
    }
    if let first = requests.first { peripheral.respond(to: first, withResult: .success) }
  }
}
