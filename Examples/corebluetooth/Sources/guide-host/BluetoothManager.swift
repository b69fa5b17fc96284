import CoreBluetooth
import LobbyRules

/// A peripheral as guides show it: one shared manager on the main queue, and the shortest way to each result. The suite
/// is asked to name its mistakes (Docs/corebluetooth-program.md); sound-host has none of them.
final class BluetoothManager: NSObject {
  static let shared = BluetoothManager()
  static let serviceUUID = CBUUID(string: LobbyUUID.service)
  static let commandUUID = CBUUID(string: LobbyUUID.command)
  static let stateUUID = CBUUID(string: LobbyUUID.state)

  var lobby: Lobby!
  /// Whether packets are cut with a header, which is the first thing that one repairs.
  var hasHeaders = false
  private var peripheralManager: CBPeripheralManager!
  private var stateCharacteristic: CBMutableCharacteristic!
  private var connectedCentrals: [CBCentral] = []
  private var receiveBuffer = Data()
  private var packetID: UInt16 = 0

  func startHosting() {
    peripheralManager = CBPeripheralManager(delegate: self, queue: nil)
  }

  private func setUpService() {
    stateCharacteristic = CBMutableCharacteristic(
      type: Self.stateUUID, properties: [.notify], value: nil, permissions: [.readable])
    let command = CBMutableCharacteristic(
      type: Self.commandUUID, properties: [.write, .writeWithoutResponse], value: nil, permissions: [.writeable])
    let service = CBMutableService(type: Self.serviceUUID, primary: true)
    service.characteristics = [command, stateCharacteristic]
    peripheralManager.add(service)
    peripheralManager.startAdvertising([
      CBAdvertisementDataServiceUUIDsKey: [Self.serviceUUID], CBAdvertisementDataLocalNameKey: "BabLanguage Game",
    ])
  }

  private func sendRaw(_ data: Data) {
    var offset = 0
    while offset < data.count {
      let chunk = data[offset..<min(offset + 182, data.count)]
      peripheralManager.updateValue(Data(chunk), for: stateCharacteristic, onSubscribedCentrals: nil)
      offset += 182
    }
  }

  private func sendWithHeaders(_ data: Data) {
    let size = 178
    let count = (data.count + size - 1) / size
    for index in 0..<count {
      var chunk = Data([UInt8(packetID >> 8), UInt8(packetID & 0xFF), UInt8(index), UInt8(count)])
      chunk.append(data[(index * size)..<min((index + 1) * size, data.count)])
      peripheralManager.updateValue(chunk, for: stateCharacteristic, onSubscribedCentrals: nil)
    }
    packetID += 1
  }

  private func received(_ value: Data, from central: CBCentral) {
    if hasHeaders, value[2] == 0 { receiveBuffer = Data() }
    receiveBuffer.append(hasHeaders ? value.dropFirst(4) : value)
    guard (try? JSONSerialization.jsonObject(with: receiveBuffer)) != nil else { return }
    lobby.received(receiveBuffer, from: central.identifier)
    receiveBuffer = Data()
  }
}

extension BluetoothManager: CBPeripheralManagerDelegate {
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    if peripheral.state == .poweredOn {
      setUpService()
    }
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {
    connectedCentrals.append(central)
    lobby.arrived(central.identifier)
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    for request in requests {
      if let value = request.value { received(value, from: request.central) }
      peripheral.respond(to: request, withResult: .success)
    }
  }
}

extension BluetoothManager: LobbyCarrier {
  func send(_ packet: JSON, to guests: [UUID]) {
    guard !connectedCentrals.isEmpty, let data = try? JSONSerialization.data(withJSONObject: packet.foundation) else {
      return
    }
    if hasHeaders { sendWithHeaders(data) } else { sendRaw(data) }
  }

  func lobby(isOpen: Bool) {}
}
