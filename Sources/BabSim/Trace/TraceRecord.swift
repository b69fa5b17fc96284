public import BluetoothWire
public import SimKernel
public import VirtualRadio

/// One observed thing, in the one order in which it was observed.
public struct TraceRecord: Hashable, Sendable {
  /// 0, 1, 2 … without gaps within what was recorded.
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
  /// An expectation of the scenario that was checked.
  case expectation(text: String, holds: Bool, detail: String)
}

/// Something the bench did to a device on purpose.
public enum FaultEvent: Hashable, Sendable {
  /// No more transmissions or receptions, as a battery pull or a walk into a lift.
  case vanish
  case appear
  case radioOff
  case radioOn
  /// The app is killed: links end, state is lost.
  case kill
  case relaunch
  case background
  case foreground
  /// The stack ends a link cleanly.
  case disconnect(LinkID)
  case move(x: Int, y: Int, z: Int)
  /// A broken stack: what was done to which value.
  case message(MessageFault, LinkID, characteristic: BluetoothUUID, octets: [UInt8])
}

/// Something about a controller or a peer that a host stack noticed.
public struct PlatformRemark: Hashable, Sendable {
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The controller, or the path to it, broke its contract.
    case controllerFault
    /// The peer sent what its specification forbids.
    case protocolViolation
    /// 30 s without the answer that ATT owes (Core v5.4, Vol 3, Part F, 3.3.3).
    case transactionTimeout
    /// The app offered more octets than one ATT PDU holds.
    case valueTruncated
  }

  public var kind: Kind
  /// Nil when it is about no link, or about one that is gone.
  public var link: LinkID?
  /// For people.
  public var text: String

  public init(_ kind: Kind, _ link: LinkID?, _ text: String) {
    self.kind = kind
    self.link = link
    self.text = text
  }
}

public enum MessageFault: String, Hashable, Sendable, CaseIterable {
  case drop, duplicate, reorder, corrupt
}

/// Who took part, printed at the top of every trace.
public struct TraceHeader: Hashable, Sendable {
  public struct Device: Hashable, Sendable {
    public var name: String
    public var role: AppRole
    public var phone: String
    public var dialect: String
    public var engine: String
    public var address: BluetoothAddress
    public init(
      name: String, role: AppRole, phone: String, dialect: String, engine: String, address: BluetoothAddress
    ) {
      self.name = name
      self.role = role
      self.phone = phone
      self.dialect = dialect
      self.engine = engine
      self.address = address
    }
  }

  /// The engine of a device whose host stack and app are not ours; it has no inputs, effects and reports.
  public static let foreignEngine = "foreign"

  public var scenario: String
  public var seed: UInt64
  public var devices: [Device]
  /// Every drawn or chosen option, in a fixed order, for people and for repeating.
  public var options: [Option]
  /// The longest supervision timeout of the run's links; nil: what the bench takes for the longest.
  public var supervisionTimeout: SimDuration?

  public struct Option: Hashable, Sendable {
    public var key: String
    public var value: String
    public init(key: String, value: String) {
      self.key = key
      self.value = value
    }
  }

  public init(
    scenario: String, seed: UInt64, devices: [Device], options: [Option], supervisionTimeout: SimDuration? = nil
  ) {
    self.scenario = scenario
    self.seed = seed
    self.devices = devices
    self.options = options
    self.supervisionTimeout = supervisionTimeout
  }
}
