import Bench
import Conformance
package import Fuzzing
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A parser in a program of its own, which reads inputs from standard input.
///
/// In a loop, an input is four octets that count it (the lowest first) and the octets; the program answers each with
/// one line. Once per input, the input is everything up to the end of its standard input.
package final class ParserProgram: Sendable {
  package enum Manner: Sendable {
    /// One process reads inputs until one ends it.
    case loop
    /// A process for each input.
    case once
  }

  /// What one input may take.
  package struct Limits: Sendable {
    /// Wall-clock milliseconds to the answer.
    package var patienceMilliseconds: Int
    /// Resident memory of the program and of what it has started, octets; looked at on Linux only.
    package var memoryOctets: Int

    package init(patienceMilliseconds: Int, memoryOctets: Int) {
      self.patienceMilliseconds = patienceMilliseconds
      self.memoryOctets = memoryOctets
    }
  }

  package static let hang = "hangs"

  private static let logOctets = 64 << 10
  private static let runsPerMemoryCheck = 1_024
  private static let lineLimit = 1 << 16
  /// From here on an exit code is what a shell says about a program.
  private static let shellCodes: Int32 = 126
  /// So many processes may end before any has answered.
  private static let startLimit = 3

  private struct State {
    var child: ChildProcess?
    var runs = 0
    var starts = 0
    var hasAnswered = false
    var problem: ParserProblem?
  }

  private let launch: ProgramLaunch
  private let command: String
  private let manner: Manner
  private let limits: Limits
  private let state = Mutex(Guarded(State()))

  /// One thread at a time has it.
  private struct Guarded: @unchecked Sendable {
    var state: State
    init(_ state: State) { self.state = state }
  }

  /// - Parameters:
  ///   - command: a line for the shell, run in `directory`.
  ///   - environment: `NAME=value`.
  package init(command: String, _ manner: Manner, directory: String, environment: [String], limits: Limits) {
    // The end of a program is seen as it is when no shell is around it.
    let isPlain = !command.contains { ";|&<>()`\n".contains($0) } && !command.prefix { $0 != " " }.contains("=")
    let line = isPlain ? "exec " + command : command
    launch = ProgramLaunch(command: ["/bin/sh", "-c", line], directory: directory, environment: environment)
    self.command = command
    self.manner = manner
    self.limits = limits
  }

  /// Why no input can be tried; nil while they can.
  package var problem: ParserProblem? { state.withLock { $0.state.problem } }

  /// Ends the program.
  package func close() {
    state.withLock { guarded in
      guarded.state.child?.kill()
      guarded.state.child = nil
    }
  }

  /// The parser as the fuzzer sees it.
  package func decoder(_ name: String, _ grammar: InputGrammar) -> FuzzedDecoder {
    FuzzedDecoder(parser: name, grammar, isBlind: true) { input in
      self.state.withLock { self.answer(input, &$0.state) }
    }
  }

  private func answer(_ input: [UInt8], _ state: inout State) -> FuzzedDecoder.Answer {
    if state.problem != nil { return .refused(reason: "not started", offset: nil) }
    guard let child = child(&state) else { return .refused(reason: "not started", offset: nil) }
    let count = input.count
    let head = manner == .loop ? (0..<4).map { UInt8(truncatingIfNeeded: count >> (8 * $0)) } : []
    let answer = exchange(head + input, child, &state)
    switch answer {
    case .broken:
      child.kill()
      state.child = nil
    default:
      state.hasAnswered = true
    }
    if !state.hasAnswered, state.starts >= Self.startLimit, case .broken(let cause, let detail) = answer {
      state.problem = ParserProblem(
        "\(command): it has answered no input; \(state.starts) processes began, the last one \(detail ?? cause)",
        isUsage: false)
    }
    return answer
  }

  private func child(_ state: inout State) -> ChildProcess? {
    if let child = state.child { return child }
    do throws(ChildProcess.StartProblem) {
      let child = try ChildProcess(launch, logOctets: Self.logOctets)
      state.starts += 1
      state.child = manner == .loop ? child : nil
      return child
    } catch {
      state.problem = ParserProblem("\(command): it cannot be started: \(error.detail)", isUsage: false)
      return nil
    }
  }

  private func exchange(_ octets: [UInt8], _ child: ChildProcess, _ state: inout State) -> FuzzedDecoder.Answer {
    // What has come since the last answer was not asked for.
    guard manner == .once || child.isQuiet() else {
      return .broken("says more than one line for an input", detail: "it said \(Self.shown(child.pending))")
    }
    var time = WallLimit(milliseconds: limits.patienceMilliseconds, of: child.pid)
    var isOver = false
    var sent = child.write(octets[...])
    state.runs += 1
    if state.runs % Self.runsPerMemoryCheck == 0, let cause = memoryCause(child) { return cause }
    while true {
      if manner == .once, sent == octets.count || child.inputIsBroken { child.closeInput() }
      if manner == .loop, let line = child.takeLine() { return Self.answer(line) }
      if child.pending.count > Self.lineLimit {
        return .broken("answers without end", detail: "wrote more than \(Self.lineLimit) octets that are no line")
      }
      // The answer may have come while the bench itself had no processor: a last look decides.
      if isOver { return .broken(Self.hang, detail: "no answer within \(limits.patienceMilliseconds) ms") }
      let left = time.left()
      isOver = left == 0
      if manner == .loop, child.inputIsBroken { return ended(child) }
      switch child.wait(milliseconds: min(left, WallLimit.sliceMilliseconds), toWrite: sent < octets.count) {
      case .ended: return ended(child)
      case .quiet: if let cause = memoryCause(child) { return cause }
      case .progress: if sent < octets.count { sent += child.write(octets[sent...]) }
      }
    }
  }

  private func memoryCause(_ child: ChildProcess) -> FuzzedDecoder.Answer? {
    guard ProcessFamily(of: child.pid).residentOctets > limits.memoryOctets else { return nil }
    return .broken("takes more than \(limits.memoryOctets >> 20) MiB of memory")
  }

  /// Numbers in an answer differ from input to input and are not part of its kind.
  private static func answer(_ line: some Collection<UInt8>) -> FuzzedDecoder.Answer {
    var kind: UInt64 = 0
    for octet in line.prefix(256) where !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(octet) {
      kind = (kind ^ UInt64(octet)) &* 0x100_0000_01B3
    }
    return .accepted(kind: kind, canonical: nil)
  }

  /// The program has ended: what it said, or how it ended.
  private func ended(_ child: ChildProcess) -> FuzzedDecoder.Answer {
    var time = WallLimit(milliseconds: 1_000, of: child.pid)
    while !child.hasEnded(), time.left() > 0 { _ = child.wait(milliseconds: 1, toWrite: false) }
    child.kill()
    child.closeStreams()
    let (crash, lines) = CrashReader(child.log.text, folder: launch.directory).read(endedBadly: true)
    let last = lines.last.map { ": \($0)" } ?? ""
    switch child.ending {
    case .exitCode(let code) where manner == .once && (code == 0 || crash == nil && code < Self.shellCodes):
      return .accepted(kind: UInt64(code) << 32 | Self.kind(child.pending), canonical: nil)
    case .exitCode(let code):
      let meaning = SignalName.meaning(ofExitCode: code).map { " (\($0))" } ?? ""
      return broken(crash, "ended with exit code \(code)\(meaning)", last)
    case .signal(let number): return broken(crash, "was ended by \(SignalName.of(number))", last)
    case .unknown, nil: return broken(crash, "ended", last)
    }
  }

  /// The beginning of what it said, as people can read it.
  private static func shown(_ octets: ArraySlice<UInt8>) -> String {
    let head = octets.prefix(40).map { $0 < 0x20 || $0 == 0x7F ? UInt8(ascii: ".") : $0 }
    return "“\(String(decoding: head, as: UTF8.self))\(octets.count > 40 ? "…" : "")”"
  }

  private static func kind(_ line: some Collection<UInt8>) -> UInt64 {
    guard case .accepted(let kind, _) = answer(line.prefix { $0 != 0x0A }) else { return 0 }
    return kind & 0xFFFF_FFFF
  }

  /// Findings are grouped by the place of the message and what kind of error it names, as far as there is one.
  private func broken(_ crash: CrashMessage?, _ ending: String, _ last: String) -> FuzzedDecoder.Answer {
    guard let crash else { return .broken(ending, detail: ending + last) }
    let kind = crash.text.prefix { $0 != ":" }
    return .broken(kind.isEmpty ? crash.place : "\(crash.place): \(kind)", detail: "\(crash.words); \(ending)")
  }
}
