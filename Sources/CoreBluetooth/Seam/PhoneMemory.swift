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
    /// What was found at those that are connected.
    package var found: [KeptPeripheral] = []
    /// Nil: it did not scan.
    public var scan: [BluetoothUUID]?
    /// Options of its scan.
    public var allowsDuplicates: Bool
    package var solicited: [BluetoothUUID] = []

    /// Options of its scan, as an app gives them; empty without options, or without a scan.
    var scanOptions: [String: Any] {
      var options: [String: Any] = [:]
      guard scan != nil else { return options }
      if allowsDuplicates { options[CBCentralManagerScanOptionAllowDuplicatesKey] = true }
      if !solicited.isEmpty {
        options[CBCentralManagerScanOptionSolicitedServiceUUIDsKey] = solicited.map { CBUUID($0) }
      }
      return options
    }
  }

  /// A peripheral manager with a restore identifier.
  public struct Server: Hashable, Sendable {
    /// Its restore identifier.
    public var identifier: String
    package var services: [LocalService]
    package var publishedPSMs: [UInt16] = []
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
  /// What the platform below still has for the app; nil: nothing, so that it is asked for again.
  package var below: KeptBelow?

  /// The memory of a phone whose app was never launched.
  public init() {}
}

extension VirtualPhone {
  /// What the phone would keep if its app ended now.
  /// - Parameter isRestored: The platform keeps links and services for the app, and the next phone continues with them.
  ///   Nothing but the peers is known to an app that its person has closed.
  package func remember(isRestored: Bool) -> PhoneMemory {
    var memory = remember()
    if isRestored {
      memory.below = locked { below }
    } else {
      memory.centrals = []
      memory.servers = []
    }
    return memory
  }

  /// What the phone would keep if its app ended now, without what its platform keeps.
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
