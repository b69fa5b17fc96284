import AppSeam
import ArgumentParser
import Bench
import Campaigns
import Conformance
import Foundation
import Judging

/// `babbench selftest`: the suite tested by itself.
struct SelftestCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "selftest",
    abstract: "Show that every test purpose can fail, and that the reference passes.",
    discussion: """
      Runs the reference engine through every test purpose in every dialect, and every mutant (a correct engine with one
      clause broken) through the purposes of its role until one fails it, those for its clause first. Passes when the
      reference passes everywhere, every purpose fails a mutant, and every mutant is failed. Then engines that leave
      something out (a step, a type of packet, a report, what a profile does not have) play everything: none may fail
      for anything except what it leaves out, or pass for what it has not done. --matrix runs every pair.

      EXAMPLES:
        babbench selftest --jobs 2
        babbench selftest --select '\(Examples.pattern)'
        babbench selftest --matrix --jobs 2
        babbench selftest --write Docs
        babbench selftest --protocol ./chat.yaml --room chat-room.yaml
        babbench selftest --matrix --shard 2/3 --out part-2

      FILES of --out:
        result.json           verdict, and what each purpose fails, for programs
        kill-matrix.md, clause-coverage.md   as --write has them, unless --select or --mutant leave something out
      """)

  @Option(
    help: ArgumentHelp(
      "Only these test purposes, several with commas or repeated: the reference passes each, and each fails a mutant.",
      valueName: "pattern"), completion: .cases)
  var select: [String] = []

  @Option(
    help: ArgumentHelp("Only these mutants, by name: for work on a few of them.", valueName: "pattern"),
    completion: .mutants)
  var mutant: [String] = []

  @OptionGroup var parallel: JobsOption

  @Option(
    name: .customLong("protocol"),
    help: ArgumentHelp("Only this protocol, by its name or the path of its file.", valueName: "name"))
  var protocolName: String?

  @Option(
    help: ArgumentHelp(
      "With --protocol: mutants that survive the test purposes play in this room, where their oracle fails them.",
      valueName: "scenario"))
  var room: String?

  @Option(help: ArgumentHelp("Write kill-matrix.md and clause-coverage.md to this folder.", valueName: "folder"))
  var write: String?

  @Option(help: ArgumentHelp("Write the result to this folder.", valueName: "dir"))
  var out: String?

  @Option(
    help: ArgumentHelp("Run every N-th piece only, from the K-th on, for babbench merge.", valueName: "k/n"),
    transform: shardOption)
  var shard: Shard?

  @Flag(
    help: "Run every mutant through every test purpose of its role, and draw the matrix; takes a quarter of an hour.")
  var matrix = false

  func validate() throws {
    if protocolName != nil, write != nil || shard != nil {
      throw ValidationError("--protocol proves one protocol, and goes with neither --write nor --shard")
    }
    if room != nil, protocolName == nil { throw ValidationError("--room needs --protocol: whose mutants play in it") }
    if write != nil, !(select + mutant).isEmpty {
      throw ValidationError("--write needs the whole catalogue, so neither --select nor --mutant")
    }
    if shard != nil {
      if out == nil { throw ValidationError("--shard needs --out, from which babbench merge takes the part") }
      if write != nil { throw ValidationError("--write goes without --shard; babbench merge writes the same files") }
    }
  }

  func takeSignals() { Interruption.install() }

  func execute(for streams: OutputStreams) -> Int32 {
    do {
      return try prove(for: streams)
    } catch let error where error is UsageProblem || error is ScenarioProblems {
      return streams.refuse(error, .usage)
    } catch {
      return streams.refuse(error, .benchError)
    }
  }

  private func prove(for streams: OutputStreams) throws -> Int32 {
    let clock = CampaignClock()
    let scope = SelftestScope(
      select: CaseSelection.patterns(select), mutant: CaseSelection.patterns(mutant), matrix: matrix)
    let apps = try protocols.tested(named: protocolName)
    if let problem = scope.problem(among: apps) { throw problem }
    let note = shard.map {
      ShardNote(
        .selftest, words: scope.words, inputs: [:], seeds: "those of each test purpose", shard: $0, unit: "pieces",
        size: 0)
    }
    let documents = try write.map { try OutputFolder(creating: $0) }
    let folder = try out.map { try CampaignFolder($0, shard: note) }
    var runs: [SelftestRun] = []
    for app in scope.proved(among: apps) {
      var run = SelftestRun(app, scope)
      try run.play(shard ?? .all, jobs: parallel.count)
      if let room { try run.play(in: room, on: .real) }
      runs.append(run)
    }
    let milliseconds = clock.milliseconds
    let judged = runs.map(\.pieces.count).reduce(0, +)
    // Interrupted between two stages, nobody knows how many there are.
    let planned = max(runs.map(\.planned).reduce(0, +), judged + (Interruption.isRequested ? 1 : 0))
    let ending = clock.ending("pieces", asked: planned, judged: judged)
    if Interruption.isRequested {
      streams.complain("note: \(ending.text ?? "interrupted")")
      try folder?.end(ending, part: SelftestPart(scope, runs, milliseconds: milliseconds))
      return Interruption.exitCode
    }
    if let shard {
      let part = SelftestShard(runs)
      streams.tell(part.text(shard))
      try folder?.end(ending, part: SelftestPart(scope, runs, milliseconds: milliseconds))
      return Judging.ExitCode(part.verdict).rawValue
    }
    let result = SelftestResult(runs, scope, showsPicture: matrix || write != nil, milliseconds: milliseconds)
    streams.tell(result.text)
    if let documents { try result.writeDocuments(to: documents) }
    if let folder { try result.write(to: folder.output) }
    try folder?.end(ending)
    return result.exitCode
  }
}
