import ArgumentParser
import Bench
import Campaigns
import Conformance
import Foundation
import Judging
import SimKernel
import Stress

/// `babbench stress`: many worlds of a scenario, and what they come to.
struct StressCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "stress",
    abstract: "Play many worlds of a scenario; report how long things take, how often it fails, and why.",
    discussion: """
      Plays every seed in every cell. A cell is a combination of the values of --vary.

      EXAMPLES:
        babbench stress eight-peer-lobby --seeds 1..1000
        babbench stress eight-peer-lobby --seeds 1..400 --claim 'p99 turn < 1s in 99% of worlds'
        babbench stress eight-peer-lobby --seeds 1..100 --vary 'radio.packet-loss=0%,10%,20%' --out stress
        babbench stress eight-peer-lobby --seeds 1..20 --vary 'radio.packet-loss=0%..40%' --samples 50
        babbench stress eight-peer-lobby --seeds 1..2000 --limit 'radio.packet-loss=0%..60%' \\
          --until 'p99 turn < 1s in 90% of worlds'
        babbench stress eight-peer-lobby --seeds 1..10000 --shard 3/8 --out part-3
        babbench stress eight-peer-lobby --seeds 1..2000 --out new --baseline old

      A CLAIM is 'STATISTIC MEASURE < LIMIT in SHARE of worlds': statistic least, median, p90, p99 or greatest (without
      one, every sample counts); a share below 100%, or none, which means every world that is played. A claim with a
      share is judged for all possible worlds, with 95 % certainty. Without a claim about pass, every world must pass.
      Docs/measures.md lists the measures; Docs/stress.md explains the rest.

      FILES of --out:
        index.html     the campaign on one page
        result.json    the outcome, for babbench merge, --baseline and programs
        measures.csv   the distribution of each measure in each cell
        worlds.csv     a line for each world
        junit.xml      the claims, for CI servers
        state.json     the state that --resume continues from
        worlds/N       the files of babbench run --out of the smallest world of each cause, and of some worst ones

      EXIT CODES:
        0   all claims hold
        1   a claim does not hold, or something became worse than the baseline
        2   too few worlds to say, or the campaign was ended before its end
        3   the bench itself failed, for example because a file cannot be written
        64  the command line or the scenario is wrong
      """)

  @Argument(
    help: "A scenario file, or the name of a shipped scenario.", completion: .scenarios)
  var scenario: String

  @Option(help: ArgumentHelp("Play all seeds from A to B in each cell.", valueName: "A..B"))
  var seeds = SeedRange(first: 1, count: 100)

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Play with each of these values, or with values from a range.", valueName: "key=a,b|lo..hi"))
  var vary: [String] = []

  @Option(help: "Draw this many cells, evenly over all ranges and lists, instead of every combination.")
  var samples: Int?

  @Option(parsing: .singleValue, help: ArgumentHelp("What must hold of the worlds of each cell.", valueName: "text"))
  var claim: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("A claim; a cell ends as soon as its claims are decided.", valueName: "claim"))
  var until: [String] = []

  @Option(
    help: ArgumentHelp(
      "Find the value at which the claim of --until ceases to hold, by bisection.", valueName: "key=lo..hi"))
  var limit: String?

  @OptionGroup var time: BudgetOption

  @Option(
    help: ArgumentHelp("Play one of N equal parts only, for babbench merge.", valueName: "k/n"), transform: shardOption)
  var shard: Shard?

  @OptionGroup var overrides: SettingOptions

  @Option(
    help: ArgumentHelp("Compare world by world with the --out of an earlier build; worse is a fail.", valueName: "dir"))
  var baseline: String?

  @OptionGroup var parallel: JobsOption

  @OptionGroup var output: ResumeOptions

  func validate() throws {
    if let samples, !(1...StressGrid.cellLimit).contains(samples) {
      throw ValidationError("--samples must be 1 to \(StressGrid.cellLimit)")
    }
    if samples != nil, vary.isEmpty { throw ValidationError("--samples needs --vary: what shall be drawn") }
    if limit != nil {
      if until.isEmpty { throw ValidationError("--limit needs --until: the claim whose limit is looked for") }
      if !vary.isEmpty || baseline != nil { throw ValidationError("--limit goes neither with --vary nor --baseline") }
    }
    if baseline != nil, output.out == nil {
      throw ValidationError("--baseline needs --out, whose worlds.csv is compared")
    }
    if shard != nil, !until.isEmpty {
      throw ValidationError("--until needs all worlds of a cell in one process; with --shard use --claim")
    }
  }

  func takeSignals() { Interruption.install() }

  func execute(on bench: Bench, for streams: OutputStreams) -> Int32 {
    do {
      var run = try prepared(on: bench)
      let (path, planned) = (run.path, run.plan)
      let whole = repetition()
      let words = whole + (shard.map { ["--shard", $0.description] } ?? [])
      let note = shard.map {
        ShardNote(
          .stress, words: whole,
          inputs: run.programs.merging(["the file of the scenario": planned.scenarioDigest]) { $1 },
          seeds: planned.grid.seedText, shard: $0, unit: "worlds", size: planned.size)
      }
      let earlier = try baseline.map { try BaselineReading($0, for: planned) }
      let folder = try output.out.map {
        try CampaignFolder($0, shard: note, plan: words, resumes: output.resume, inputs: [path])
      }
      (run.output, run.state) = (folder?.output, folder?.state)
      let ending = try run.play()
      let (plan, missing) = (ending.plan, ending.played.missing)
      let result = CampaignResult(
        plan, tally: ending.tally, missing: missing, babbench: BenchVersion.current, repeatLine: Shell.line(whole),
        wallMilliseconds: ending.wallMilliseconds)
      var report = StressReport(
        plan: plan, tally: ending.tally, missing: missing, repeatLine: Shell.line(words),
        wallMilliseconds: ending.wallMilliseconds, worldLine: { plan.repeatLine(of: $0) })
      if let earlier, let output = run.output, missing == 0 {
        report.baseline = baseline ?? ""
        report.comparison = try earlier.compare(with: output.path(of: "worlds.csv"), plan)
      }
      report.reasons = WorldReasons(bench, path, plan).all(report)
      if let folder, let output = run.output {
        if !Interruption.isRequested { report.kept = try KeptWorlds(bench, path, plan).write(report, to: output) }
        try output.write(result, report)
        try folder.end(ending.played)
      }
      streams.tell(StressPrinter(report: report, paint: .standardOutput).text)
      if ending.wallMilliseconds > 0 {
        Console.note("\(ending.tally.worlds * 1_000 / ending.wallMilliseconds) worlds/s")
      }
      return Interruption.exitCode(or: Judging.ExitCode(report.verdict).rawValue)
    } catch {
      let isUsage =
        error is NoScenario || error is ScenarioProblems || error is AppProtocol.UnknownEngine
        || error is Variation.Refusal || error is StressGrid.Refusal || error is Claim.Refusal || error is NoResumption
        || error is BaselineReading.Refusal || error is CampaignResult.Refusal || error is WorldTable.Refusal
      return streams.refuse(error, isUsage ? .usage : .benchError)
    }
  }

  /// What is played, with everything checked that can be before.
  func prepared(on bench: Bench) throws -> StressRun {
    let path = try ScenarioLibrary.shipped.path(of: scenario)
    let scenario = try bench.load(path, overrides.settings)
    let planned = try plan(ShardNote.digest(of: path), claims: scenario.claims.map(\.text))
    try check(planned, path, on: bench)
    var run = StressRun(bench: bench, path: path, plan: planned)
    run.jobs = parallel.count
    run.budget = time.budget?.value
    run.programs = ShardNote.programs(of: scenario)
    return run
  }

  /// Reads the scenario with the values of each cell, so that a wrong one is told before anything is played.
  private func check(_ plan: StressPlan, _ path: String, on bench: Bench) throws {
    var cells = plan.grid.cells.indices.map(plan.grid.settings)
    if let search = plan.search {
      cells = [search.range.low, search.range.high].map { ["\(search.key)=\(search.setting($0))"] }
    }
    for cell in cells {
      do {
        _ = try bench.load(path, overrides.settings + cell)
      } catch let problems as ScenarioProblems {
        guard let first = problems.list.first, first.location.line == 0,
          first.location.column > overrides.settings.count
        else {
          throw problems
        }
        let option = plan.search == nil ? "--vary" : "--limit"
        throw Variation.Refusal(
          description: "\(option) \(cell[first.location.column - overrides.settings.count - 1]): \(first.message)")
      }
    }
  }

  /// - Parameter claims: of the scenario.
  private func plan(_ digest: String, claims own: [String]) throws -> StressPlan {
    var variations: [Variation] = []
    for text in vary { variations.append(try Variation(text)) }
    var grid = try StressGrid(variations, samples: samples, firstSeed: seeds.first, seedCount: seeds.count)
    let search = try limit.map { try LimitSearch($0) }
    if let search { grid = StressGrid(keys: [search.key], cells: [], firstSeed: seeds.first, seedCount: seeds.count) }
    let measures = RunMeasure.all(protocols)
    var claims: [Claim] = []
    // The first one is what a search is about.
    for text in until + claim + own { claims.append(try Claim(text, among: measures)) }
    return StressPlan(
      scenario: scenario, scenarioDigest: digest, settings: overrides.settings, grid: grid, shard: shard ?? .all,
      measures: measures, claims: claims, stopsEarly: !until.isEmpty, search: search)
  }

  /// The words that repeat the whole campaign.
  private func repetition() -> [String] {
    var words = ["babbench", "stress", scenario]
    words += ["--seeds", "\(seeds.first)..\(seeds.seed(at: seeds.count - 1))"]
    words += vary.flatMap { ["--vary", $0] }
    if let samples { words += ["--samples", String(samples)] }
    if let limit { words += ["--limit", limit] }
    words += claim.flatMap { ["--claim", $0] } + until.flatMap { ["--until", $0] }
    return words + overrides.words
  }
}
