import CoreBluetooth

/// The central's end of the chat.
public class ChatGuest: NSObject {
  private var manager: CBCentralManager!
  private var peer: CBPeripheral?
  private var characteristic: CBCharacteristic?
  private var unsent: [Data] = []
  public private(set) var heard: [String] = []
  public private(set) var errors: [CBError.Code] = []

  public init(queue: DispatchQueue) {
    super.init()
    manager = CBCentralManager(delegate: self, queue: queue)
  }

  public var isConnected: Bool { peer?.state == .connected && characteristic?.isNotifying == true }

  public func say(_ text: String) {
    unsent.append(Data(text.utf8))
    flush()
  }

  private func flush() {
    guard let peer, let characteristic else { return }
    while !unsent.isEmpty, peer.canSendWriteWithoutResponse {
      peer.writeValue(unsent.removeFirst(), for: characteristic, type: .withoutResponse)
    }
  }
}

extension ChatGuest: CBCentralManagerDelegate {
  public func centralManagerDidUpdateState(_ central: CBCentralManager) {
    characteristic = nil
    guard central.state == .poweredOn else { return }
    if let peer { central.connect(peer) } else { central.scanForPeripherals(withServices: [Chat.service]) }
  }

  public func centralManager(
    _ central: CBCentralManager, didDiscover peripheral: CBPeripheral, advertisementData: [String: Any],
    rssi RSSI: NSNumber
  ) {
    guard peer == nil, RSSI.intValue > -90 else { return }
    peer = peripheral
    peripheral.delegate = self
    central.stopScan()
    central.connect(peripheral)
  }

  public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
    peripheral.discoverServices([Chat.service])
  }

  public func centralManager(
    _ central: CBCentralManager, didDisconnectPeripheral peripheral: CBPeripheral, error: Error?
  ) {
    if let error = error as? CBError { errors.append(error.code) }
    characteristic = nil
    central.connect(peripheral)
  }
}

extension ChatGuest: CBPeripheralDelegate {
  public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
    for service in peripheral.services ?? [] { peripheral.discoverCharacteristics([Chat.line], for: service) }
  }

  public func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?) {
    guard let found = service.characteristics?.first(where: { $0.uuid == Chat.line }) else { return }
    characteristic = found
    peripheral.setNotifyValue(true, for: found)
    flush()
  }

  public func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor characteristic: CBCharacteristic, error: Error?)
  {
    if let value = characteristic.value { heard.append(String(decoding: value, as: UTF8.self)) }
  }

  public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { flush() }
}
