/// The state of a manager: what can be asked of the Bluetooth of its phone.
///
/// Source: Apple, `CBManagerState`. Raw values are Apple's.
public enum CBManagerState: Int, Sendable {
  /// Not known yet; every manager begins with it.
  case unknown = 0
  /// The connection to the system service was lost. Not modelled: no phone of the bench reports it.
  case resetting = 1
  /// There is no Bluetooth LE; also the state of a manager that was made without a virtual phone.
  case unsupported = 2
  /// The person does not allow the app to use Bluetooth.
  case unauthorized = 3
  /// Bluetooth is switched off.
  case poweredOff = 4
  /// Bluetooth is on, and may be used.
  case poweredOn = 5
}

/// Whether the person allows the app to use Bluetooth.
///
/// Source: Apple, `CBManagerAuthorization`. Not modelled: the dialogue; the virtual phone has an answer from the start.
public enum CBManagerAuthorization: Int, Sendable {
  /// The person has not chosen yet.
  case notDetermined = 0
  /// The app may not use Bluetooth, and the person cannot change that.
  case restricted = 1
  /// The person refused.
  case denied = 2
  /// The person agreed.
  case allowedAlways = 3
}

/// The state of a connection to a peripheral. Source: Apple, `CBPeripheralState`.
public enum CBPeripheralState: Int, Sendable {
  /// There is no connection, and none is being made.
  case disconnected = 0
  /// A connection is being made; that has no time limit.
  case connecting = 1
  /// Commands are accepted.
  case connected = 2
  /// The app has cancelled the connection, and it has not ended yet.
  case disconnecting = 3
}

/// How a characteristic is written. Source: Apple, `CBCharacteristicWriteType`.
public enum CBCharacteristicWriteType: Int, Sendable {
  /// By a write request, whose response the delegate sees; up to 512 octets.
  case withResponse = 0
  /// By a write command, of which the delegate sees nothing; up to ATT_MTU − 3 octets.
  case withoutResponse = 1
}

/// The connection latency that a peripheral manager may ask for.
///
/// Source: Apple, `CBPeripheralManagerConnectionLatency`.
public enum CBPeripheralManagerConnectionLatency: Int, Sendable {
  /// Fast answers, more power.
  case low = 0
  /// Between both.
  case medium = 1
  /// Slow answers, less power.
  case high = 2
}

/// What `centralManager(_:connectionEventDidOccur:for:)` is about. Source: Apple, `CBConnectionEvent`.
public enum CBConnectionEvent: Int, Sendable {
  /// The peer has disconnected from the phone.
  case peerDisconnected = 0
  /// The peer has connected to the phone.
  case peerConnected = 1
}

/// Keys of `CBCentralManager.registerForConnectionEvents(options:)`.
///
/// Source: Apple, `CBConnectionEventMatchingOption`.
public struct CBConnectionEventMatchingOption: RawRepresentable, Hashable, Sendable {
  /// The key's text.
  public var rawValue: String
  /// A key by its text.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Value: an array of `UUID`; only peers with these identifiers.
  public static let peripheralUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionPeripheralUUIDs")
  /// Value: an array of `CBUUID`; only peers that have one of these services.
  public static let serviceUUIDs = Self(rawValue: "kCBConnectionEventMatchingOptionServiceUUIDs")
}

/// What Apple's headers have deprecated in favour of `CBManagerState`: a type of its own, which old code extends.
public enum CBCentralManagerState: Int, Sendable {
  /// As the same case of `CBManagerState`; so are the others.
  case unknown = 0
  case resetting = 1
  case unsupported = 2
  case unauthorized = 3
  case poweredOff = 4
  case poweredOn = 5
}

/// What Apple's headers have deprecated in favour of `CBManagerState`: a type of its own, which old code extends.
public enum CBPeripheralManagerState: Int, Sendable {
  /// As the same case of `CBManagerState`; so are the others.
  case unknown = 0
  case resetting = 1
  case unsupported = 2
  case unauthorized = 3
  case poweredOff = 4
  case poweredOn = 5
}

/// Whether the app may share data in background. Deprecated by Apple in favour of `CBManager.authorization`.
public enum CBPeripheralManagerAuthorizationStatus: Int, Sendable {
  /// The person has not chosen yet.
  case notDetermined = 0
  /// The app may not, and the person cannot change that.
  case restricted = 1
  /// The person refused.
  case denied = 2
  /// The person agreed.
  case authorized = 3
}
