import Foundation
import Fuzzing
import ParserTargets

/// The process that has a decoder, and lets children of its own try inputs: a trap ends a child, and the next one
/// begins with what is known by then. The command knows the input from a file that all have mapped.
///
/// It is asked by lines: `go EXECUTION` (try inputs from this one on) and `try` (the one in the file `try`). It answers
/// `kept EXECUTION STATES BASE64`, `fault EXECUTION BASE64 RULE`, `past EXECUTION STATES` now and then,
/// `done EXECUTIONS STATES`, and after each child `ended signal NUMBER` or `ended exit CODE`.
struct ParserWorker {
  let decoder: FuzzedDecoder
  let seed: UInt64
  /// Shared with the command.
  let folder: String
  let log: InputLog
  /// Executions are run up to this one.
  let end: UInt64
  var say: (String) -> Void

  private static let executionsPerTrim: UInt64 = 1 << 14
  private static let executionsPerWord: UInt64 = 1 << 10
  private static let errorLimit: off_t = 1 << 20

  func serve() {
    while let line = readLine() {
      let words = line.split(separator: " ")
      let first = words.count > 1 ? UInt64(words[1]) : nil
      let ending = ForkedTry.run(begun: { log.child = UInt64($0) }) {
        if let first { run(from: first) } else { tryOne() }
      }
      switch ending {
      case .exitCode(let code): say("ended exit \(code)")
      case .signal(let number): say("ended signal \(number)")
      case .notStarted: say("unusable no process can be started")
      }
    }
  }

  private func tryOne() {
    guard let input = FileManager.default.contents(atPath: folder + "/try") else { return }
    log.enter(0, [UInt8](input))
    _ = decoder.judge([UInt8](input))
    say("done 1 0")
  }

  private func run(from first: UInt64) {
    let lines =
      (try? String(contentsOfFile: folder + "/corpus", encoding: .utf8))?
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast() ?? []
    var fuzzer = DecoderFuzzer(decoder, seed: seed, from: first)
    for line in lines {
      guard let input = Data(base64Encoded: String(line)) else { continue }
      log.enter(.max, [UInt8](input))
      if case .fault(let finding) = fuzzer.add([UInt8](input)) { tell(finding) }
    }
    while fuzzer.execution < end {
      if fuzzer.execution % Self.executionsPerTrim == 0 { trimErrors() }
      let input = fuzzer.nextInput()
      log.enter(fuzzer.execution, input)
      switch fuzzer.run(input) {
      case .nothing: break
      case .kept:
        log.states = UInt64(fuzzer.states)
        say("kept \(fuzzer.execution - 1) \(fuzzer.states) \(Data(input).base64EncodedString())")
      case .fault(let finding): tell(finding)
      }
      if fuzzer.execution % Self.executionsPerWord == 0 { say("past \(fuzzer.execution) \(fuzzer.states)") }
    }
    say("done \(fuzzer.execution) \(fuzzer.states)")
  }

  private func tell(_ finding: DecoderFuzzer.Finding) {
    let rule = finding.fault.rule
    let small = InputShrinker.shrink(finding.input) { candidate in
      if case .failure(let fault) = decoder.judge(candidate) { fault.rule == rule } else { false }
    }
    say("fault \(finding.execution) \(Data(small).base64EncodedString()) \(rule)")
  }

  /// What a parser writes to standard error goes to a file of the command, which must not fill the disk.
  private func trimErrors() {
    var status = stat()
    guard fstat(STDERR_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > Self.errorLimit
    else { return }
    ftruncate(STDERR_FILENO, 0)
  }
}
