package import AppSeam
public import BluetoothWire

/// What a phone keeps while its app is not running: peers that it knows, and managers that want to be restored.
///
/// The system restores an app that it has ended itself, not one that its user has closed (Apple, Core Bluetooth
/// Programming Guide, “State Preservation and Restoration”); a bench that hands it to the next phone decides that.
public struct PhoneMemory: Hashable, Sendable {
  /// A device that the phone has met.
  public struct Peer: Hashable, Sendable {
    /// Its address.
    public var address: BluetoothAddress
    /// Its name, as it was last heard.
    public var name: String?
  }

  /// A central manager with a restore identifier.
  public struct Central: Hashable, Sendable {
    /// Its restore identifier.
    public var identifier: String
    /// Connected, or to be connected.
    public var peers: [BluetoothAddress]
    /// Nil: it did not scan.
    public var scan: [BluetoothUUID]?
    /// The option of its scan.
    public var allowsDuplicates: Bool
  }

  /// A peripheral manager with a restore identifier.
  public struct Server: Hashable, Sendable {
    /// Its restore identifier.
    public var identifier: String
    package var services: [LocalService]
    /// The advertised name.
    public var localName: String?
    /// The advertised services.
    public var advertised: [BluetoothUUID]
    /// Whether it advertised.
    public var isAdvertising: Bool
  }

  /// Devices, in the order in which they were met.
  public var peers: [Peer] = []
  /// Central managers that want to be restored.
  public var centrals: [Central] = []
  /// Peripheral managers that want to be restored.
  public var servers: [Server] = []

  /// The memory of a phone whose app was never launched.
  public init() {}
}

extension VirtualPhone {
  /// What the phone would keep if its app ended now.
  public func remember() -> PhoneMemory {
    locked {
      var memory = PhoneMemory()
      memory.peers = book.entries.map { PhoneMemory.Peer(address: $0.address, name: $0.name) }
      memory.centrals = liveCentrals.compactMap(\.kept)
      memory.servers = liveServers.compactMap(\.kept)
      return memory
    }
  }

  var liveCentrals: [CBCentralManager] { centrals.compactMap(\.value) }
  var liveServers: [CBPeripheralManager] { servers.compactMap(\.value) }
}
