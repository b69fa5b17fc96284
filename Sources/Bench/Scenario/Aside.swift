public import SimKernel

/// Something that is done at an instant, whatever the steps wait for.
public struct Aside: Hashable, Sendable {
  public var source: SourceLocation
  /// From the start of the run.
  public var instant: SimInstant
  /// Device indices, ascending; empty for `.radio`, and for `.wait`: nothing is done, and the run goes on until then.
  public var devices: [Int]
  public var action: Step.Action
  /// One line for the trace and for people.
  public var text: String

  public init(source: SourceLocation, instant: SimInstant, devices: [Int], action: Step.Action, text: String) {
    self.source = source
    self.instant = instant
    self.devices = devices
    self.action = action
    self.text = text
  }
}

extension Step {
  /// The same as a step, for those who look at what is done to whom.
  init(_ aside: Aside) {
    self.init(
      source: aside.source, label: nil, trigger: .at(aside.instant), devices: aside.devices, action: aside.action,
      text: aside.text)
  }
}
