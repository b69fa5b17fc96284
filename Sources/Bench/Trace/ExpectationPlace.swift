/// Where an expectation, or a step that waits, is written, and whom its outcome is about.
public struct ExpectationPlace: Hashable, Sendable {
  /// In the scenario file, from 1; nil: it is in none.
  public var line: Int?
  /// Dense indices of the devices of which it does not hold, ascending; empty when it holds, or is about no device.
  public var devices: [Int]
  /// It is a step that timed out, or that the run ended before.
  public var isStep: Bool
  /// It could no longer hold, because an earlier step of its lobby did not get what it waited for, or
  /// because an app broke down.
  public var isBlocked: Bool
  /// It had to hold all the time.
  public var isAlways: Bool

  public init(
    line: Int? = nil, devices: [Int] = [], isStep: Bool = false, isBlocked: Bool = false, isAlways: Bool = false
  ) {
    self.line = line
    self.devices = devices
    self.isStep = isStep
    self.isBlocked = isBlocked
    self.isAlways = isAlways
  }
}
