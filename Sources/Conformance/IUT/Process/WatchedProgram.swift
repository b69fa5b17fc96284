import Bench

/// A program that runs beside a session: whether it goes on, and what it says when it does not.
///
/// Its standard output and standard error are one log, of which the newest 256 KiB are kept. It has a process group of
/// its own, which ends with it.
package final class WatchedProgram {
  /// Why there is no program, for people.
  package struct StartProblem: Error, CustomStringConvertible {
    package var description: String
  }

  private let child: ChildProcess
  private let directory: String
  private var size = 0

  /// - Parameters:
  ///   - command: as a shell reads it.
  ///   - directory: its working directory, absolute.
  ///   - environment: the whole of it, `NAME=value`.
  package init(command: String, directory: String, environment: [String]) throws(StartProblem) {
    self.directory = directory
    do {
      child = try ChildProcess(
        ProgramLaunch(
          command: ["/bin/sh", "-c", "exec 1>&2\n" + command], directory: directory, environment: environment),
        logOctets: 256 << 10)
    } catch {
      throw StartProblem(description: error.detail)
    }
    child.closeInput()
  }

  /// Takes over what it has said since, and tells whether it goes on.
  package func isRunning() -> Bool {
    _ = child.wait(milliseconds: 0, toWrite: false)
    return !child.hasEnded()
  }

  package var log: String { child.log.text }

  /// Whether the log is longer than at the last call.
  package func hasSaidMore() -> Bool {
    let count = child.log.count
    defer { size = count }
    return count > size
  }

  /// What its log says of failures, each the innermost place and the error: all that a Linux kernel says there, and the
  /// newest of a program.
  package func crashes(endedBadly: Bool) -> [CrashMessage] {
    let log = child.log.text
    let crash = CrashReader(log, folder: directory, prefersOwnFrames: false).read(endedBadly: endedBadly).crash
    return KernelLog(log).complaints + (crash.map { [$0] } ?? [])
  }

  /// Ends it if it goes on, and says how it ended by itself: “exit code 1”, “SIGSEGV”; nil when it was ended here.
  package func stop() -> String? {
    _ = child.wait(milliseconds: 0, toWrite: false)
    child.kill()
    child.closeStreams()
    switch child.ending {
    case .exitCode(let code):
      // A shell tells a signal that way.
      return code > 128 && code < 160 ? SignalName.of(code - 128) : "exit code \(code)"
    case .signal(let number): return SignalName.of(number)
    case .unknown, nil: return nil
    }
  }
}
