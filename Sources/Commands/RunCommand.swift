import ArgumentParser
import Bench
import Campaigns
import Conformance
import Foundation
import Judging
import Stress

/// `babbench run`: plays a scenario and judges it.
struct RunCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Play a scenario, judge it, and leave captures.",
    discussion: """
      Prints every drawn option, a table of peers, what each oracle says, the digest, and the line that repeats the run.

      EXAMPLES:
        babbench run eight-peer-lobby
        babbench run eight-peer-lobby --seed 7 --out out
        babbench run seven-at-once --seeds 1..200 --jobs 2
        babbench run eight-peer-lobby --set dialect=app --set radio=living-room
        babbench run eight-peer-lobby --html game.html
        babbench run eight-peer-lobby --perfetto game.json
        babbench run eight-peer-lobby --check-determinism
        babbench run eight-peer-lobby --seeds 1..200 --summary summary.md --annotations github
        babbench run eight-peer-lobby --seeds 1..200 --out out --last-failed out/seeds.json

      FILES of --out, each whole or not there at all, in place of those of an earlier run; with --seeds a junit.xml and
      a seeds.json of all seeds, and the files of each seed that does not pass (of all with --keep all) in a folder
      seed-N:
        air.pcapng       the air, for Wireshark (link type 256)
        DEVICE.btsnoop   the HCI seam of each device, for btmon -r and Wireshark
        DEVICE.log       what a program that is its app wrote to standard error
        timeline.html    the run over time, for a browser
        trace.jsonl      every record of the run
        result.json      every verdict and finding
        junit.xml        the same for CI
      """)

  @Argument(
    help: "A scenario file, or the name of a shipped scenario.", completion: .scenarios)
  var scenario: String

  @Option(help: "Run this seed instead of the scenario's.")
  var seed: UInt64?

  @Option(
    help: ArgumentHelp("Run all seeds from A to B, or A,B,C, and report which do not pass.", valueName: "A..B"))
  var seeds: SeedRange?

  @Option(
    help: ArgumentHelp(
      "With --seeds: only those that do not pass in an earlier seeds.json; all, where all pass.", valueName: "file"))
  var lastFailed: String?

  @OptionGroup var overrides: SettingOptions

  @Option(name: .customLong("out"), help: ArgumentHelp("Write captures and reports to this folder.", valueName: "dir"))
  var out: String?

  @Flag(help: "Run twice, in two ways; a difference is shown with the first event that differs.")
  var checkDeterminism = false

  @OptionGroup var parallel: JobsOption

  @Option(
    help: ArgumentHelp(
      "Draw a timeline of the run as one page for a browser; --out has it as timeline.html.", valueName: "file"))
  var html: String?

  @Option(
    help: ArgumentHelp(
      "Write a timeline of the run to this file as trace events, for ui.perfetto.dev.", valueName: "file")
  )
  var perfetto: String?

  @Option(help: "With --seeds and --out: which seeds get a folder: failures (whatever does not pass) or all.")
  var keep: KeptSeeds?

  @Flag(help: "With --out: no air.pcapng, btsnoop files and timeline.html.")
  var noCapture = false

  @OptionGroup var pipeline: PipelineOptions

  func validate() throws {
    if seed != nil, seeds != nil { throw ValidationError("--seed and --seeds exclude each other") }
    if lastFailed != nil, seeds == nil { throw ValidationError("--last-failed chooses among --seeds; give both") }
    for (option, path) in [("--html", html), ("--perfetto", perfetto)] where path != nil && seeds != nil {
      throw ValidationError(
        "\(option) draws one run: give --seed instead of --seeds, the seed of one that does not pass")
    }
    if keep != nil, seeds == nil || out == nil {
      throw ValidationError("--keep chooses among the folders of --seeds and --out; give both")
    }
  }

  func takeSignals() { Interruption.install(untilWork: true) }

  func execute(on bench: Bench, for streams: OutputStreams) -> Int32 {
    do {
      var plan = RunPlan(scenario: scenario, path: try ScenarioLibrary.shipped.path(of: scenario))
      plan.settings = overrides.settings
      plan.checksDeterminism = checkDeterminism
      plan.writesCaptures = !noCapture
      plan.page = html
      plan.traceEvents = perfetto
      // Read once here, so that a faulty file is told before any folder is made.
      let scenario = try bench.load(plan.path, overrides.settings)
      Interruption.workBegins()
      let verdict =
        if let seeds {
          try sweep(plan, seeds, scenario, on: bench, streams)
        } else {
          try single(plan, scenario, on: bench, streams)
        }
      return Interruption.exitCode(or: Judging.ExitCode(verdict).rawValue)
    } catch {
      return streams.refuse(error)
    }
  }

  private func single(
    _ plan: RunPlan, _ scenario: Scenario, on bench: Bench, _ streams: OutputStreams
  ) throws -> Verdict {
    let output = try out.map { try OutputFolder(creating: $0) }
    Console.progress("running \(scenario.name)")
    defer { Console.endProgress() }
    let seed = seed ?? scenario.seed
    let report = try SeedRun(bench: bench, plan: plan, scenario: scenario).run(
      seed: seed, output: output, list: output.map { RunList($0) }, explains: true)
    Console.endProgress()
    let printer = RunPrinter(paint: .standardOutput)
    streams.tell(
      printer.text(
        of: report, scenario, file: plan.fileName, why: plan.whyLine(seed: seed)) + "repeat "
        + plan.repeatLine(seed: seed))
    try pipeline.show(PipelineReport(report, scenario, plan, seed: seed), to: streams)
    return report.verdict
  }

  private func sweep(
    _ plan: RunPlan, _ seeds: SeedRange, _ scenario: Scenario, on bench: Bench, _ streams: OutputStreams
  ) throws -> Verdict {
    // Read before the folder is cleared: it may lie in there.
    var seeds = seeds
    if let lastFailed {
      if let failed = try SweepRecord.lastFailed(lastFailed, of: seeds, plan, scenario: scenario.name) {
        seeds = failed
      } else {
        streams.complain("note: \(lastFailed): every seed passes there, so all of --seeds are played")
      }
    }
    let files = try out.map {
      SweepFiles(folder: try CampaignFolder($0, inputs: [plan.path]), keeps: keep ?? .failures)
    }
    let results = try Sweep(bench: bench, plan: plan, seeds: seeds, jobs: parallel.count, files: files).run()
    try files?.complete(results, seeds, plan, scenario: scenario.name)
    let measures = RunMeasure.all(protocols)
    let printer = SweepPrinter(
      printer: RunPrinter(paint: .standardOutput), plan: plan, seeds: seeds, results: results,
      claims: try scenario.claims.map { try Claim($0.text, among: measures) },
      reasons: { Interruption.isRequested ? nil : KnownReason.text(of: $0, plan, scenario, on: bench) })
    streams.tell(printer.lines.joined(separator: "\n"))
    try pipeline.show(PipelineReport(printer, scenario), to: streams)
    return printer.verdict
  }
}

extension KeptSeeds: ExpressibleByArgument {}
