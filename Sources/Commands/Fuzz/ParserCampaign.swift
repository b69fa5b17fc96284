import Foundation
import Fuzzing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One decoder under fuzzing, in worker processes one after the other: the next one goes on where a trap ended the
/// last.
final class ParserCampaign {
  struct Finding {
    var decoder: String
    /// What is the same for all inputs of this finding.
    var cause: String
    var execution: UInt64
    var input: [UInt8]
  }

  let decoder: FuzzedDecoder
  let seed: UInt64
  let executions: UInt64
  private let folder: String
  private(set) var findings: [Finding] = []
  private(set) var corpus: [[UInt8]]
  private(set) var done: UInt64 = 0
  private(set) var states: UInt64 = 0
  /// Wall-clock seconds without progress after which an input counts as a hang.
  private let patience: Double

  /// - Parameter folder: for what the processes share; made by the caller.
  init(_ decoder: FuzzedDecoder, seed: UInt64, executions: UInt64, seeds: [[UInt8]], patience: Double, folder: String) {
    self.patience = patience
    self.decoder = decoder
    self.seed = seed
    self.executions = executions
    self.folder = folder
    corpus = seeds.filter { $0.count <= decoder.limit }
  }

  /// - Parameter shouldStop: asked a few times a second.
  func run(shouldStop: () -> Bool) throws {
    let log = try InputLog(path: folder + "/input-\(decoder.name)")
    while done < executions, !shouldStop() {
      let worker = try Worker(self, log: log)
      let ending = worker.wait(shouldStop: shouldStop)
      if shouldStop() { return }
      if let cause = ending { try take(cause, from: log) }
    }
  }

  /// The worker ended in the middle of an input.
  private func take(_ cause: String, from log: InputLog) throws {
    let (execution, input) = (log.execution, log.input)
    if execution == .max {
      // An input of the corpus: from now on without it.
      corpus.removeAll { $0 == input }
    } else {
      done = execution + 1
    }
    guard !findings.contains(where: { $0.cause == cause }) else { return }
    // To try a smaller input that may hang costs the whole patience.
    let small =
      cause == Self.hang
      ? input
      : InputShrinker.shrink(input, tries: 200) { (try? replay($0)) == cause }
    findings.append(Finding(decoder: decoder.name, cause: cause, execution: execution, input: small))
  }

  /// Tries one input in a process of its own: what ended it, or nil.
  private func replay(_ input: [UInt8]) throws -> String? {
    let path = folder + "/try"
    try Data(input).write(to: URL(fileURLWithPath: path))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["fuzz", "parser", decoder.name, "--input", path]
    return try Self.end(of: process, seconds: patience)
  }

  /// What ended a process that was run to its end: words about a trap or a hang; nil for an exit of its own.
  fileprivate static func end(of process: Process, seconds: Double) throws -> String? {
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    process.environment = environment
    let errors = Pipe()
    process.standardError = errors
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let limit = Date(timeIntervalSinceNow: seconds)
    while process.isRunning, Date() < limit { usleep(2_000) }
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      return hang
    }
    return words(process, String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self))
  }

  fileprivate static let hang = "hangs"

  fileprivate static func words(_ process: Process, _ errors: String) -> String? {
    guard process.terminationReason == .uncaughtSignal else { return nil }
    let message = errors.split(separator: "\n").first { $0.contains("Fatal error") || $0.contains("fatal") }
    return message.map(String.init) ?? "ended by signal \(process.terminationStatus)"
  }

  /// One worker process.
  private final class Worker {
    private let campaign: ParserCampaign
    private let log: InputLog
    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()

    init(_ campaign: ParserCampaign, log: InputLog) throws {
      self.campaign = campaign
      self.log = log
      let corpus = campaign.folder + "/corpus-\(campaign.decoder.name)"
      let lines = campaign.corpus.map { Data($0).base64EncodedString() }.joined(separator: "\n")
      try Data(lines.utf8).write(to: URL(fileURLWithPath: corpus))
      process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      process.arguments = [
        "fuzz", "parser", campaign.decoder.name, "--seed", "\(campaign.seed)", "--worker",
        "\(campaign.folder)", "--first", "\(campaign.done)", "--executions", "\(campaign.executions)",
      ]
      var environment = ProcessInfo.processInfo.environment
      environment["SWIFT_BACKTRACE"] = "enable=no"
      process.environment = environment
      process.standardOutput = output
      process.standardError = errors
      log.enter(campaign.done, [])
      try process.run()
    }

    /// What ended the worker in the middle of an input; nil when it was through.
    func wait(shouldStop: () -> Bool) -> String? {
      let reader = output.fileHandleForReading
      var waiting: [UInt8] = []
      var last = (execution: log.execution, since: Date())
      var isHung = false
      while true {
        var ready = pollfd(fd: reader.fileDescriptor, events: Int16(POLLIN), revents: 0)
        if poll(&ready, 1, 200) > 0 {
          let data = reader.availableData
          if data.isEmpty { break }
          waiting += data
          takeLines(&waiting)
        }
        if log.execution != last.execution { last = (log.execution, Date()) }
        isHung = Date().timeIntervalSince(last.since) > campaign.patience
        if isHung || shouldStop() { kill(process.processIdentifier, SIGKILL) }
        campaign.show(log)
      }
      process.waitUntilExit()
      if isHung { return ParserCampaign.hang }
      return ParserCampaign.words(
        process, String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self))
    }

    private func takeLines(_ waiting: inout [UInt8]) {
      while let end = waiting.firstIndex(of: 0x0A) {
        campaign.take(line: String(decoding: waiting[..<end], as: UTF8.self))
        waiting.removeSubrange(...end)
      }
    }
  }

  private func take(line: String) {
    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
    switch words.first {
    case "kept": if words.count > 1, let octets = Data(base64Encoded: words[1]) { corpus.append([UInt8](octets)) }
    case "fault":
      guard words.count == 4, let execution = UInt64(words[1]), let octets = Data(base64Encoded: words[2])
      else { return }
      findings.append(Finding(decoder: decoder.name, cause: words[3], execution: execution, input: [UInt8](octets)))
    case "done":
      done = words.count > 1 ? UInt64(words[1]) ?? done : done
      states = words.count > 2 ? UInt64(words[2]) ?? states : states
    default: break
    }
  }

  private func show(_ log: InputLog) {
    guard Console.showsProgress else { return }
    let executions = log.execution == .max ? done : log.execution
    Console.progress(
      "\(decoder.name): \(executions) of \(self.executions) executions, \(corpus.count) inputs kept, "
        + "\(findings.count) finding\(findings.count == 1 ? "" : "s")")
  }
}
