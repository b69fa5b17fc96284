public import BluetoothWire

/// Everything that the app of one device is told before it runs; plain values, so that a run can be repeated.
public struct AppConfiguration: Hashable, Sendable {
  /// The index of the device in its scenario.
  public var device: Int
  /// The protocol that the app speaks.
  public var app: String
  public var role: AppRole
  public var dialect: DialectName
  /// Unique among the peers of a run; not empty.
  public var peerID: String
  /// The player's name as the others see it.
  public var displayName: String
  /// The seed of the run, for draws that an app makes itself.
  public var seed: UInt64
  /// What all apps of the run know; of the protocol's own type.
  public var settings: AppSettings
  /// The devices that direct their advertising at this one, which it knows from before, as bonded devices do.
  public var knownPeers: [KnownPeer] = []

  /// What the app kept before it was launched again (`AppEffect.keep`); empty at its first launch.
  public var kept: [UInt8] = []
  /// The system has ended the app and kept what it had of Bluetooth (`GAPEffect.preserve`); this launch continues it.
  public var isRestored = false
  /// What the phone has kept of earlier launches (`RememberingEngine`); nil: nothing.
  public var memory: AppMemory?
  /// How far the device's clock of the day is ahead of the others', in milliseconds.
  public var clockOffsetMilliseconds = 0
  /// What the phone has of Bluetooth that not every phone has.
  public var features: [PhoneFeature] = []
  /// What it remembers together with the other apps of its world.
  public var readings = SharedReadings()

  /// What an app can ask its phone for.
  public enum PhoneFeature: String, Hashable, Sendable, CaseIterable {
    /// `GAPEffect.advertiseExtended`, `GAPEffect.scanExtended`.
    case extendedAdvertising
    /// The same on LE Coded; only of a phone that has extended advertising.
    case leCoded
  }

  /// A device that is known by its address.
  public struct KnownPeer: Hashable, Sendable {
    /// Its index in the scenario.
    public var device: Int
    public var address: BluetoothAddress

    public init(device: Int, address: BluetoothAddress) {
      self.device = device
      self.address = address
    }
  }

  public init(
    device: Int, app: String, role: AppRole, dialect: DialectName, peerID: String, displayName: String, seed: UInt64,
    settings: AppSettings
  ) {
    self.device = device
    self.app = app
    self.role = role
    self.dialect = dialect
    self.peerID = peerID
    self.displayName = displayName
    self.seed = seed
    self.settings = settings
  }
}
