import BabFuzzing
import CUnix
import Fuzzing
import PlantedParsers
import SimKernel

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One planted parser under the fuzzer of the product, or under random octets, in a process of its own.
struct ParserHunt {
  let parser: PlantedParser
  let grammar: InputGrammar
  /// CPU seconds that one hunt may take.
  var budget: Double

  /// An input that takes longer, wall-clock milliseconds, hangs.
  private static let patience = 1_500
  private static let memory: UInt64 = 512 << 20

  init(_ parser: PlantedParser, grammar name: String, budget: Double) {
    let rows = FuzzedDecoder.bab + FuzzedDecoder.general
    guard let row = rows.first(where: { $0.name == name }) else { preconditionFailure("no grammar \(name)") }
    self.parser = parser
    grammar = row.grammar
    self.budget = budget
  }

  /// Whether its witness shows the defect, and the parser without it bears it.
  func isWitnessed() -> (planted: Bool, sound: Bool) {
    let inputs = Array(repeating: parser.witness, count: parser.repetitions)
    return (attempt(inputs, isSound: false).isFound, attempt(inputs, isSound: true).isFound)
  }

  private func attempt(_ inputs: [[UInt8]], isSound: Bool) -> Trial {
    let decoder = decoder(isSound: isSound)
    return watch { desk in
      for input in inputs {
        desk.begin()
        if case .failure = decoder.judge(input) { desk.find() }
      }
      desk.end()
    }
  }

  func hunt(_ hunter: Hunter, seed: UInt64) -> Trial {
    let decoder = decoder(isSound: false)
    let limit = decoder.limit
    return watch { desk in
      var stream = RandomStream(seed: seed, component: parser.id, purpose: "random")
      var fuzzer = DecoderFuzzer(decoder, seed: seed)
      while !desk.isOver(budget) {
        let input = hunter == .ours ? fuzzer.nextInput() : Self.octets(&stream, limit)
        desk.begin()
        guard hunter == .ours else {
          if case .failure = decoder.judge(input) { desk.find() }
          continue
        }
        if case .fault = fuzzer.run(input) { desk.find() }
      }
      desk.end()
    }
  }

  /// Half of the inputs are short; the others are of any length.
  private static func octets(_ stream: inout RandomStream, _ limit: Int) -> [UInt8] {
    let bound = stream.below(2) == 0 ? min(64, limit) : limit
    let count = Int(stream.below(UInt64(bound) + 1))
    return (0..<count).map { _ in UInt8(truncatingIfNeeded: stream.next()) }
  }

  private func decoder(isSound: Bool) -> FuzzedDecoder {
    let parser = parser
    return FuzzedDecoder(parser: parser.id, grammar, isBlind: false) { input in
      switch parser.answer(to: input, isSound: isSound) {
      case .accepted(let kind, let canonical): .accepted(kind: kind, canonical: canonical)
      case .refused(let reason, let offset): .refused(reason: reason, offset: offset)
      }
    }
  }

  // MARK: The process that tries

  /// Numbers that the process and its parent share.
  private struct Desk {
    let words: UnsafeMutablePointer<Int>

    var executions: Int { words[0] }
    var isFound: Bool { words[1] != 0 }
    var isAtEnd: Bool { words[2] != 0 }

    func begin() { words[0] += 1 }

    func find() {
      words[1] = 1
      _exit(0)
    }

    func end() { words[2] = 1 }

    /// Looks at the clock now and then.
    func isOver(_ budget: Double) -> Bool {
      if executions % 1_024 != 0 { return false }
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9 > budget
    }
  }

  private func watch(_ body: (Desk) -> Void) -> Trial {
    guard let memory = fork_shared(4_096), let crash = fork_shared(4_096) else { preconditionFailure("no memory") }
    defer {
      munmap(memory, 4_096)
      munmap(crash, 4_096)
    }
    let desk = Desk(words: memory.bindMemory(to: Int.self, capacity: 3))
    let errors = fork_scratch()
    defer { close(errors) }
    let begun = CPUClock.seconds
    let pid = fork_child()
    if pid == 0 {
      fork_guard(Self.memory, crash.bindMemory(to: fork_crash.self, capacity: 1), errors)
      body(desk)
      _exit(0)
    }
    wait(for: pid, desk)
    return Trial(isFound: !desk.isAtEnd, executions: desk.executions, seconds: CPUClock.seconds - begun)
  }

  /// Until the process has ended, or tries one input for too long.
  private func wait(for pid: Int32, _ desk: Desk) {
    var (last, waited, nap) = (-1, 0, 1)
    while waitpid(pid, nil, WNOHANG) == 0 {
      usleep(UInt32(nap) * 1_000)
      waited = desk.executions == last ? waited + nap : 0
      last = desk.executions
      nap = min(25, nap + 1)
      if waited >= Self.patience { return fork_end(pid) }
    }
  }
}
