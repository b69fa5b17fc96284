import Foundation

/// Executions of `babbench fuzz parser`, beside plain libFuzzer on the same parser, and on decoders of the bench.
///
/// Counted for each CPU second of all processes that take part, since the machine is shared. Both begin without a
/// corpus, with coverage of the same code.
enum FuzzBenchmark {
  private static let repetitions = 5
  private static let decoders = ["att", "l2cap-signal", "ll-control", "hci-event", "ad", "bab-packet", "iut-line"]

  static func report(executions: Int = 2_000_000) {
    print("Fuzz: executions for each CPU second, \(repetitions) seeds of \(executions) executions")
    let babbench = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "babbench").path()
    guard FileManager.default.isExecutableFile(atPath: babbench) else {
      print("  skipped: there is no babbench beside Measure; build it first")
      return
    }
    compare(babbench, executions)
    for decoder in decoders {
      let rates = (1...repetitions).compactMap {
        rate(
          executions / 4, of: babbench,
          ["fuzz", "parser", decoder, "--seed", "\($0)", "--executions", "\(executions / 4)"])
      }
      show(decoder, rates, "of the bench's own table; ≥ 300 000 on an idle core")
    }
  }

  private static func compare(_ babbench: String, _ executions: Int) {
    let folder = FileManager.default.temporaryDirectory.appending(path: "babbench-fuzz-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let source = Places.benchmarks.appending(path: "Peers/structures.c").path()
    let (peer, library) = (folder.path() + "/structures", folder.path() + "/structures.so")
    let coverage = "-fsanitize-coverage=inline-8bit-counters,trace-cmp"
    guard succeeds("clang", ["-O2", "-fsanitize=fuzzer", source, "-o", peer]),
      succeeds("clang", ["-O2", "-shared", "-fPIC", coverage, source, "-o", library])
    else {
      print("  skipped: plain libFuzzer (no clang that has it)")
      return
    }
    var (ours, theirs): ([Double], [Double]) = ([], [])
    let target = ["fuzz", "parser", "--target", library, "--grammar", "ad", "--executions", "\(executions)"]
    for seed in 1...repetitions {
      guard let plain = rate(executions, of: peer, ["-runs=\(executions)", "-seed=\(seed)"]),
        let own = rate(executions, of: babbench, target + ["--seed", "\(seed)"])
      else { break }
      theirs.append(plain)
      ours.append(own)
    }
    show("a parser in C, by coverage", ours, "--target")
    show("plain libFuzzer on it", theirs, "-fsanitize=fuzzer")
    let ratios = zip(ours, theirs).map { $0 / $1 }
    guard !ratios.isEmpty else { return }
    row(
      "    ratio, median", ratios.sorted()[ratios.count / 2], "x",
      target: "≥ 0.5; all: " + ratios.map { String(format: "%.2f", $0) }.joined(separator: " "))
  }

  private static func show(_ name: String, _ rates: [Double], _ remark: String) {
    guard !rates.isEmpty else { return print("  \(name): it did not run to its end") }
    row(
      "  \(name), median", rates.sorted()[rates.count / 2] / 1_000, "thousand/s",
      target: remark + "; all: " + rates.map { String(format: "%.0f", $0 / 1_000) }.joined(separator: " "))
  }

  /// Executions for each CPU second of a program and its children; nil: it failed.
  private static func rate(_ executions: Int, of program: String, _ arguments: [String]) -> Double? {
    let before = childCPUSeconds()
    guard succeeds(program, arguments) else { return nil }
    return Double(executions) / (childCPUSeconds() - before)
  }

  private static func succeeds(_ command: String, _ arguments: [String]) -> Bool {
    QueueBenchmark.run(command, arguments, keepsErrors: false) != nil
  }
}
