public import AppSeam
public import BluetoothWire
public import Platform
public import SimKernel
public import VirtualNetwork
public import VirtualRadio

/// One observed thing, in the one order in which it was observed.
public struct TraceRecord: Hashable, Sendable {
  /// 0, 1, 2 … without gaps. A record of the radio, or of a packet of the network, has the number of the record before
  /// it, so that numbers do not depend on which captures are wanted; before the first record it is −1.
  public var sequence: Int
  public var instant: SimInstant
  /// Dense index into `TraceHeader.devices`; −1 for the world itself.
  public var device: Int
  public var event: TraceEvent

  public init(sequence: Int, instant: SimInstant, device: Int, event: TraceEvent) {
    self.sequence = sequence
    self.instant = instant
    self.device = device
    self.event = event
  }
}

public enum TraceEvent: Hashable, Sendable {
  case radio(RadioEvent)
  case network(NetworkEvent)
  /// The platform told the app something. User actions are here too: `.input(.user(…))`.
  case input(AppInput)
  /// The app asked the platform for something (`.report` effects come as `.report`, not here).
  case effect(AppEffect)
  case report(AppReport)
  case fault(FaultEvent)
  /// A host stack noticed something that it tells no app. Not in the digest: whatever caused it is.
  case platform(PlatformRemark)
  /// A step or expectation of the scenario, as text for people.
  case step(String)
  /// An expectation of the scenario that was checked; `holds` is nil where nobody could be asked.
  case expectation(text: String, holds: Bool?, detail: String, place: ExpectationPlace = ExpectationPlace())
}

extension TraceEvent {
  /// Whether it is what an app was told, asked for or showed, or what was done to its device.
  package var isOfApp: Bool {
    switch self {
    case .input, .effect, .report, .fault: true
    case .radio, .network, .platform, .step, .expectation: false
    }
  }

  /// Whether it has a number of its own: what depends on which captures are wanted has none.
  package var counts: Bool {
    switch self {
    case .radio, .network(.packet): false
    default: true
    }
  }
}

/// Who took part, printed at the top of every trace.
public struct TraceHeader: Hashable, Sendable {
  public struct Device: Hashable, Sendable {
    public var name: String
    public var role: AppRole
    public var phone: String
    public var dialect: String
    public var engine: String
    /// The address that it has at first.
    public var address: BluetoothAddress
    /// Identity Resolving Key, most significant octet first, of a device that changes its address; nil: it keeps it.
    public var identityKey: [UInt8]?
    /// The protocol that its app speaks; nil: it has none.
    public var app: String?
    /// Devices of one protocol and lobby belong together; empty unless the scenario names one.
    public var lobby: String
    /// It does what it must not, on purpose: nothing is claimed of it (`Hostility`).
    public var isHostile = false
    /// Its app is a program that reports nothing of what it shows: it is judged by what its peers show.
    public var isMute = false
    /// Its app is a program: which reports it says is its own choice, and none that it never says is held against it.
    public var isProgram = false
    /// What the bench tells a program that it is called; nil for any other app.
    public var toldPeerID: String?

    public init(
      name: String, role: AppRole, phone: String, dialect: String, engine: String, address: BluetoothAddress,
      app: String? = nil, lobby: String = ""
    ) {
      self.name = name
      self.role = role
      self.phone = phone
      self.dialect = dialect
      self.engine = engine
      self.address = address
      self.app = app
      self.lobby = lobby
    }
  }

  /// The engine of a device whose host stack and app are not ours; it has no inputs, effects and reports.
  public static let foreignEngine = "foreign"

  public var scenario: String
  public var seed: UInt64
  public var devices: [Device]
  /// Every drawn or chosen option, in a fixed order, for people and for repeating.
  public var options: [Option]
  public struct Option: Hashable, Sendable {
    public var key: String
    public var value: String
    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  /// The device that has, or has had, an address; nil: none of them.
  public func device(at address: BluetoothAddress) -> Int? {
    devices.firstIndex { $0.address == address }
      ?? devices.firstIndex { device in
        device.identityKey.map { PrivateAddress.isOf($0, address) } ?? false
      }
  }

  public init(scenario: String, seed: UInt64, devices: [Device], options: [Option]) {
    self.scenario = scenario
    self.seed = seed
    self.devices = devices
    self.options = options
  }
}
