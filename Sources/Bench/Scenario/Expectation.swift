public import SimKernel

/// Something the author of a scenario says must hold.
public struct Expectation: Hashable, Sendable {
  public var source: SourceLocation
  /// The lobby of which it is expected, from 0, of several side by side.
  public var lobby = 0
  public var condition: Condition
  public var deadline: Deadline
  /// One line for the trace and for people, as the file has it.
  public var text: String

  public init(source: SourceLocation, condition: Condition, deadline: Deadline, text: String) {
    self.source = source
    self.condition = condition
    self.deadline = deadline
    self.text = text
  }

  public enum Deadline: Hashable, Sendable {
    /// Must hold when the run ends.
    case atEnd
    /// Must have held at some instant no later than so long after the step (index; nil: after the start).
    /// Fails too when the step was never done.
    case within(SimDuration, afterStep: Int?)
    /// Must hold at every instant from the step on (nil: from the start).
    case always(afterStep: Int?)
  }
}
