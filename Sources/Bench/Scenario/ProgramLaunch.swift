/// How a program is started that is an app.
public struct ProgramLaunch: Hashable, Sendable {
  /// The program and its arguments; a program without a slash is looked for in PATH.
  public var command: [String]
  /// Its working directory, absolute.
  public var directory: String
  /// Its whole environment, `NAME=value`.
  public var environment: [String]

  public init(command: [String], directory: String, environment: [String]) {
    self.command = command
    self.directory = directory
    self.environment = environment
  }
}

/// What such a program may take, in wall-clock time and in octets: the only place where the wall clock can
/// change a verdict. Docs/Formats/iut-protocol.md has the table.
public struct ProgramLimits: Hashable, Sendable {
  /// From the start to the hello.
  public var startMilliseconds = 10_000
  /// From an input to the whole answer.
  public var answerMilliseconds = 5_000
  /// All answers of one launch together: who always answers just in time would keep the bench for hours.
  public var launchMilliseconds = 120_000
  /// From the end of its input to its own end.
  public var endMilliseconds = 1_000
  /// Resident memory of the program and of what it has started; enforced on Linux only.
  public var memoryOctets = 512 << 20
  /// One line of the answer.
  public var lineOctets = 4 << 20
  /// Effects and reports of one answer.
  public var effects = 10_000
  /// Timers that are set and have not come back.
  public var timers = 1_000
  /// How much of the newest standard error is kept.
  public var logOctets = 256 << 10

  public init() {}
}
