public import SimKernel
public import VirtualRadio

/// One thing that is done to some devices. Steps go one after the other, in order.
///
/// A file entry that does several things becomes several steps: the first has the entry's trigger, the others
/// follow with `.after(.zero)`.
public struct Step: Hashable, Sendable {
  public var source: SourceLocation
  /// Expectations may count from here.
  public var label: String?
  public var trigger: Trigger
  /// Device indices, ascending, empty for `.wait` only; the action is done to each in this order at the same instant.
  public var devices: [Int]
  public var action: Action
  /// One line for the trace and for people, for example `all clients: join`.
  public var text: String

  public init(
    source: SourceLocation, label: String?, trigger: Trigger, devices: [Int], action: Action, text: String
  ) {
    self.source = source
    self.label = label
    self.trigger = trigger
    self.devices = devices
    self.action = action
    self.text = text
  }

  public enum Trigger: Hashable, Sendable {
    /// At this instant, or at once when the steps before took longer.
    case at(SimInstant)
    /// So long after the previous step was done (for the first: after the start).
    case after(SimDuration)
    /// As soon as the condition holds. If it does not within the time after the previous step, the wait counts as a
    /// failed expectation and the steps that remain are not done.
    case when(Condition, within: SimDuration)
  }

  public enum Action: Hashable, Sendable {
    /// Handed to the engine as it stands. Never `.assignRole`, see below.
    case user(UserAction)
    /// `UserAction.assignRole`, with the player as a device index: only the world knows peer ids.
    case assignRole(player: Int, role: String)
    case fault(Fault)
    /// Nothing: the step only waits (and may carry a label).
    case wait
  }

  /// Something the bench does to a device on purpose.
  public enum Fault: Hashable, Sendable {
    /// No more transmission or reception; the app and the stack do not know.
    case vanish
    /// The end of `vanish`.
    case appear
    case radioOff
    case radioOn
    case kill
    /// Launches a killed app (or launches an app again after killing it).
    case relaunch
    case background
    case foreground
    /// The stack ends the link with a device cleanly; nil: every link.
    case disconnect(Int?)
    /// To a place from which nobody is heard (and nobody hears).
    case outOfRange
    /// To where it was before `outOfRange`.
    case comeBack
    case move(Position)
    case messages(MessageFaultRule)
    /// All message faults of the device end.
    case messagesOff
  }
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
