public import AppSeam
public import Platform
public import SimKernel
public import VirtualRadio

/// One thing that is done to some devices. Steps go one after the other, in order.
///
/// A file entry that does several things becomes several steps: the first has the entry's trigger, the others
/// follow with `.after(.zero)`.
public struct Step: Hashable, Sendable {
  public var source: SourceLocation
  /// The lobby that plays it, from 0 in a scenario with several lobbies side by side; each plays its own steps.
  public var lobby = 0
  /// Expectations may count from here.
  public var label: String?
  public var trigger: Trigger
  /// Device indices, ascending, empty for `.wait` and `.radio` only; the action is done to each in this order at the
  /// same instant.
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
    case user(UserAction)
    case fault(DeviceFault)
    /// These in order, by each device at an instant of its own. The step is done when the last device has done it.
    case spread([Action], Spread)
    /// Devices go away and come back while the next steps are done.
    case churn(Churn)
    /// The room changes, from now on; it is done to no device.
    case radio(RadioEnvironment.Change)
    /// Nothing: the step only waits (and may carry a label).
    case wait
  }

  /// Something a person does with the app, which may be about another device: only the world knows how that one is
  /// called in a run.
  public struct UserAction: Hashable, Sendable {
    public var action: AppAction
    /// A device index; nil: the action is complete.
    public var about: Int?

    public init(_ action: AppAction, about: Int? = nil) {
      self.action = action
      self.about = about
    }
  }
}

extension Step.Action {
  /// What is done to a device in the end.
  package var parts: [Step.Action] {
    switch self {
    case .user, .fault, .radio, .wait: [self]
    case .spread(let actions, _): actions.flatMap(\.parts)
    case .churn(let churn): (churn.leaving + churn.returning).flatMap(\.parts)
    }
  }
}
