import CoreBluetooth

/// A peripheral that wants to be restored: tells its subscribers a number every five seconds, and answers with two.
public final class NumberShelf: NSObject, CBPeripheralManagerDelegate {
  private var manager: CBPeripheralManager!
  private var box: CBMutableCharacteristic?
  private var number: UInt8 = 0

  public override init() {
    super.init()
    manager = CBPeripheralManager(
      delegate: self, queue: .main, options: [CBPeripheralManagerOptionRestoreIdentifierKey: "shelf"])
  }

  public func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
    let services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
    box = services.first?.characteristics?.first as? CBMutableCharacteristic
  }

  public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    guard peripheral.state == .poweredOn else { return }
    tell()
    guard box == nil else { return }
    let box = CBMutableCharacteristic(
      type: ShelfKeeper.box, properties: [.read, .notify], value: nil, permissions: .readable)
    let service = CBMutableService(type: ShelfKeeper.service, primary: true)
    service.characteristics = [box]
    self.box = box
    peripheral.add(service)
    peripheral.startAdvertising([
      CBAdvertisementDataLocalNameKey: "Shelf", CBAdvertisementDataServiceUUIDsKey: [ShelfKeeper.service],
    ])
  }

  private func tell() {
    DispatchQueue.main.asyncAfter(deadline: .now() + 5) { [weak self] in
      guard let self else { return }
      number += 1
      if let box { _ = manager.updateValue(Data([number]), for: box, onSubscribedCentrals: nil) }
      tell()
    }
  }

  public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
    request.value = Data([number, 2])
    peripheral.respond(to: request, withResult: .success)
  }
}
