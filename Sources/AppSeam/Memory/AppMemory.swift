public import BluetoothWire

/// What a phone keeps of an app that has ended, for the next launch: the devices that it has met, and what the system
/// gives back to an app that it has ended itself (Apple, Core Bluetooth Programming Guide, “State Preservation and
/// Restoration”).
///
/// It is whole whatever ended the app; `AppConfiguration.isRestored` says whether a launch may use more than `peers`.
/// Addresses are texts, which do not say their type, as everywhere at the pipe. An engine hands it over when it is
/// asked (`RememberingEngine`); a program does so over the pipe (Docs/Formats/iut-protocol.md).
public struct AppMemory: Hashable, Sendable {
  /// The only version that there is.
  public static let version: Int64 = 1
  /// No list is longer.
  public static let entryLimit = 10_000
  /// Services and attributes have no greater numbers.
  public static let numberLimit = 1 << 31

  public var version = Self.version
  /// Devices, in the order in which they were met.
  public var peers: [KnownDevice] = []
  /// Central managers that want to be restored.
  public var centrals: [Central] = []
  /// Peripheral managers that want to be restored.
  public var servers: [Server] = []
  public var links: [Link] = []
  /// Addresses to which a connection is being made.
  public var attempts: [String] = []
  /// What the platform scans for; at most one.
  public var scans: [ScanRequest] = []
  /// What the platform advertises; at most one.
  public var advertisements: [AdvertisementRequest] = []
  /// The first number that no service and attribute of the app has.
  public var nextNumber = 0

  /// The memory of a phone whose app was never launched.
  public init() {}

  /// A device that the phone has met.
  public struct KnownDevice: Hashable, Sendable {
    public var address: String
    /// As it was last heard.
    public var name: String?

    public init(address: String, name: String?) {
      self.address = address
      self.name = name
    }
  }

  /// A central manager.
  public struct Central: Hashable, Sendable {
    public var identifier: String
    /// Addresses: connected, or to be connected.
    public var peers: [String]
    /// What was found at those that are connected.
    public var found: [FoundDevice]
    /// Whether it scans, and for what.
    public var scans: Bool
    public var services: [BluetoothUUID]
    public var solicited: [BluetoothUUID]
    public var allowsDuplicates: Bool

    public init(
      identifier: String, peers: [String], found: [FoundDevice], scans: Bool, services: [BluetoothUUID],
      solicited: [BluetoothUUID], allowsDuplicates: Bool
    ) {
      self.identifier = identifier
      self.peers = peers
      self.found = found
      self.scans = scans
      self.services = services
      self.solicited = solicited
      self.allowsDuplicates = allowsDuplicates
    }
  }

  /// A connected peripheral with its services.
  public struct FoundDevice: Hashable, Sendable {
    public var address: String
    /// Whether its services were looked for.
    public var isKnown: Bool
    public var services: [KeptService]

    public init(address: String, isKnown: Bool, services: [KeptService]) {
      self.address = address
      self.isKnown = isKnown
      self.services = services
    }
  }

  public struct KeptService: Hashable, Sendable {
    public var found: FoundService
    /// Whether its characteristics were looked for.
    public var isKnown: Bool
    public var characteristics: [KeptCharacteristic]

    public init(found: FoundService, isKnown: Bool, characteristics: [KeptCharacteristic]) {
      self.found = found
      self.isKnown = isKnown
      self.characteristics = characteristics
    }
  }

  public struct KeptCharacteristic: Hashable, Sendable {
    public var found: FoundCharacteristic
    public var isNotifying: Bool
    /// Whether its descriptors were looked for.
    public var isKnown: Bool
    public var descriptors: [FoundDescriptor]

    public init(found: FoundCharacteristic, isNotifying: Bool, isKnown: Bool, descriptors: [FoundDescriptor]) {
      self.found = found
      self.isNotifying = isNotifying
      self.isKnown = isKnown
      self.descriptors = descriptors
    }
  }

  /// A peripheral manager.
  public struct Server: Hashable, Sendable {
    public var identifier: String
    public var services: [LocalService]
    public var published: [PublishedPSM]
    public var localName: String?
    public var advertised: [BluetoothUUID]
    public var isAdvertising: Bool

    public init(
      identifier: String, services: [LocalService], published: [PublishedPSM], localName: String?,
      advertised: [BluetoothUUID], isAdvertising: Bool
    ) {
      self.identifier = identifier
      self.services = services
      self.published = published
      self.localName = localName
      self.advertised = advertised
      self.isAdvertising = isAdvertising
    }
  }

  /// A number under which channels are taken.
  public struct PublishedPSM: Hashable, Sendable {
    public var psm: UInt16

    public init(psm: UInt16) { self.psm = psm }
  }

  public struct Link: Hashable, Sendable {
    public var id: LinkID
    public var address: String
    /// This phone asked for it.
    public var isOutgoing: Bool
    public var attMTU: Int
    /// Identifiers of the central managers that hold it.
    public var holders: [String]
    /// Attributes that the other end is subscribed to.
    public var subscriptions: [AttributeKey]
    /// Services that were found at the other end.
    public var services: [BluetoothUUID]

    public init(
      id: LinkID, address: String, isOutgoing: Bool, attMTU: Int, holders: [String], subscriptions: [AttributeKey],
      services: [BluetoothUUID]
    ) {
      self.id = id
      self.address = address
      self.isOutgoing = isOutgoing
      self.attMTU = attMTU
      self.holders = holders
      self.subscriptions = subscriptions
      self.services = services
    }
  }
}
