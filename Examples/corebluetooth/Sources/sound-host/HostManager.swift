import CoreBluetooth
import LobbyRules

/// A peripheral that keeps the clauses: fragments with headers that fit each central, one queue and one reassembler for
/// each, and nothing sent before there is room.
class HostManager: NSObject {
  static let serviceUUID = CBUUID(string: LobbyUUID.service)
  static let commandUUID = CBUUID(string: LobbyUUID.command)
  static let stateUUID = CBUUID(string: LobbyUUID.state)

  /// What belongs to one central, from the first that it does to its end.
  final class Guest {
    let central: CBCentral
    let reassembler: Reassembler
    var isSubscribed = false
    var packetID: UInt16 = 0
    var packets: [(octets: Data, isLobby: Bool)] = []
    /// Fragments of the packet that is on its way.
    var fragments: [Data] = []

    init(_ central: CBCentral, _ reassembler: Reassembler) {
      self.central = central
      self.reassembler = reassembler
    }
  }

  var lobby: Lobby!
  private(set) var manager: CBPeripheralManager?
  private(set) var state: CBMutableCharacteristic?
  private(set) var guests: [Guest] = []
  private(set) var isOpen = true

  func startHosting() {
    if manager == nil { manager = CBPeripheralManager(delegate: self, queue: .main) }
  }

  // MARK: Publishing

  func publish(_ manager: CBPeripheralManager) {
    let state = CBMutableCharacteristic(
      type: Self.stateUUID, properties: [.notify], value: nil, permissions: [.readable])
    let command = CBMutableCharacteristic(
      type: Self.commandUUID, properties: [.write, .writeWithoutResponse], value: nil, permissions: [.writeable])
    let service = CBMutableService(type: Self.serviceUUID, primary: true)
    service.characteristics = [command, state]
    self.state = state
    manager.add(service)
  }

  /// What is published stays while Bluetooth is off, and is advertised again by itself.
  func poweredOn(_ manager: CBPeripheralManager) {
    if state == nil { publish(manager) }
  }

  func advertise() {
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

  func encode(_ packet: JSON) -> Data { Data(packet.ordered.utf8) }

  /// Called when the packet's turn has come: the length that fits may have grown since it was made.
  func cut(_ packet: Data, for guest: Guest) -> [Data] {
    let fragments = Fragments.cut(packet, id: guest.packetID, longest: guest.central.maximumUpdateValueLength)
    if !fragments.isEmpty { guest.packetID &+= 1 }
    return fragments
  }

  /// - Returns: false when there is no room; it is told when there is some again.
  func submit(_ fragment: Data, to guest: Guest) -> Bool {
    guard let manager, let state else { return false }
    return manager.updateValue(fragment, for: state, onSubscribedCentrals: [guest.central])
  }

  /// Until the platform refuses. One guest's full queue is no other's.
  func flush() {
    for guest in guests where guest.isSubscribed {
      while let fragment = nextFragment(of: guest), submit(fragment, to: guest) { guest.fragments.removeFirst() }
    }
  }

  func nextFragment(of guest: Guest) -> Data? {
    if guest.fragments.isEmpty, !guest.packets.isEmpty {
      guest.fragments = cut(guest.packets.removeFirst().octets, for: guest)
    }
    return guest.fragments.first
  }

  // MARK: Guests

  func makeReassembler() -> Reassembler { Reassembler() }

  func guest(_ central: CBCentral) -> Guest {
    if let known = guests.first(where: { $0.central.identifier == central.identifier }) { return known }
    let guest = Guest(central, makeReassembler())
    guests.append(guest)
    lobby.arrived(central.identifier)
    return guest
  }

  /// The end of a link is told in the same way.
  func unsubscribed(_ central: CBCentral) { forget(central) }

  /// Guests are heard from their first write on.
  func hears(_ central: CBCentral) -> Bool { true }

  func forget(_ central: CBCentral) {
    guests.removeAll { $0.central.identifier == central.identifier }
    lobby.left(central.identifier)
  }
}

extension HostManager: CBPeripheralManagerDelegate {
  func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
    if peripheral.state == .poweredOn {
      poweredOn(peripheral)
    } else {
      let gone = guests
      guests = []
      for guest in gone { lobby.left(guest.central.identifier) }
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
    unsubscribed(central)
  }

  func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { flush() }

  func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
    // What does not fit ATT_MTU − 3 comes in parts, which are one value.
    var values: [(central: CBCentral, octets: Data)] = []
    for request in requests where hears(request.central) {
      guard let value = request.value else { continue }
      if request.offset > 0, let last = values.indices.last {
        values[last].octets.append(value)
      } else {
        values.append((request.central, value))
      }
    }
    for (central, octets) in values {
      guard let packet = guest(central).reassembler.take(octets) else { continue }
      lobby.received(packet, from: central.identifier)
    }
    if let first = requests.first { peripheral.respond(to: first, withResult: .success) }
  }
}

extension HostManager: LobbyCarrier {
  func send(_ packet: JSON, to places: [UUID]) {
    let octets = encode(packet)
    for guest in guests where places.contains(guest.central.identifier) {
      // Only the newest lobby is worth sending (bab.md 5.1.9).
      let isLobby = packet.type == "LOBBY_UPDATE"
      if isLobby { guest.packets.removeAll(where: \.isLobby) }
      guest.packets.append((octets, isLobby))
    }
    flush()
  }

  func lobby(isOpen: Bool) {
    self.isOpen = isOpen
    advertise()
  }
}
