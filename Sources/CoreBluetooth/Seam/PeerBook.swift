import AppSeam
import BluetoothWire

/// The devices that a phone has met, with their names: what it remembers of them.
struct PeerBook {
  struct Entry {
    var address: BluetoothAddress
    var name: String?
    /// From the newest advertisement.
    var services: [BluetoothUUID] = []
  }

  private(set) var entries: [Entry] = []

  subscript(address: BluetoothAddress) -> Entry? { entries.first { $0.address == address } }

  mutating func meet(_ address: BluetoothAddress, name: String? = nil) {
    if let index = entries.firstIndex(where: { $0.address == address }) {
      if let name { entries[index].name = name }
    } else {
      entries.append(Entry(address: address, name: name))
    }
  }

  /// - Returns: whether the peer has another name than before.
  mutating func saw(_ advertisement: Advertisement) -> Bool {
    let before = self[advertisement.address]?.name
    meet(advertisement.address, name: advertisement.localName)
    if let index = entries.firstIndex(where: { $0.address == advertisement.address }),
      !advertisement.serviceUUIDs.isEmpty
    {
      entries[index].services = advertisement.serviceUUIDs
    }
    return before != nil && advertisement.localName != nil && before != advertisement.localName
  }
}
