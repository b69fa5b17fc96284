import AppSeam
import BabSuite
import Bench
import Conformance
import Foundation
import RunReports
import Shrink
import SimKernel

/// Failing runs made smaller: shipped scenarios with broken engines, and the reference in a bad room.
///
/// Triples of scenario, seed and engine are tried in a fixed order, and those that fail are shrunk, so the table is the
/// same everywhere except for the times. It is the table of `Docs/shrink.md`.
enum ShrinkBenchmark {
  private static let language = ScenarioLanguage([.bab])
  private static let bench = TrialBench(
    read: { ScenarioReader.read(text: $0, file: "shrink.yaml", language: language) },
    judge: { scenario, options, readers in
      let apps = [AppProtocol.bab]
      let judge = apps.judge(of: scenario)
      _ = try World.run(scenario, options: options, readers: [judge] + readers, engines: apps.engines)
      guard let judgement = judge.judgement else { throw ShrinkFailure(description: "a run told its readers nothing") }
      return judgement
    })

  private static let scenarios = [
    "lobby/eight-peer-lobby", "faults/client-vanishes-and-returns", "lobby/late-joiner", "faults/broken-stack",
    "dialects/dialect-app",
  ]

  struct Line {
    var name: String
    var result: ShrinkResult
    var isSame: Bool
    var seconds: Double
  }

  /// - Parameter count: how many failing triples; half of them broken engines of each scenario, the rest bad rooms.
  static func report(triples count: Int = 50) {
    var lines: [Line] = []
    Swift.print("| scenario, engine or room, seed | lines | devices | control | same reason | runs | CPU s |")
    Swift.print("|---|---|---|---|---|---|---|")
    for seed in UInt64(1)...100 where lines.count < count / 5 {
      shrink("lobby/eight-peer-lobby", ["radio=convention-hall"], seed, "convention-hall").map { add($0, to: &lines) }
    }
    let mutants = AppProtocol.bab.mutants.filter { $0.oracle != nil }
    for (index, mutant) in (mutants + mutants + mutants + mutants).enumerated() where lines.count < count {
      let scenario = scenarios[(index + index / mutants.count) % scenarios.count]
      let devices = mutant.role.rawValue == "host" ? ["host"] : groups(of: scenario)
      var settings = devices.map { "devices.\($0).engine=\(mutant.name)" }
      // Fifty million events of an app that never rests take a minute before anything can be left out.
      if mutant.oracle == "NoCrashNoHang" { settings.append("limits.events=500000") }
      shrink(scenario, settings, UInt64(1 + index), mutant.name).map { add($0, to: &lines) }
    }
    summarise(lines)
  }

  /// The keys of devices that are no host.
  private static func groups(of scenario: String) -> [String] {
    guard let tree = tree(scenario, []), case .mapping(let entries) = tree.value,
      case .mapping(let devices)? = entries.first(where: { $0.key == "devices" })?.value.value
    else { return [] }
    return devices.map(\.key).filter { $0 != "host" }
  }

  private static func tree(_ scenario: String, _ settings: [String]) -> YAMLTree? {
    let file = Places.benchmarks.appending(path: "../Scenarios/\(scenario).yaml").standardized
    guard let data = try? Data(contentsOf: file) else { return nil }
    return try? ScenarioReader.tree(
      octets: [UInt8](data), file: scenario, language: language,
      overrides: settings.compactMap { ScenarioOverride($0) }
    ).get()
  }

  /// Nil: the triple does not fail.
  private static func shrink(_ scenario: String, _ settings: [String], _ seed: UInt64, _ what: String) -> Line? {
    guard let tree = tree(scenario, settings),
      let run = try? ShrinkStart.run(tree, seed: seed, on: bench), let sighting = run.1.sightings.first
    else { return nil }
    let before = cpuSeconds()
    guard
      let start = try? ShrinkStart(run, seed: seed, origin: scenario, sighting: sighting, on: bench),
      let result = try? Shrinker(start, limits: .init(executions: 5_000, seedsPerStep: 4), bench: bench).run()
    else { return nil }
    let seconds = cpuSeconds() - before
    let text = result.text(repeatLine: "babbench run shrink.yaml")
    let again = (try? bench.read(text).get()).flatMap { scenario in
      try? ShrinkStart.run(
        ScenarioReader.tree(octets: Array(text.utf8), file: "shrink.yaml", language: language, overrides: []).get(),
        seed: scenario.seed, on: bench)
    }
    let isSame = again?.1.sightings.contains { $0.reason == sighting.reason } ?? false
    return Line(name: "\(scenario) \(what) \(seed)", result: result, isSame: isSame, seconds: seconds)
  }

  private static func add(_ line: Line, to lines: inout [Line]) {
    lines.append(line)
    let (before, after) = (line.result.sizeBefore, line.result.sizeAfter)
    Swift.print(
      "| \(line.name) | \(before.lines) → \(after.lines) | \(before.devices) → \(after.devices)"
        + " | \(line.result.start.control?.name ?? "none") | \(line.isSame ? "yes" : "NO")"
        + " | \(line.result.executions)" + (line.result.isSmallest ? "" : ", stopped")
        + " | " + String(format: "%.1f", line.seconds) + " |")
    fflush(nil)
  }

  private static func summarise(_ lines: [Line]) {
    let sizes = lines.map { $0.result.sizeAfter }
    func median(_ values: [Int]) -> Int { values.isEmpty ? 0 : values.sorted()[values.count / 2] }
    row("failing triples", Double(lines.count), "", target: "50")
    row("shown for the same reason", Double(lines.count { $0.isSame }), "", target: "all")
    row("lines, median", Double(median(sizes.map(\.lines))), "", target: "at most 20")
    row("devices besides the host, median", Double(median(sizes.map { $0.devices - 1 })), "", target: "at most 2")
    row("CPU of one, greatest", lines.map(\.seconds).max() ?? 0, "s", target: "at most 60")
  }
}
