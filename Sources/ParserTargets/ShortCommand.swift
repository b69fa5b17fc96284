import Bench
import Conformance

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A program that is asked one thing and ends.
enum ShortCommand {
  private static let patienceMilliseconds = 5_000

  private static var path: String { "PATH=" + (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin") }

  /// What it writes; nil when it is not there, fails, or takes more than some seconds.
  static func output(_ command: [String]) -> String? {
    let launch = ProgramLaunch(command: command, directory: "/", environment: [path])
    guard let child = try? ChildProcess(launch, logOctets: 1_024) else { return nil }
    child.closeInput()
    var time = WallLimit(milliseconds: patienceMilliseconds, of: child.pid)
    while child.wait(milliseconds: 20, toWrite: false) != .ended {
      if time.left() == 0 { return nil }
    }
    while !child.hasEnded(), time.left() > 0 { _ = child.wait(milliseconds: 1, toWrite: false) }
    child.kill()
    guard child.ending == .exitCode(0) else { return nil }
    return String(decoding: child.pending, as: UTF8.self)
  }
}
