public import AppSeam
public import Bench

/// An engine that can fail as a program does, besides giving wrong answers: one in a process of its own.
public protocol FallibleEngine: AppEngine {
  /// Why it answers no more; nil while it does. Once set it stays.
  var failure: IUTFailure? { get }
  /// What it wrote for people, its newest part; empty where there is no such thing.
  var log: String { get }
  /// The lines of the log with their instants; empty where there is no such thing.
  var logLines: [AppLog.Line] { get }
  /// Ends the app: the case is over, or the app was killed. Must leave nothing behind.
  func close()
}

extension FallibleEngine {
  public var log: String { "" }
  public var logLines: [AppLog.Line] { [] }
}
