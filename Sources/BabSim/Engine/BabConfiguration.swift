public import AppSeam
public import SimKernel

/// Everything a reference engine is told before it runs; plain values, so a run can be repeated.
public struct BabConfiguration: Sendable {
  public var dialect: Dialect
  /// Unique among the peers of a run; not empty.
  public var peerID: String
  public var displayName: String
  /// Committed lines after which the game is over; 0 = it never ends by itself.
  public var totalLines = 12
  public var lineScript = LineScript.standard
  /// Scenarios this app knows; roles are taken from them.
  public var scenarios = GameScenario.presets
  /// Host: time between two HEARTBEATs to every player; client: to the host. Zero = none.
  public var heartbeatInterval = SimDuration.zero
  /// The unit of every back-off.
  public var retryDelay = SimDuration.milliseconds(100)
  /// For the draws of the back-off; the seed of the run, so that every run spreads its retries in its own way.
  public var seed: UInt64 = 0
  /// From a connection to a seat in the lobby, on both sides.
  public var joinTimeout = SimDuration.seconds(15)
  /// How long a vote is open.
  public var voteTimeout = SimDuration.seconds(30)
  /// Host: sessions finished before with these peers, for the achievement `language_partner`.
  public var earlierSessions: [EarlierSessions] = []

  public struct EarlierSessions: Hashable, Sendable {
    public var peerID: String
    public var count: Int
    public init(peerID: String, count: Int) {
      self.peerID = peerID
      self.count = count
    }
  }

  public init(dialect: Dialect, peerID: String, displayName: String) {
    self.dialect = dialect
    self.peerID = peerID
    self.displayName = displayName
  }

  /// What an engine makes of what its app is told. A dialect that is none of Bab's is taken for `sdk`.
  public init(_ app: AppConfiguration) {
    self.init(dialect: app.dialect.profile, peerID: app.peerID, displayName: app.displayName)
    seed = app.seed
    guard let game = app.settings.record as? GameSettings else { return }
    totalLines = game.totalLines
    lineScript = game.lineScript
    scenarios = game.scenarios
    heartbeatInterval = game.heartbeat ?? .zero
    earlierSessions = game.earlierSessions
  }

  /// The wall time that simulated time 0 stands for, in milliseconds since 1970 (BAB 8.11).
  public static let epochMilliseconds: Int64 = 1_700_000_000_000

  /// Milliseconds since 1970 as packets carry them; simulated, never the machine's.
  static func wallMilliseconds(_ now: SimInstant) -> Int64 { epochMilliseconds + now.nanoseconds / 1_000_000 }
}
