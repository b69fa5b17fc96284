import CParserHost

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lets a child of this process do what may end it. The process must have no other thread.
package enum ForkedTry {
  package enum Ending: Sendable {
    case exitCode(Int32)
    case signal(Int32)
    /// The system gives no process.
    case notStarted
  }

  /// From now on this process ends with the one that started it.
  package static func endWithParent() { parser_end_with_parent() }

  /// - Parameters:
  ///   - begun: told the child's process id before it is waited for.
  ///   - body: what the child does before it leaves with exit code 0.
  package static func run(begun: (Int32) -> Void, _ body: () -> Void) -> Ending {
    let pid = parser_fork()
    if pid < 0 { return .notStarted }
    if pid == 0 {
      body()
      _exit(0)
    }
    begun(pid)
    let ending = parser_wait(pid)
    return ending.signal == 0 ? .exitCode(ending.code) : .signal(ending.signal)
  }
}
