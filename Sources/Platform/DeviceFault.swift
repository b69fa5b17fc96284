public import SimKernel
public import VirtualNetwork
public import VirtualRadio

/// Something the bench does to a device on purpose.
public enum DeviceFault: Hashable, Sendable {
  /// No more transmission or reception; the app and the stack do not know.
  case vanish
  /// The end of `vanish`.
  case appear
  case radioOff
  case radioOn
  /// The person closes the app.
  case kill
  /// The system ends the app for want of memory. One that has asked for it (`GAPEffect.preserve`) is launched again by
  /// the next event that Bluetooth has for it; for others it is `kill`.
  case reclaim
  /// Launches a killed app (or launches an app again after killing it).
  case relaunch
  case background
  case foreground
  /// The person locks the phone, or lays it down; an app in front goes to the background with it.
  case screenOff
  /// The end of `screenOff`; an app that was in front comes back.
  case screenOn
  /// The stack ends the link with a device (by index) cleanly; nil: every link.
  case disconnect(Int?)
  /// To a place from which nobody is heard (and nobody hears).
  case outOfRange
  /// To where it was before `outOfRange`.
  case comeBack
  case move(Position)
  /// The stack tells its controller which data channels its links may use (`LE Set Host Channel Classification`).
  case useChannels(ClosedRange<Int>)
  /// Noise covers what is sent on the link with a device (by index; nil: on every link) for so long, in both
  /// directions: it comes later, in its order.
  case coverLinks(with: Int?, for: SimDuration)
  /// The stack changes the parameters of all its links: as central it decides, as peripheral it asks.
  case updateConnections(ConnectionChange)
  /// It loses its bonds with a device (by index; nil: all of them); the other end keeps its own.
  case forgetBonds(Int?)
  /// It forgets what it knows of services of its peers, and discovers them again.
  case refreshServices
  case network(NetworkFault)
  case messages(MessageFaultRule)
  /// All message faults of the device end.
  case messagesOff
  /// What its app, or a peer of its server, asks for fails.
  case failures(FailureRule)
  /// All of that ends.
  case failuresOff
}

/// New connection parameters; nil leaves a link what it has.
public struct ConnectionChange: Hashable, Sendable {
  /// Units of 1.25 ms, 6 … 3200.
  public var interval: UInt16?
  /// Connection events, 0 … 499.
  public var peripheralLatency: UInt16?
  /// Units of 10 ms, 10 … 3200.
  public var supervisionTimeout: UInt16?
  public init(interval: UInt16? = nil, peripheralLatency: UInt16? = nil, supervisionTimeout: UInt16? = nil) {
    self.interval = interval
    self.peripheralLatency = peripheralLatency
    self.supervisionTimeout = supervisionTimeout
  }
}

/// What a broken stack does to one value.
public enum MessageFault: String, Hashable, Sendable, CaseIterable {
  case drop, duplicate, reorder, corrupt
}

/// A broken stack: what happens to values on the way between an app and the link.
public struct MessageFaultRule: Hashable, Sendable {
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    /// Values that the device would receive.
    case toDevice = "incoming"
    /// Values that the device sends.
    case fromDevice = "outgoing"
  }

  public var fault: MessageFault
  public var direction: Direction
  /// Every how many-th value is hit, from the step on: 1 is each, 3 is the third, the sixth, …
  public var everyNth: Int
  /// How many values are hit in all; nil: without end.
  public var count: Int?

  public init(fault: MessageFault, direction: Direction, everyNth: Int, count: Int?) {
    self.fault = fault
    self.direction = direction
    self.everyNth = everyNth
    self.count = count
  }
}
