import Bench
import Campaigns
import Conformance
import Judging

/// Whom a command talks to: two streams, or a test that listens.
struct OutputStreams {
  /// Takes a result: text without its last line feed.
  var tell: (String) -> Void
  /// Takes a diagnostic.
  var complain: (String) -> Void

  /// Standard output and standard error, nothing held back.
  static var standard: OutputStreams {
    OutputStreams(tell: { Console.resultOrEnd($0 + "\n") }, complain: { Console.complain($0) })
  }

  /// Says what kept a command from its work.
  /// - Returns: the exit code.
  func refuse(_ error: any Error, _ code: Judging.ExitCode) -> Int32 {
    Console.endProgress()
    // What is wrong with a file begins with its place, for editors.
    complain(error is ScenarioProblems ? "\(error)" : "error: \(error)")
    return code.rawValue
  }

  /// Says what kept a command from a run, and whose fault it is: that of who wrote the command line or a file, or the
  /// bench's own.
  /// - Returns: the exit code.
  func refuse(_ error: any Error) -> Int32 {
    switch error {
    case is Interrupted:
      Console.endProgress()
      complain("note: \(error)")
      return Interruption.exitCode
    case is UsageProblem, is SessionProblem, is LiveSession.Refusal, is NoScenario, is ScenarioProblems,
      is AppProtocol.UnknownEngine:
      return refuse(error, .usage)
    default: return refuse(error, .benchError)
    }
  }

  /// Says how far a command came that a signal ended.
  /// - Returns: the exit code.
  func interrupted(after count: Int, _ unit: String) -> Int32 {
    Console.endProgress()
    complain("note: interrupted after \(count) \(unit)")
    return Interruption.exitCode
  }
}
