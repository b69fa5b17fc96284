import ArgumentParser
import Bench
import Campaigns
import Conformance
import Explore
import Foundation
import Judging
import SimKernel

/// `babbench explore`: worlds that nobody wrote.
struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Play worlds drawn entirely from a seed; report each cause of a failure once.",
    discussion: """
      Draws devices, phones, places, a room, people, what they do, and faults at the worst moments; plays each world \
      with all its judges, and reports what is wrong: an oracle that accuses a device, a condition that does not \
      hold, an app that breaks down. Each cause is reported once, with the first world that shows it.

      EXAMPLES:
        babbench explore
        babbench explore --worlds 1000 --kind hostile
        babbench explore --seeds 5001..6000 --budget 10min
        babbench explore --engine host=\(Examples.mutant) --worlds 200
        babbench explore --like eight-peer-lobby --worlds 500
        babbench explore --app 'client=[./my-app]' --protocol \(Examples.app) --out explored
        babbench explore --worlds 2000 --coverage
        babbench explore --print 17 > world.yaml
        babbench explore --every-fault two-peers
        babbench explore --every-fault eight-peer-lobby --budget 10min --out faults

      FILES of --out:
        index.html      the outcome on one page
        result.json     the same for babbench merge and programs
        junit.xml       the causes, for CI servers
        state.json      the state that --resume continues from
        causes/N.yaml   the smallest scenario found for a cause; N-drawn.yaml as it was drawn; N-captures the
                        captures in which babbench check finds more than the run shows

      With --every-fault nothing is drawn. The scenario is played once; then each device has each fault at each place \
      of that run, in a world of its own. Docs/explore-every-fault.md says more.

      EXIT CODES:
        0    nothing is wrong
        1    something is wrong
        2    nothing was judged, or fewer worlds were played than were asked for
        3    the bench itself failed
        64   the command line is wrong
        130  interrupted
      """)

  @OptionGroup(title: "Worlds") var drawn: ExploreOptions

  @OptionGroup(title: "Every fault") var places: EveryFaultParameters

  @Option(help: ArgumentHelp("Play the worlds of all seeds from A to B.", valueName: "A..B"))
  var seeds: SeedRange?

  @Option(help: ArgumentHelp("Play this many worlds, from seed 1 on; default 100.", valueName: "n"))
  var worlds: Int?

  @OptionGroup var time: BudgetOption

  @OptionGroup var parallel: JobsOption

  @Option(
    name: .customLong("print"),
    help: ArgumentHelp("Print the world of this seed as a file; play nothing.", valueName: "seed"))
  var printed: UInt64?

  @Option(
    help: ArgumentHelp(
      "Repeat this share of the worlds in other modes: watched, and stepping where a run skips.",
      valueName: "share"))
  var modes = ShareArgument(permille: 100)

  @Option(
    help: ArgumentHelp(
      "Capture this share of the worlds, and judge sets of the captures as babbench check does.",
      valueName: "share"))
  var captures = ShareArgument(permille: 20)

  @Flag(help: "Print how many worlds used each key, word, condition, kind of trace record and HCI command.")
  var coverage = false

  @Option(
    help: ArgumentHelp("Play one of N equal parts only, for babbench merge.", valueName: "k/n"), transform: shardOption)
  var shard: Shard?

  @OptionGroup var output: ResumeOptions

  @Option(
    help: ArgumentHelp(
      "With --out: up to this many runs to shrink each cause; 0: none. (default: 300)", valueName: "runs"))
  var shrink: Int?
  private static let usualShrink = 300

  func validate() throws {
    if let shrink, !(0...100_000).contains(shrink) { throw ValidationError("--shrink must be 0 to 100000") }
    if let shrink, shrink > 0, output.out == nil, places.everyFault == nil {
      throw ValidationError("--shrink needs --out, where each cause has its files")
    }
    if seeds?.listed != nil { throw ValidationError("--seeds takes A..B here, not a list") }
    if seeds != nil, worlds != nil { throw ValidationError("--seeds and --worlds exclude each other") }
    if let worlds, !(1...Int(SeedRange.maximumCount)).contains(worlds) {
      throw ValidationError("--worlds must be 1 to \(SeedRange.maximumCount)")
    }
    if places.everyFault != nil { try validateEveryFault() }
  }

  /// Nothing is drawn where a scenario is given.
  private func validateEveryFault() throws {
    let drawing = [
      ("--seeds", seeds != nil), ("--print", printed != nil), ("--shard", shard != nil), ("--resume", output.resume),
      ("--coverage", coverage), ("--modes", modes.permille != 100), ("--captures", captures.permille != 20),
      ("--shrink", shrink != nil), ("--kind", drawn.kind != .noisy), ("--protocol", !drawn.protocolNames.isEmpty),
      ("--engine", !drawn.engine.isEmpty), ("--app", !drawn.app.isEmpty), ("--like", drawn.like != nil),
    ]
    if let (name, _) = drawing.first(where: \.1) {
      throw ValidationError("\(name) is for worlds that are drawn, and --every-fault plays those of a scenario")
    }
    if worlds != nil, time.budget != nil { throw ValidationError("--every-fault takes --worlds or --budget, not both") }
  }

  /// The words that say what is drawn and done, without the seeds.
  private var words: [String] {
    drawn.words + (modes.permille == 100 ? [] : ["--modes", modes.description])
      + (captures.permille == 20 ? [] : ["--captures", captures.description])
      + (shrink.map { ["--shrink", String($0)] } ?? [])
  }

  func run() throws {
    let faults = try places.options(worlds: worlds, budget: time.budget?.value, jobs: parallel.count, out: output.out)
    if let faults {
      Interruption.install(untilWork: true)
      throw ArgumentParser.ExitCode(EveryFaultRun.execute(faults, on: .real, for: .standard))
    }
    Interruption.install()
    throw ArgumentParser.ExitCode(execute(on: .real, for: .standard))
  }

  /// Everything but the parsing and the exit.
  func execute(on bench: Bench, for streams: OutputStreams) -> Int32 {
    do {
      var run = try planned(on: bench)
      if let printed {
        streams.tell(String(run.trial(scratch: "").text(printed).dropLast()))
        return Judging.ExitCode.pass.rawValue
      }
      prepare(&run)
      let whole = ["babbench", "explore"] + words + ["--seeds", run.seeds.defaultValueDescription]
      let note = shard.map {
        ShardNote(
          .explore, words: whole,
          inputs: drawn.like == nil ? [:] : ["the file of the scenario": ShardNote.digest(of: run.file)],
          seeds: run.seeds.defaultValueDescription, shard: $0, unit: "worlds",
          size: $0.size(of: run.seeds.count))
      }
      let folder = try output.out.map {
        try CampaignFolder(
          $0, shard: note, plan: whole + (shard.map { ["--shard", $0.description] } ?? []), resumes: output.resume,
          inputs: [run.file])
      }
      let scratch = try ScratchFolders()
      defer { scratch.remove() }
      let ending = try run.play(state: folder?.state, scratch: scratch)
      var result = ExploreResult(
        babbench: BenchVersion.current, words: words, firstSeed: run.seeds.first, seeds: run.seeds.count,
        shard: run.shard, tally: ending.tally, missing: ending.played.missing, all: ScenarioUses(.shipped).all,
        wallMilliseconds: ending.wallMilliseconds)
      if let folder {
        if run.shard == .all { try writeCauses(&result, run, to: folder.output, scratch: scratch) }
        try folder.output.write(result)
        try folder.end(ending.played)
      }
      let printer = ExplorePrinter(result: result, missing: ending.played.text, paint: .standardOutput)
      streams.tell(printer.text)
      if coverage { streams.tell(printer.coverage(ScenarioUses(.shipped).all)) }
      if ending.wallMilliseconds > 0 {
        Console.note("\(ending.tally.worlds * 1_000 / ending.wallMilliseconds) worlds/s")
      }
      return Interruption.exitCode(or: result.exitCode)
    } catch {
      return streams.refuse(
        error,
        error is NoResumption || error is UsageProblem || error is NoScenario || error is ScenarioProblems
          ? .usage : .benchError)
    }
  }

  /// What is played, with everything checked that can be before.
  func planned(on bench: Bench) throws -> ExploreRun {
    ExploreRun(
      bench: bench, draw: try drawn.draw(on: bench), file: try drawn.file(),
      seeds: seeds ?? SeedRange(first: 1, count: worlds ?? 100))
  }

  /// Writes the small scenarios of the causes. A shard has none: `merge` looks at the whole.
  func writeCauses(
    _ result: inout ExploreResult, _ run: ExploreRun, to output: OutputFolder, scratch: ScratchFolders
  ) throws {
    try ExploreCauses(
      trial: run.trial(scratch: scratch.next()), output: output, jobs: run.jobs, executions: shrink ?? Self.usualShrink
    ).write(&result)
  }

  func prepare(_ run: inout ExploreRun) {
    run.jobs = parallel.count
    run.budget = time.budget?.value
    run.notesTraces = coverage
    run.modesPermille = modes.permille
    run.capturesPermille = captures.permille
    run.shard = shard ?? .all
  }
}
