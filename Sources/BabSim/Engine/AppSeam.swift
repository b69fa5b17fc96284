public import BluetoothWire
public import SimKernel

/// A link as an app knows it: a dense number, never reused within one run of the app.
public struct LinkID: Hashable, Comparable, Sendable {
  public let rawValue: Int
  public init(_ rawValue: Int) { self.rawValue = rawValue }
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}

/// What an engine asks the platform to advertise; the phone preset decides what fits (31 octets).
public struct AdvertisementRequest: Hashable, Sendable {
  public var localName: String
  public var serviceUUIDs: [BluetoothUUID]
  public init(localName: String, serviceUUIDs: [BluetoothUUID]) {
    self.localName = localName
    self.serviceUUIDs = serviceUUIDs
  }
}

/// One advertiser as a scan shows it to an app (merged from advertising data and scan response).
public struct Advertisement: Hashable, Sendable {
  public var address: BluetoothAddress
  public var localName: String?
  public var serviceUUIDs: [BluetoothUUID]
  /// dBm.
  public var rssi: Int
  public init(address: BluetoothAddress, localName: String?, serviceUUIDs: [BluetoothUUID], rssi: Int) {
    self.address = address
    self.localName = localName
    self.serviceUUIDs = serviceUUIDs
    self.rssi = rssi
  }
}

/// A GATT service as an app publishes it.
public struct ServiceDefinition: Hashable, Sendable {
  public struct Characteristic: Hashable, Sendable {
    public var uuid: BluetoothUUID
    public var properties: Properties
    public init(uuid: BluetoothUUID, properties: Properties) {
      self.uuid = uuid
      self.properties = properties
    }
  }

  /// Characteristic properties (Core v5.4, Vol 3, Part G, 3.3.1.1).
  public struct Properties: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    public static let read = Properties(rawValue: 0x02)
    public static let writeWithoutResponse = Properties(rawValue: 0x04)
    public static let write = Properties(rawValue: 0x08)
    public static let notify = Properties(rawValue: 0x10)
    public static let indicate = Properties(rawValue: 0x20)
  }

  public var uuid: BluetoothUUID
  public var characteristics: [Characteristic]
  public init(uuid: BluetoothUUID, characteristics: [Characteristic]) {
    self.uuid = uuid
    self.characteristics = characteristics
  }
}

/// What the platform tells an app. An engine sees nothing else.
public enum AppInput: Hashable, Sendable {
  /// The app has been launched; first input of every engine, and again after a kill and relaunch (as a new engine).
  case launched
  /// The Bluetooth adapter went off or came back; off ends advertising, scanning and all links.
  case radioPower(Bool)
  /// Suspended (true) or in front again; a suspended app still gets the Bluetooth inputs its platform delivers.
  case background(Bool)
  /// Answer to `advertise`: false when the platform refused.
  case advertisingStarted(Bool)
  case discovered(Advertisement)
  /// For a client: the connection it asked for; for a host: a central has connected.
  case connected(LinkID, peer: BluetoothAddress)
  /// A connection attempt came to nothing.
  case connectFailed(BluetoothAddress, reason: HCI.ErrorCode)
  case disconnected(LinkID, reason: HCI.ErrorCode)
  case attMTU(LinkID, Int)
  /// Answer to `discover`: the characteristics of the service that were found; empty when there is no such service.
  case servicesDiscovered(LinkID, service: BluetoothUUID, characteristics: [ServiceDefinition.Characteristic])
  /// Host: a central wrote the CCCD. Client: answer to `subscribe`.
  case subscribed(LinkID, characteristic: BluetoothUUID, Bool)
  /// Host: a central wrote. Client: a notification or indication came.
  case valueReceived(LinkID, characteristic: BluetoothUUID, octets: [UInt8])
  /// Client: answer to `read`.
  case valueRead(LinkID, characteristic: BluetoothUUID, octets: [UInt8]?)
  /// The immediate answer to `notify` and `writeWithoutResponse`: false = transmit queue full, NOT sent; exactly one
  /// per effect, in order, before any other input of that link.
  case submitted(LinkID, characteristic: BluetoothUUID, accepted: Bool)
  /// The transmit queue that refused has room again.
  case readyToSend(LinkID)
  /// Answer to `write` (with response); nil is success, else the ATT error code.
  case writeCompleted(LinkID, characteristic: BluetoothUUID, error: UInt8?)
  case timer(TimerID)
  /// A person (a scenario step) does something.
  case user(UserAction)
}

/// A timer of an engine; setting it again moves it.
public struct TimerID: Hashable, Sendable {
  public let rawValue: Int
  public init(_ rawValue: Int) { self.rawValue = rawValue }
}

/// What an app asks of the platform, or shows. An engine can do nothing else.
public enum AppEffect: Hashable, Sendable {
  case publish(ServiceDefinition)
  case advertise(AdvertisementRequest)
  case stopAdvertising
  /// Scan; `services` empty = unfiltered.
  case scan(services: [BluetoothUUID])
  case stopScanning
  case connect(BluetoothAddress)
  case cancelConnect(BluetoothAddress)
  case disconnect(LinkID)
  /// Ask for a larger ATT_MTU; the answer is `attMTU`. Platforms that do it on their own ignore it.
  case exchangeMTU(LinkID, Int)
  case discover(LinkID, service: BluetoothUUID)
  case subscribe(LinkID, characteristic: BluetoothUUID, Bool)
  case read(LinkID, characteristic: BluetoothUUID)
  case write(LinkID, characteristic: BluetoothUUID, octets: [UInt8])
  case writeWithoutResponse(LinkID, characteristic: BluetoothUUID, octets: [UInt8])
  /// Host: notify one subscribed central (`updateValue`).
  case notify(LinkID, characteristic: BluetoothUUID, octets: [UInt8])
  /// Host: the value a read of the characteristic returns.
  case setValue(characteristic: BluetoothUUID, octets: [UInt8])
  case setTimer(TimerID, at: SimInstant)
  case cancelTimer(TimerID)
  /// Something observable: goes to the trace, where oracles read it.
  case report(AppReport)
}

/// An app as a sans-IO state machine: no task, callback, clock, random source or I/O inside.
///
/// The bench calls `handle` with one input at a time and performs the effects in order. An external implementation
/// under test is the same contract over a pipe.
public protocol AppEngine: AnyObject {
  func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect]
}
