import Foundation

/// Worlds in a second of `babbench stress` with one job and two, in turn, and the memory that the largest one takes.
enum StressBenchmark {
  private static let repetitions = 3

  /// - Parameter worlds: of the eight-peer lobby, a whole game each.
  static func report(worlds: Int = 1_500) {
    print("Stress: eight-peer lobbies that play a whole game, \(worlds) worlds, \(repetitions) times in turn")
    let babbench = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "babbench").path()
    guard FileManager.default.isExecutableFile(atPath: babbench) else {
      print("  skipped: there is no babbench beside Measure; build it first")
      return
    }
    let seeds = ["eight-peer-lobby", "--seeds", "1..\(worlds)", "--jobs"]
    var rates: [[Double]] = [[], [], []]
    for _ in 1...repetitions {
      for jobs in [1, 2] {
        guard let rate = rate(worlds, babbench, ["stress"] + seeds + ["\(jobs)"]) else { return }
        rates[jobs].append(rate)
      }
      rates[0].append(rate(worlds, babbench, ["run"] + seeds + ["1"]) ?? 0)
    }
    show("babbench run, without measures, one job", rates[0])
    show("one job", rates[1])
    show("two jobs", rates[2])
    let ratios = zip(rates[2], rates[1]).map { $0 / $1 }
    row(
      "    ratio, median", ratios.sorted()[repetitions / 2], "x",
      target: "≥ 1.9; all: " + ratios.map { String(format: "%.2f", $0) }.joined(separator: " "))
    var usage = rusage()
    #if canImport(Glibc)
      getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    #else
      getrusage(RUSAGE_CHILDREN, &usage)
    #endif
    row("    peak memory of the largest", Double(usage.ru_maxrss) / 1_024, "MiB", target: "≤ 60")
  }

  /// Worlds in a second of the wall clock; nil, which is said, when it failed.
  private static func rate(_ worlds: Int, _ babbench: String, _ arguments: [String]) -> Double? {
    let began = ContinuousClock.now
    guard QueueBenchmark.run(babbench, arguments) != nil else {
      print("  failed: babbench \(arguments.joined(separator: " "))")
      return nil
    }
    return Double(worlds) / ((ContinuousClock.now - began) / .seconds(1))
  }

  private static func show(_ name: String, _ rates: [Double]) {
    row(
      "  " + name, rates.sorted()[repetitions / 2], "worlds/s",
      target: "all: " + rates.map { String(Int($0)) }.joined(separator: " "))
  }
}
