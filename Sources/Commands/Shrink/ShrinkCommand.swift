import ArgumentParser
import Bench
import Campaigns
import Conformance
import Foundation
import Judging
import Shrink
import SimKernel

/// `babbench shrink`: the smallest scenario that still fails for the same reason.
struct ShrinkCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "shrink",
    abstract: "Make a failing scenario or case smaller, as long as it fails for the same reason.",
    discussion: """
      Leaves out expectations, devices, steps and settings, and replaces values by simpler ones, as long as the same \
      oracle and clause, or the same expectation, fails. Prints what was left out and what is needed, and writes a \
      scenario file that babbench run repeats. A recording of a live session (.jsonl) becomes a smaller recording, \
      which babbench replay repeats: with less external input, and a smaller scenario. With --iut and --case a \
      failing case of babbench conform is played with fewer peers and steps, and a simpler room, phones, names and \
      game. Docs/shrink.md describes it.

      EXAMPLES:
        babbench shrink eight-peer-lobby --seed 18 --set radio=convention-hall
        babbench shrink my.yaml --reason 2 --output small.yaml
        babbench shrink my.yaml --budget 500 --budget 30s
        babbench shrink my-app.yaml --mended ./my-app-mended
        babbench shrink session.jsonl
        babbench shrink --iut my-host.yaml --case \(Examples.purpose)

      EXIT CODES:
        0    a scenario was written, or the smallest case shown
        2    the run or case does not fail; there is nothing to shrink
        3    the bench itself failed
        64   the command line or the scenario is wrong
        130  interrupted; the smallest scenario so far was written
      """)

  @Argument(
    help: "A scenario file, the name of a shipped scenario, or a recorded session.",
    completion: .scenarios)
  var scenario: String?

  @OptionGroup(title: "A case of babbench conform") var tested: ShrinkCaseOptions

  @Option(help: "The seed that fails, if it is not the scenario's.")
  var seed: UInt64?

  @OptionGroup var overrides: SettingOptions

  @Option(
    name: [.short, .long],
    help: ArgumentHelp("Write the smaller one to this file; default NAME-seed-N.yaml.", valueName: "file"),
    completion: .file(extensions: ScenarioLibrary.endings))
  var output: String?

  @Option(
    help: ArgumentHelp("Preserve this failure of the run, counted by time; default 1, the earliest.", valueName: "n"))
  var reason = 1

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Stop after this many runs (default 5000), or after a time such as 60s; may be given twice.", valueName: "limit"))
  var budget: [ShrinkBudget] = []

  @Option(
    help: ArgumentHelp("Try each smaller scenario with up to this many seeds until one fails.", valueName: "n"))
  var seedsPerStep = 4

  @Option(
    help: ArgumentHelp(
      "Engine or program without the defect, in place of the app that fails: no smaller scenario may fail with it.",
      valueName: "engine"))
  var mended: String?

  @OptionGroup var parallel: JobsOption

  func validate() throws {
    if !(1...1_000).contains(seedsPerStep) { throw ValidationError("--seeds-per-step must be 1 to 1000") }
    if reason < 1 { throw ValidationError("--reason counts from 1") }
    if tested.isGiven { return try tested.validate(among: self) }
    guard let scenario else { throw ValidationError("name a scenario, or a case with --iut and --case") }
    if scenario.hasSuffix(ShrinkSession.ending), seed != nil || !overrides.settings.isEmpty {
      throw ValidationError("a session has its seed and settings in its file; --seed and --set are not for it")
    }
    if scenario.hasSuffix(ShrinkSession.ending), mended != nil {
      throw ValidationError("a session is not played again with another engine; --mended is for scenarios")
    }
  }

  func takeSignals() { Interruption.install() }

  func execute(on bench: Bench, for streams: OutputStreams) -> Int32 {
    do {
      guard let scenario else {
        return try ShrinkCase(options: tested, seed: seed, budget: budget).run(streams)
      }
      if scenario.hasSuffix(ShrinkSession.ending) {
        let target = output ?? defaultOutput(scenario, suffix: "small" + ShrinkSession.ending)
        return try ShrinkSession(path: scenario, output: target, reason: reason, budget: budget).run(streams)
      }
      let path = try ScenarioLibrary.shipped.path(of: scenario)
      let seed = try seed ?? bench.load(path, overrides.settings).seed
      let target = output ?? defaultOutput(path, suffix: "seed-\(seed).yaml")
      let source = ShrinkSource(path: path, settings: overrides.settings, output: target)
      return try shrink(scenario, source, seed, on: bench, streams)
    } catch let problem as MendedProblem {
      return streams.refuse(UsageProblem("--mended: \(problem)"))
    } catch {
      return streams.refuse(error)
    }
  }

  private func shrink(
    _ scenario: String, _ source: ShrinkSource, _ seed: UInt64, on bench: Bench, _ streams: OutputStreams
  ) throws -> Int32 {
    let trials = source.trials(on: bench)
    Console.progress("running \(scenario)")
    defer { Console.endProgress() }
    let run = try ShrinkStart.run(try source.tree(), seed: seed, on: trials)
    Console.endProgress()
    let sightings = run.1.sightings
    if let code = streams.refuse(
      reason, of: sightings, "\(scenario) does not fail with seed \(seed)", run: "the run")
    {
      return code
    }
    let printer = ShrinkPrinter(paint: .standardOutput)
    streams.tell(printer.opening(scenario, seed: seed, sightings, chosen: reason - 1))
    let start = try ShrinkStart(
      run, seed: seed, origin: source.origin(scenario, seed: seed), sighting: sightings[reason - 1],
      mended: mended.map(MendedWords.mended), on: trials)
    let shrinker = Shrinker(
      start, limits: .init(executions: ShrinkBudget.executions(of: budget), seedsPerStep: seedsPerStep), bench: trials,
      parallel: .workers(parallel.count),
      shouldStop: ShrinkBudget.stopper(of: budget),
      progress: { shrinker in Console.progress(printer.progress(shrinker)) })
    let result = try shrinker.run()
    Console.endProgress()
    let repeatLine = Shell.line(["babbench", "run", source.output])
    try FileSink.write(Array(result.text(repeatLine: repeatLine).utf8), to: source.output)
    streams.tell(printer.closing(result, repeatLine: repeatLine))
    return Interruption.exitCode(or: Judging.ExitCode.pass.rawValue)
  }

  private func defaultOutput(_ path: String, suffix: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let stem = name.split(separator: ".").dropLast().joined(separator: ".")
    return "\(stem.isEmpty ? name : stem)-\(suffix)"
  }
}

/// A limit of `--budget`: a number of runs, or a time on the clock on the wall.
enum ShrinkBudget: ExpressibleByArgument, Equatable {
  case executions(Int)
  case seconds(Double)

  static let defaultExecutions = 5_000

  init?(argument: String) {
    if let count = Int(argument), count > 0 {
      self = .executions(count)
    } else if let time = SimDuration(scenarioText: argument), time > .zero {
      self = .seconds(Double(time.nanoseconds) / 1e9)
    } else {
      return nil
    }
  }

  /// The least number of runs; without one, and with a time, no number.
  static func executions(of budgets: [ShrinkBudget]) -> Int {
    let counts = budgets.compactMap { if case .executions(let count) = $0 { count } else { nil } }
    return counts.min() ?? (budgets.isEmpty ? defaultExecutions : Int.max)
  }

  /// Says when time is over, or somebody has interrupted.
  static func stopper(of budgets: [ShrinkBudget]) -> () -> Bool {
    let times = budgets.compactMap { if case .seconds(let seconds) = $0 { seconds } else { nil } }
    let end = times.min().map { ContinuousClock.now + .seconds($0) }
    return { Interruption.isRequested || end.map { ContinuousClock.now >= $0 } ?? false }
  }
}
