import Campaigns
import Conformance
import Foundation

/// A process of this program that is a `ParserWorker`, as the command sees it.
final class Worker {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let log: InputLog
  private var waiting: [UInt8] = []

  /// - Parameters:
  ///   - words: after `fuzz parser`.
  ///   - log: that of the folder.
  ///   - errors: the file that gets its standard error, emptied first.
  init(_ words: [String], log: InputLog, errors: String) throws {
    self.log = log
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["fuzz", "parser"] + words
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    process.standardInput = input
    process.standardOutput = output
    let descriptor = open(errors, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BenchFailure("\(errors): \(String(cString: strerror(errno)))") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    process.standardError = file
    try process.run()
  }

  /// Asks for something; what it answers comes as lines.
  func ask(_ words: String) throws {
    do {
      try input.fileHandleForWriting.write(contentsOf: Data((words + "\n").utf8))
    } catch {
      throw BenchFailure("the process that runs the decoder has ended")
    }
  }

  /// The lines that have come, after a wait for more; nil at the end of its output.
  func lines(milliseconds: Int32) -> [String]? {
    let reader = output.fileHandleForReading
    var ready = pollfd(fd: reader.fileDescriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, milliseconds) > 0 else { return [] }
    let data = reader.availableData
    if data.isEmpty { return nil }
    waiting += data
    guard let end = waiting.lastIndex(of: 0x0A) else { return [] }
    defer { waiting.removeSubrange(...end) }
    return waiting[...end].split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }

  /// What the child that tries inputs uses, with what it has started.
  var residentOctets: Int { log.child == 0 ? 0 : ProcessFamily(of: Int32(log.child)).residentOctets }

  /// Ends it with its child.
  func kill() {
    guard process.isRunning else { return }
    send(SIGKILL, to: process.processIdentifier)
    process.waitUntilExit()
  }

  func ending() -> ChildProcess.Ending {
    process.waitUntilExit()
    let number = process.terminationStatus
    return process.terminationReason == .uncaughtSignal ? .signal(number) : .exitCode(number)
  }

  private func send(_ signal: Int32, to pid: Int32) {
    #if canImport(Glibc)
      _ = Glibc.kill(pid, signal)
    #else
      _ = Darwin.kill(pid, signal)
    #endif
  }
}
