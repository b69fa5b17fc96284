import Foundation

/// Prints what the bench costs, each figure beside its peer or its limit.
@main
enum Measure {
  private static let parts: [(name: String, report: @Sendable () -> Void)] = [
    ("queue", { QueueBenchmark.report() }), ("link", { LinkBenchmark.report() }),
    ("port", { PortBenchmark.report() }), ("lobby", { LobbyBenchmark.report() }),
    ("scale", { ScaleBenchmark.report() }), ("capture", { CaptureBenchmark.report() }),
    ("shrink", { ShrinkBenchmark.report() }), ("cases", { CaseShrinkBenchmark.report() }),
    ("fuzz", { FuzzBenchmark.report() }), ("stress", { StressBenchmark.report() }),
    ("transcription", { TranscriptionBenchmark.report() }), ("files", { FileBenchmark.report() }),
  ]

  /// Parts that take a size: lines of a lobby, megabytes of a capture, devices of a hall, minutes of speech.
  private static let sized: [(name: String, report: @Sendable (Int) -> Void)] = [
    ("capture", { CaptureBenchmark.report(megabytes: $0, streamed: 0) }),
    ("lobby", { LobbyBenchmark.report(lines: $0) }),
    ("scale", { ScaleBenchmark.report(devices: $0) }),
    ("shrink", { ShrinkBenchmark.report(triples: $0) }), ("cases", { CaseShrinkBenchmark.report(mutants: $0) }),
    ("fuzz", { FuzzBenchmark.report(executions: $0) }), ("stress", { StressBenchmark.report(worlds: $0) }),
    ("transcription", { TranscriptionBenchmark.report(minutes: $0) }),
    ("files", { FileBenchmark.report(rounds: $0) }),
  ]

  static func main() {
    let wanted = Array(CommandLine.arguments.dropFirst())
    let runs = wanted.map(run)
    for (word, run) in zip(wanted, runs) where run == nil {
      FileHandle.standardError.write(
        Data(
          ("Measure: nothing is called \(word); write queue, link, port, lobby, scale, capture, shrink, cases, "
            + "fuzz, stress, transcription, files, lobby=60, scale=125, capture=20, shrink=10, cases=20, "
            + "fuzz=100000, stress=100, transcription=60 or files=600\n").utf8))
      exit(64)
    }
    for run in wanted.isEmpty ? parts.map(\.report) : runs.compactMap({ $0 }) { run() }
  }

  private static func run(_ word: String) -> (() -> Void)? {
    if let part = parts.first(where: { $0.name == word }) { return part.report }
    let words = word.split(separator: "=", maxSplits: 1)
    guard words.count == 2, let size = Int(words[1]), size > 0 else { return nil }
    return sized.first { $0.name == words[0] }.map { part in { part.report(size) } }
  }
}
