import Campaigns
import Conformance
import Foundation
import Fuzzing
import Judging
import ParserTargets

/// Gives recorded inputs to a decoder, in child processes that a trap may end.
struct DecoderReplay {
  let decoder: FuzzedDecoder
  /// For what the processes share.
  let folder: String
  /// Wall-clock seconds after which an input counts as a hang.
  private static let patience: UInt32 = 10
  /// Longer inputs are not recorded, and no further ones after so many of one decoder.
  private static let inputLimit = 512
  private static let countLimit = 48

  /// What the decoder says to each input; `ended by …` and `hangs` are answers, too.
  func answers(to inputs: [[UInt8]]) throws -> [String] {
    var answers: [String] = []
    while answers.count < inputs.count {
      let rest = inputs[answers.count...]
      let (lines, ending) = try inChild { tell in
        for input in rest {
          alarm(Self.patience)
          tell(RecordedInputs.text(of: decoder.judge(input), to: input))
        }
      }
      answers += lines
      if answers.count == inputs.count { break }
      switch ending {
      case .signal(SIGALRM): answers.append("hangs")
      case .signal(let number): answers.append("ended by \(SignalName.of(number))")
      case .exitCode, .notStarted: throw BenchFailure("\(decoder.name): the process that runs the decoder was lost")
      }
    }
    return answers
  }

  /// Inputs that so many executions show and that are answered in another way than the known ones: for each way the
  /// shortest one.
  func further(than known: [[UInt8]], executions: UInt64) throws -> [[UInt8]] {
    let (lines, ending) = try inChild { tell in
      alarm(Self.patience * 6)
      var kinds: Set<String> = Set(known.map { RecordedInputs.kind(of: decoder.judge($0)) })
      var fuzzer = DecoderFuzzer(decoder, seed: 1)
      while fuzzer.execution < executions { _ = fuzzer.run(fuzzer.nextInput()) }
      let shortest = fuzzer.corpus.enumerated().filter { $0.element.count <= Self.inputLimit }
        .sorted { ($0.element.count, $0.offset) < ($1.element.count, $1.offset) }
      for (_, input) in shortest.prefix(Self.countLimit * 64) where kinds.count < Self.countLimit {
        if kinds.insert(RecordedInputs.kind(of: decoder.judge(input))).inserted {
          tell(Data(input).base64EncodedString())
        }
      }
    }
    if case .exitCode(0) = ending {
    } else {
      throw BenchFailure("\(decoder.name): an input ended the decoder; babbench fuzz parser \(decoder.name) finds it")
    }
    return lines.compactMap { Data(base64Encoded: $0).map { [UInt8]($0) } }
  }

  /// Runs something in a child, and gives the lines that it told.
  private func inChild(_ body: (_ tell: (String) -> Void) -> Void) throws -> ([String], ForkedTry.Ending) {
    let path = folder + "/lines"
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BenchFailure("\(path): \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    let ending = ForkedTry.run(begun: { _ in }) {
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
      for number in [SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE, SIGABRT] { signal(number, SIG_DFL) }
      let nowhere = open("/dev/null", O_WRONLY)
      dup2(nowhere, STDERR_FILENO)
      body { line in
        let octets = Array((line + "\n").utf8)
        _ = octets.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      }
    }
    let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    return (text.split(separator: "\n").map(String.init), ending)
  }
}
