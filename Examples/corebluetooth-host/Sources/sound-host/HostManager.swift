import CoreBluetooth
import LobbyRules

/// A peripheral that keeps the clauses: fragments with headers that fit each central, one queue and one reassembler for
/// each, and nothing sent before there is room.
final class HostManager: NSObject {
  static let serviceUUID = CBUUID(string: "12345678-1234-1234-1234-123456789ABC")
  static let commandUUID = CBUUID(string: "12345678-1234-1234-1234-123456789ABD")
  static let stateUUID = CBUUID(string: "12345678-1234-1234-1234-123456789ABE")

  /// What belongs to one central, from the first that it does to its end.
  private final class Guest {
    let central: CBCentral
    let reassembler = Reassembler()
    var isSubscribed = false
    var packetID: UInt16 = 0
    var packets: [Data] = []
    /// Fragments of the packet that is on its way.
    var fragments: [Data] = []

    init(_ central: CBCentral) { self.central = central }
  }

  var lobby: Lobby!
  private var manager: CBPeripheralManager?
  private var state: CBMutableCharacteristic?
  private var guests: [Guest] = []
  private var isOpen = true

  func startHosting() {
    if manager == nil { manager = CBPeripheralManager(delegate: self, queue: .main) }
  }

  // MARK: Publishing

  private func publish(_ manager: CBPeripheralManager) {
    let state = CBMutableCharacteristic(
      type: Self.stateUUID, properties: [.notify], value: nil, permissions: [.readable])
    let command = CBMutableCharacteristic(
      type: Self.commandUUID, properties: [.write, .writeWithoutResponse], value: nil, permissions: [.writeable])
    let service = CBMutableService(type: Self.serviceUUID, primary: true)
    service.characteristics = [command, state]
    self.state = state
    manager.add(service)
  }

  private func advertise() {
    guard let manager, manager.state == .poweredOn, state != nil else { return }
    if isOpen && !manager.isAdvertising {
      manager.startAdvertising([
        CBAdvertisementDataServiceUUIDsKey: [Self.serviceUUID], CBAdvertisementDataLocalNameKey: "BabLanguage Game",
      ])
    } else if !isOpen && manager.isAdvertising {
      manager.stopAdvertising()
    }
  }

  // MARK: Sending

  /// Until the platform refuses; it says when there is room again. One guest's full queue is no other's.
  private func flush() {
    guard let manager, let state else { return }
    for guest in guests where guest.isSubscribed {
      while let fragment = nextFragment(of: guest),
        manager.updateValue(fragment, for: state, onSubscribedCentrals: [guest.central])
      {
        guest.fragments.removeFirst()
      }
    }
  }

  private func nextFragment(of guest: Guest) -> Data? {
    if guest.fragments.isEmpty, !guest.packets.isEmpty {
      let packet = guest.packets.removeFirst()
      // Cut now: the length that fits may have grown since the packet was made.
      guest.fragments = Fragments.cut(packet, id: guest.packetID, longest: guest.central.maximumUpdateValueLength)
      if !guest.fragments.isEmpty { guest.packetID &+= 1 }
    }
    return guest.fragments.first
  }

  // MARK: Guests

  private func guest(_ central: CBCentral) -> Guest {
    if let known = guests.first(where: { $0.central.identifier == central.identifier }) { return known }
    let guest = Guest(central)
    guests.append(guest)
    lobby.arrived(central.identifier)
    return guest
  }

  private func forget(_ central: CBCentral) {
    guests.removeAll { $0.central.identifier == central.identifier }
    lobby.left(central.identifier)
  }
}

extension HostManager: CBPeripheralManagerDelegate {
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    if peripheral.state == .poweredOn {
      // What is published stays while Bluetooth is off, and is advertised again by itself.
      if state == nil { publish(peripheral) } else { advertise() }
    } else {
      for guest in guests { forget(guest.central) }
    }
  }

  func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: Error?) {
    if let error { return print("not published: \(error)") }
    advertise()
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didSubscribeTo characteristic: CBCharacteristic
  ) {
    // A second subscription of one central: it has come back before its old link was over.
    if guest(central).isSubscribed { forget(central) }
    guest(central).isSubscribed = true
    flush()
  }

  func peripheralManager(
    _ peripheral: CBPeripheralManager, central: CBCentral, didUnsubscribeFrom characteristic: CBCharacteristic
  ) {
    // The end of a link is told in the same way.
    forget(central)
  }

  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { flush() }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    for request in requests {
      guard let value = request.value, let packet = guest(request.central).reassembler.take(value) else { continue }
      lobby.received(packet, from: request.central.identifier)
    }
    if let first = requests.first { peripheral.respond(to: first, withResult: .success) }
  }
}

extension HostManager: LobbyCarrier {
  func send(_ packet: JSON, to places: [UUID]) {
    let octets = Data(packet.ordered.utf8)
    for guest in guests where places.contains(guest.central.identifier) { guest.packets.append(octets) }
    flush()
  }

  func lobby(isOpen: Bool) {
    self.isOpen = isOpen
    advertise()
  }
}
