import Foundation

/// Signals and exit codes by the names that people know.
package enum SignalName {
  private static let names: [(number: Int32, name: String)] = [
    (SIGHUP, "SIGHUP"), (SIGINT, "SIGINT"), (SIGQUIT, "SIGQUIT"), (SIGILL, "SIGILL"), (SIGTRAP, "SIGTRAP"),
    (SIGABRT, "SIGABRT"), (SIGBUS, "SIGBUS"), (SIGFPE, "SIGFPE"), (SIGKILL, "SIGKILL"), (SIGUSR1, "SIGUSR1"),
    (SIGSEGV, "SIGSEGV"), (SIGUSR2, "SIGUSR2"), (SIGPIPE, "SIGPIPE"), (SIGALRM, "SIGALRM"), (SIGTERM, "SIGTERM"),
    (SIGXCPU, "SIGXCPU"), (SIGXFSZ, "SIGXFSZ"), (SIGSYS, "SIGSYS"),
  ]

  package static func of(_ number: Int32) -> String {
    names.first { $0.number == number }?.name ?? "signal \(number)"
  }

  /// What else is known about a signal; nil for most.
  package static func meaning(_ number: Int32) -> String? {
    switch number {
    case SIGSEGV, SIGBUS: "an invalid access to memory"
    case SIGILL, SIGTRAP: "a trap, such as a failed check of Swift"
    case SIGABRT: "abort, such as a failed assertion"
    case SIGKILL: "not by the bench: by the system, for example for lack of memory, or by another process"
    case SIGPIPE: "it wrote to a pipe that nobody reads"
    default: nil
    }
  }

  /// What an exit code means by the convention of shells; nil where it means nothing more.
  package static func meaning(ofExitCode code: Int32) -> String? {
    switch code {
    case 126: "a shell gives it for a file that cannot be executed"
    case 127: "a shell gives it for a command that does not exist"
    case 129...192:
      names.first { $0.number == code - 128 }.map { "a shell gives it when what it has started is ended by \($0.name)" }
    default: nil
    }
  }
}
