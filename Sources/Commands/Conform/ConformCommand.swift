import AppSeam
import ArgumentParser
import Bench
import Campaigns
import Conformance
import Foundation
import Judging

/// `babbench conform`: tests an implementation that others wrote.
struct ConformCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform",
    abstract: "Test an implementation: a verdict for every test purpose.",
    discussion: """
      The bench plays all other peers, good and malicious, over the virtual radio in virtual time. The implementation
      is a program that speaks JSON Lines (Docs/Formats/iut-protocol.md), named by a description file
      (Docs/Formats/iut-description.md), or a built-in engine.

      EXAMPLES:
        babbench conform --iut my-host.yaml --out out
        babbench conform --iut my-host.yaml --select '\(Examples.pattern)' --skip \(Examples.skipped)
        babbench conform --iut my-host.yaml --baseline last/result.json --fail-on regressions
        babbench conform --iut my-host.yaml --last-failed last/result.json
        babbench conform --iut reference --role client --dialect app --dryrun
        babbench conform --iut published-raw-chunks --role host --dialect sdk
        babbench conform --iut my-host.yaml --shard 2/3 --out part-2

      FILES of --out, each whole or not there at all:
        report.html     for people: matrix, every case with its sequence chart
        result.json     every verdict and finding; --baseline reads it
        junit.xml       the same for CI
        events.jsonl    the events of the run in their order
        cases/…         trace, capture and log of every case that did not pass
      """)

  @Option(
    help: ArgumentHelp("A description file, or the name of a built-in engine; may be repeated.", valueName: "file"),
    completion: .implementations)
  var iut: [String]

  @Option(help: ArgumentHelp("The role of a built-in engine.", valueName: "role"))
  var role: AppRole?

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("The app of a built-in engine; default: the first that has it.", valueName: "name"))
  var app: String?

  @Option(
    help: ArgumentHelp(
      "The published profile that a built-in engine follows; babbench list --profiles shows them.", valueName: "name"))
  var profile: String?

  @Option(
    help: ArgumentHelp("Judge by published clauses alone, not by decisions of the bench.", valueName: "published"))
  var only: OnlyClauses?

  @Option(help: ArgumentHelp("Only in this dialect; may be repeated.", valueName: "dialect"), transform: dialectName)
  var dialect: [DialectName] = []

  @Option(
    help: ArgumentHelp(
      "Only these test purposes, for example \(Examples.pattern); several with commas, or repeated.",
      valueName: "pattern"), completion: .cases)
  var select: [String] = []

  @Option(
    help: ArgumentHelp("Not these test purposes; several with commas, or repeated.", valueName: "pattern"),
    completion: .cases)
  var skip: [String] = []

  @Option(
    help: ArgumentHelp(
      "Steps that the bench takes for the implementation, separated by commas; none: not even in a second pass.",
      valueName: "steps"))
  var assume: String?

  @Option(help: "With this seed instead of those of each test purpose.")
  var seed: UInt64?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Play less than a test purpose arranges, as babbench shrink prints it: \(StageCut.forms); may be repeated.",
      valueName: "part=value"))
  var stage: [String] = []

  @Flag(help: "Show the cases and which of them apply, and run none.")
  var dryrun = false

  @OptionGroup var parallel: JobsOption

  @Flag(help: "Show every cause, not only those that fit on a screen.")
  var allCauses = false

  @Flag(help: "Start no further case after the first that is neither pass nor waived.")
  var failFast = false

  @Flag(
    help:
      "Run every case twice; show the first event that differs, and whether the implementation or the bench caused it.")
  var checkDeterminism = false

  @OptionGroup var comparison: ComparisonOptions

  @Option(
    help: ArgumentHelp(
      "Only the cases that do not pass in an earlier result.json; all, where all pass.", valueName: "file"))
  var lastFailed: String?

  @OptionGroup var pipeline: PipelineOptions

  @Option(
    help: ArgumentHelp("Run every N-th case only, from the K-th on, for babbench merge.", valueName: "k/n"),
    transform: shardOption)
  var shard: Shard?

  @Option(help: ArgumentHelp("Write reports, captures and logs to this folder.", valueName: "dir"))
  var out: String?

  func validate() throws {
    if shard != nil {
      if out == nil, !dryrun { throw ValidationError("--shard needs --out, from which babbench merge takes the part") }
      if failFast { throw ValidationError("--fail-fast looks at all cases, so it goes without --shard") }
      if comparison.baseline != nil {
        throw ValidationError("--baseline is compared with all cases; give it to babbench merge, not to a --shard")
      }
      if lastFailed != nil { throw ValidationError("--last-failed goes without --shard: shards are of all cases") }
      if pipeline.isAsked {
        throw ValidationError(
          "--summary, --annotations and --code-quality are of all cases; give them to babbench merge")
      }
    }
    if lastFailed != nil, comparison.baseline != nil {
      throw ValidationError("--baseline is compared with all cases, and --last-failed runs some; give one of them")
    }
    var cut = StageCut()
    for word in stage where !cut.add(word: word) {
      throw ValidationError("--stage takes \(StageCut.forms), not '\(word)'")
    }
  }

  func takeSignals() { Interruption.install(untilWork: true) }

  func execute(for streams: OutputStreams) -> Int32 {
    do {
      let implementations = try tested.load()
      var suite = Suite(
        implementations, selection: selection, dialects: dialect.isEmpty ? nil : dialect, seed: seed,
        assuming: try tested.steps(assume, for: implementations), cut: cut)
      suite.judged = judged
      if let lastFailed { try ConformFiles.keep(lastFailed: lastFailed, in: &suite) }
      if let problem = UsageProblem.idle(selection, "test purpose", protocols.purposes.map(\.id), list: "--cases") {
        throw problem
      }
      let printer = ConformPrinter(paint: .standardOutput, folder: out, showsAll: allCauses)
      if dryrun {
        streams.tell(printer.plan(suite, shard ?? .all))
        return suite.items.contains { suite.notApplicable($0) == nil } ? 0 : Judging.ExitCode.inconclusive.rawValue
      }
      let run = try play(suite)
      streams.tell(printer.text(of: run))
      try pipeline.show(PipelineReport(run, files: iut), to: streams)
      return Interruption.exitCode(or: run.exitCode.rawValue)
    } catch let error as BenchFailure {
      return streams.refuse(error, .benchError)
    } catch let error as WholeFileError {
      return streams.refuse(error, .benchError)
    } catch {
      return streams.refuse(error, .usage)
    }
  }

  private var tested: TestedEngines { TestedEngines(iut: iut, role: role, app: app, profile: profile) }

  /// What `--stage` says; `validate` has read it.
  private var cut: StageCut {
    var cut = StageCut()
    for word in stage { _ = cut.add(word: word) }
    return cut
  }

  private var judged: JudgedClauses { JudgedClauses(onlyPublished: only != nil) }

  private var selection: CaseSelection {
    CaseSelection(select: CaseSelection.patterns(select), skip: CaseSelection.patterns(skip))
  }

  private func play(_ suite: Suite) throws -> SuiteRun {
    // A slip leaves no folder behind, and the baseline may lie where the new files go.
    let earlier = try comparison.baseline.map { try ConformFiles.baseline($0, for: suite) }
    Interruption.workBegins()
    let folder = try out.map { try CampaignFolder($0, shard: shard.map { shardNote($0, suite) }) }
    let output = folder?.output
    let started = Date()
    let whole = words(dialects: dialect)
    let part = shard ?? .all
    var run = SuiteRun(
      protocols, version: BenchVersion.current, selection: selection,
      repeatLine: Shell.line(whole + (shard.map { ["--shard", $0.description] } ?? [])),
      implementations: suite.tested.map(SuiteRun.Implementation.init), planned: part.size(of: suite.items.count),
      cases: [], baseline: earlier)
    run.judged = judged
    run.failsOnRegressionsOnly = comparison.failOn == .regressions
    let files = try output.map { try ConformFiles(folder: $0, run) }
    let cases = ConformCases(
      suite: suite, shard: part, output: output, checksDeterminism: checkDeterminism, failFast: failFast,
      helps: assume != TestedEngines.noHelp, repeats: RepeatWords(iut: iut, engine: tested.words + lawWords))
    let outcomes = try cases.run(jobs: parallel.count) { outcome in
      files?.caseEnded(outcome.number, outcome.reports)
      try folder?.list()
    }
    run.cases = outcomes.flatMap(\.reports)
    let begun = Set(outcomes.map(\.number))
    run.notBegun = suite.items.indices.filter { part.contains($0) && !begun.contains($0) }
      .map { SuiteRun.NotBegun(suite.items[$0]) }
    run.settleWaivers()
    run.wallTimes = SuiteRun.WallTimes(
      startedAt: started.formatted(.iso8601), totalMilliseconds: Int(Date().timeIntervalSince(started) * 1_000),
      caseMilliseconds: outcomes.map(\.milliseconds))
    if let failure = outcomes.lazy.compactMap(\.failure).first { throw failure }
    try files?.complete(run)
    try folder?.end(
      CampaignEnding(unit: "cases", asked: run.planned, judged: run.planned - run.notRun, reason: nil),
      part: ConformPart(run, repeatLine: Shell.line(whole), planned: suite.items.count, outcomes))
    return run
  }

  private func shardNote(_ shard: Shard, _ suite: Suite) -> ShardNote {
    let descriptions = iut.filter { FileManager.default.fileExists(atPath: $0) }
    return ShardNote(
      .conform, words: words(dialects: dialect) + (checkDeterminism ? ["--check-determinism"] : []),
      inputs: Dictionary(descriptions.map { ("the file " + $0, ShardNote.digest(of: $0)) }) { first, _ in first },
      seeds: seed.map(String.init) ?? "those of each test purpose", shard: shard, unit: "cases",
      size: shard.size(of: suite.items.count))
  }

  // MARK: Lines to repeat

  private func words(dialects: [DialectName]) -> [String] {
    ["babbench", "conform"] + iut.flatMap { ["--iut", $0] } + tested.words + lawWords
      + dialects.flatMap { ["--dialect", $0.rawValue] }
      + select.flatMap { ["--select", $0] } + skip.flatMap { ["--skip", $0] }
      + (lastFailed.map { ["--last-failed", $0] } ?? []) + (assume.map { ["--assume", $0] } ?? [])
      + (seed.map { ["--seed", String($0)] } ?? [])
      + cut.options
  }

  /// What tells by which clauses was judged.
  private var lawWords: [String] { only.map { ["--only", $0.rawValue] } ?? [] }
}

/// What `--only` knows.
enum OnlyClauses: String, ExpressibleByArgument, CaseIterable {
  case published
}
