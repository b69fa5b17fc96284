import Campaigns
import Conformance
import Foundation
import Fuzzing
import Judging
import ParserTargets

/// One decoder under fuzzing, in worker processes one after the other: the next one goes on where a trap ended the
/// last.
final class ParserCampaign: FuzzCampaign {
  let decoder: FuzzedDecoder
  private let plan: CampaignPlan
  /// The words of a command line that name the decoder to a worker.
  private let words: [String]
  /// The library that it is in; nil: it is ours.
  private let library: String?
  private let folder: String
  private(set) var findings: [FuzzFinding] = []
  private(set) var corpus: [[UInt8]]
  private(set) var done: UInt64 = 0
  private(set) var states: UInt64 = 0
  private(set) var curve = emptyCurve
  private(set) var remark: String?
  /// Why the decoder cannot be tried at all.
  private var problem: ParserProblem?
  private var isThrough = false
  private var worker: Worker?
  /// Symbols of a library by their offsets: to ask for one takes long.
  private var places: [String: String] = [:]

  static let hang = ParserProgram.hang
  private static let shrinkTries = 200
  private static let errorTail = 64 << 10

  /// - Parameter folder: for what the processes share; made by the caller.
  init(_ decoder: FuzzedDecoder, words: [String], library: String? = nil, _ plan: CampaignPlan, folder: String) {
    self.decoder = decoder
    self.words = words
    self.library = library
    self.plan = plan
    self.folder = folder
    corpus = plan.seeds.filter { $0.count <= decoder.limit }
    guard let progress = plan.progress else { return }
    (done, states, findings, curve) = (progress.done, progress.states, progress.findings, progress.curve)
    corpus = progress.corpus.map { [UInt8]($0) }
  }

  func run(shouldStop: () -> Bool) throws {
    let log = try InputLog(path: folder + "/input")
    while !isThrough, done < plan.executions, !shouldStop() {
      try FileSink.write(corpusLines(), to: folder + "/corpus")
      log.enter(done, [])
      let worker = try worker ?? start(log)
      try worker.ask("go \(done)")
      let cause = try follow(worker, log, shouldStop)
      if let problem { throw problem }
      if shouldStop() { break }
      if let cause { try take(cause, from: log) }
    }
    worker?.kill()
  }

  deinit { worker?.kill() }

  private func start(_ log: InputLog) throws -> Worker {
    let options = ["--seed", "\(plan.seed)", "--worker", folder, "--executions", "\(plan.executions)"]
    let started = try Worker(
      words + options + ["--memory", "\(plan.memory >> 20)"], log: log, errors: folder + "/errors")
    worker = started
    return started
  }

  private func end(_ worker: Worker) {
    worker.kill()
    self.worker = nil
  }

  private func corpusLines() -> [UInt8] {
    Array(corpus.map { Data($0).base64EncodedString() + "\n" }.joined().utf8)
  }

  // MARK: One worker

  /// Why an input ended a worker.
  private struct Cause {
    var words: String
    var detail: String?
  }

  /// Listens to a worker until its child has ended: what ended it in the middle of an input, or nil.
  private func follow(_ worker: Worker, _ log: InputLog, _ shouldStop: () -> Bool) throws -> Cause? {
    var last = (execution: log.execution, since: Date())
    while true {
      guard let lines = worker.lines(milliseconds: 200) else {
        let ending = worker.ending()
        end(worker)
        return isThrough || problem != nil ? nil : cause(ending, log)
      }
      for line in lines {
        if let ending = try take(line: line) { return isThrough ? nil : cause(ending, log) }
      }
      if problem != nil { return nil }
      if log.execution != last.execution { last = (log.execution, Date()) }
      if Date().timeIntervalSince(last.since) > plan.patience {
        end(worker)
        return Cause(words: Self.hang)
      }
      if worker.residentOctets > plan.memory {
        end(worker)
        return Cause(words: "takes more than \(plan.memory >> 20) MiB of memory")
      }
      if shouldStop() {
        end(worker)
        return nil
      }
      showProgress(log.execution == .max ? done : log.execution, of: plan.executions)
    }
  }

  private func cause(_ ending: ChildProcess.Ending, _ log: InputLog) -> Cause {
    let said = Self.tail(of: folder + "/errors")
    let (message, _) = CrashReader(said, folder: FileManager.default.currentDirectoryPath).read(endedBadly: false)
    let fatal = said.split(separator: "\n").first { $0.contains("Fatal error") || $0.contains("fatal") }
    let words: String
    switch ending {
    case .signal(let number): words = SignalName.of(number)
    case .exitCode(let code): words = "ends the process with exit code \(code)"
    case .unknown: words = "ends the process"
    }
    guard let library, let crash = CrashPlace(notedIn: log.crash) else {
      return Cause(words: fatal.map(String.init) ?? (library == nil ? "ended by \(words)" : words))
    }
    let place = place(of: crash, in: library)
    CrashPlace.forget(log.crash)
    let detail = message?.words ?? fatal.map(String.init)
    return Cause(words: place.map { "\(crash.signal) in \($0)" } ?? detail ?? crash.signal, detail: detail)
  }

  private func place(of crash: CrashPlace, in library: String) -> String? {
    if let known = places[crash.key] { return known }
    let words = crash.words(library: library)
    places[crash.key] = words
    return words
  }

  /// The end of a file, which is empty afterwards: it is what the last child said.
  private static func tail(of path: String) -> String {
    guard let file = FileHandle(forUpdatingAtPath: path) else { return "" }
    defer {
      try? file.truncate(atOffset: 0)
      try? file.close()
    }
    let end = (try? file.seekToEnd()) ?? 0
    try? file.seek(toOffset: end > UInt64(errorTail) ? end - UInt64(errorTail) : 0)
    return String(decoding: (try? file.readToEnd()) ?? Data(), as: UTF8.self)
  }

  /// How the child of the worker ended, where a line says so.
  private func take(line: String) throws -> ChildProcess.Ending? {
    // No octets are no word between two spaces.
    let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).map(String.init)
    switch words.first {
    case "kept":
      guard words.count == 4, let octets = Data(base64Encoded: words[3]) else { return nil }
      corpus.append([UInt8](octets))
      pass(words, after: 1)
      try plan.kept([UInt8](octets))
    case "fault":
      guard words.count == 4, let execution = UInt64(words[1]), let octets = Data(base64Encoded: words[2])
      else { return nil }
      try add(FuzzFinding(decoder: decoder.name, cause: words[3], execution: execution, input: [UInt8](octets)))
    case "past": pass(words, after: 0)
    case "coverage":
      if words.last == "0" {
        remark =
          "no coverage in \(decoder.name): inputs are kept by what it returns and how long they are; "
          + "build it with -fsanitize-coverage=inline-8bit-counters"
      }
    case "ended":
      guard words.count == 3, let number = Int32(words[2]) else { return nil }
      return words[1] == "signal" ? .signal(number) : .exitCode(number)
    case "unusable": problem = ParserProblem(String(line.dropFirst(9)), isUsage: true)
    case "done":
      isThrough = true
      pass(words, after: 0)
    default: break
    }
    return nil
  }

  /// All before an execution, which a line names with the number of answers so far, is done.
  private func pass(_ words: [String], after further: UInt64) {
    guard words.count > 2, let execution = UInt64(words[1]), let count = UInt64(words[2]) else { return }
    (done, states) = (execution + further, count)
    curve.note([Int(states), corpus.count, findings.count], at: Int(done))
  }

  private func add(_ finding: FuzzFinding) throws {
    guard !findings.contains(where: { $0.cause == finding.cause }) else { return }
    findings.append(finding)
    curve.note([Int(states), corpus.count, findings.count], at: finding.execution == .max ? 0 : Int(finding.execution))
    try plan.found(finding)
  }

  // MARK: Findings

  /// The worker ended in the middle of an input.
  private func take(_ cause: Cause, from log: InputLog) throws {
    let (execution, input) = (log.execution, log.input)
    if execution == .max {
      // An input of the corpus: from now on without it.
      corpus.removeAll { $0 == input }
    } else {
      done = execution + 1
      states = log.states
    }
    guard !findings.contains(where: { $0.cause == cause.words }) else { return }
    // To try a smaller input that may hang costs the whole patience.
    let small =
      cause.words == Self.hang
      ? input
      : InputShrinker.shrink(input, tries: Self.shrinkTries) { (try? replay($0))?.words == cause.words }
    try add(
      FuzzFinding(
        decoder: decoder.name, cause: cause.words, detail: cause.detail, execution: execution, input: small))
  }

  /// Tries one input in a process of its own.
  private func replay(_ input: [UInt8]) throws -> Cause? {
    try FileSink.write(input, to: folder + "/try")
    let log = try InputLog(path: folder + "/input")
    log.enter(0, [])
    let before = (done, states, curve)
    defer {
      isThrough = false
      (done, states, curve) = before
    }
    let worker = try worker ?? start(log)
    try worker.ask("try")
    let cause = try follow(worker, log) { false }
    if let problem { throw problem }
    return cause
  }

  /// What one input does: words for people about how it ended the process, or nil.
  func outcome(of input: [UInt8]) throws -> String? {
    try replay(input).map { cause in cause.detail.map { "\(cause.words)\n\($0)" } ?? cause.words }
  }
}
