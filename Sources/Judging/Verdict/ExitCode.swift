/// What the process answers to its caller. The numbers are a contract with scripts; they never change.
public enum ExitCode: Int32, Hashable, Sendable, CaseIterable {
  case pass = 0
  case fail = 1
  /// Neither pass nor fail could be said, or nothing was judged at all.
  case inconclusive = 2
  /// The bench itself failed.
  case benchError = 3
  /// The command line or an input file is wrong (`EX_USAGE` of sysexits.h).
  case usage = 64

  /// The code for a combined verdict: `none` is not a pass, because a run that judged nothing has shown nothing.
  public init(_ verdict: Verdict) {
    switch verdict {
    case .none, .inconclusive: self = .inconclusive
    case .pass: self = .pass
    case .fail: self = .fail
    case .error: self = .benchError
    }
  }
}
