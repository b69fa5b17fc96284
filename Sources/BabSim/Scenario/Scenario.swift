public import SimKernel
public import VirtualRadio

/// Everything a run is made of, decoded and expanded: the same scenario and seed give the same run everywhere.
///
/// Devices are named by their index in `devices`, which is the dense index of the trace too. A scenario that the
/// reader has accepted has exactly one host, at index 0, and every index in it is valid.
public struct Scenario: Hashable, Sendable {
  public var name: String
  /// One or two sentences for people.
  public var summary = ""
  public var seed: UInt64 = 1
  /// How long the run goes on after the last step was done or the last `within` came true.
  public var duration = SimDuration.seconds(2)
  public var limits = Limits()
  public var radio = RadioEnvironment.ideal
  /// The preset the room began as.
  public var radioPreset = "ideal"
  public var dialect = DialectName.sdk
  public var game = GameSettings()
  public var devices: [Device]
  public var steps: [Step] = []
  public var expectations: [Expectation] = []

  public init(name: String, devices: [Device]) {
    self.name = name
    self.devices = devices
  }

  /// Where a run is stopped; hitting one is an outcome, never a hang.
  public struct Limits: Hashable, Sendable {
    public var simulatedTime = SimDuration.seconds(600)
    /// Events taken from the queue.
    public var events = 50_000_000
    public init() {}
  }
}

/// Which of the published Bab profiles is spoken.
public enum DialectName: String, Hashable, Sendable, CaseIterable {
  case guide, sdk, app
}

/// Where something stands in a scenario file, for messages; both from 1. Line 0: the override with that number.
public struct SourceLocation: Hashable, Sendable {
  public var line: Int
  public var column: Int
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
