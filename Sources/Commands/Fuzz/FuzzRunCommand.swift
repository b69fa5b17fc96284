import ArgumentParser
import Bench
import Campaigns
import Conformance
import Foundation
import Fuzzing
import InPlaceFuzz
import Judging
import SimKernel

/// `babbench fuzz run`: a device of a scenario becomes hostile at a state, again and again.
struct FuzzRunCommand: BenchCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Make a device hostile at a state of a scenario, many times from the same state.",
    discussion: """
      Plays the scenario to the state once, and lets a child process play on from there for each execution.

      EXAMPLES:
        babbench fuzz run eight-peer-lobby --when "all clients in lobby" --from client-3
        babbench fuzz run eight-peer-lobby --when "host is ACTIVE" --from client-3 --seam att --executions 5000
        babbench fuzz run two-peers --when "all clients in lobby" --from host --out findings --corpus corpus
        babbench fuzz run two-peers --when "all clients in lobby" --from host --input findings/Crash/input.json
        babbench fuzz run two-peers --iut my-host.yaml --when "host is ACTIVE" --from client-1 --out findings
        babbench fuzz run two-peers --when "all clients in lobby" --from host --shards 4 --out findings
        babbench fuzz run two-peers --when "all clients in lobby" --from host --shard 3/4 --out part-3

      FILES of --out:
        index.html, junit.xml, result.json   the campaign, for people, CI servers and programs
        state.json                           the state that --resume continues from

      And a folder for each cause:
        input.json       the smallest attack that was found for it, and what --input needs
        finding.txt      what was wrong, and the line that repeats it
        finding.pcapng   the air, with comments on the packets of the attack and where the finding showed

      With --input it has attack.pcapng, the air with the attack of the file.

      --shards N plays N campaigns one after the other, each with its part of the executions and a seed of its own, and
      joins what they find by cause. Their own files are in shards/K. --shard K/N plays the K-th only, and babbench
      merge joins them. Docs/shards.md says more.

      EXIT CODES:
        0   no finding
        1   findings
        2   the condition never held, the device had sent nothing at the seam, a program broke without an attack, or
            fewer executions were played than were asked for
        3   the bench itself failed, for example because a file cannot be written
        64  the command line or the scenario is wrong
      """)

  /// Executions when neither their number nor a time is given.
  private static let usualExecutions = 1_024

  @Argument(
    help: "A scenario file, or the name of a shipped scenario.", completion: .scenarios)
  var scenario: String

  @Option(help: ArgumentHelp("The state: a condition as scenarios write it.", valueName: "condition"))
  var when: String

  @Option(help: ArgumentHelp("The device that becomes hostile.", valueName: "device"))
  var from: String

  @Option(
    help: ArgumentHelp(
      "The description of a program under test, the app of the devices with its role; each execution starts it again.",
      valueName: "file"))
  var iut: String?

  @Option(help: ArgumentHelp("The one device whose app that program is.", valueName: "device"))
  var iutAt: String?

  @Option(help: "Where it sends: packet, fragment, att, l2cap, hci, ll or air.")
  var seam = "packet"

  @Option(help: "Run with this seed instead of the scenario's.")
  var seed: UInt64?

  @OptionGroup var overrides: SettingOptions

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Simulated time of an execution after the state.", valueName: "duration"))
  var span = DurationArgument(value: .seconds(2))

  @Option(
    help: ArgumentHelp(
      "End an execution that has shown nothing by then, except one in \(Campaign.wholeOneOf); 0s: none ends.",
      valueName: "duration"))
  var look = DurationArgument(value: FuzzPlan.usualLook)

  @Option(help: "Limit on the events of an execution after the state.")
  var events = 200_000

  @Option(help: ArgumentHelp("An execution that takes longer on the wall clock is a hang.", valueName: "duration"))
  var patience = DurationArgument(value: .milliseconds(Int64(FuzzPlan.usualPatience)))

  @Option(help: ArgumentHelp("Growth by more than this many MiB in an execution is a finding.", valueName: "MiB"))
  var memory = FuzzPlan.usualMemory

  @Option(help: "Stop after this many executions.")
  var executions: Int?

  @Option(help: ArgumentHelp("Stop after this much wall-clock time.", valueName: "duration"))
  var time: DurationArgument?

  @OptionGroup var parallel: JobsOption

  @Flag(help: "Give every execution a process of its own. It never changes a result.")
  var fresh = false

  @Option(help: ArgumentHelp("Begin with the attacks in this folder, and add new ones.", valueName: "dir"))
  var corpus: String?

  @OptionGroup var output: ResumeOptions

  @Option(help: ArgumentHelp("Play only the attack of this file.", valueName: "file"))
  var input: String?

  @Option(help: ArgumentHelp("Share the executions among this many campaigns, each with its own seed.", valueName: "n"))
  var shards: Int?

  @Option(
    help: ArgumentHelp("Play one of N such campaigns only, for babbench merge.", valueName: "k/n"),
    transform: shardOption)
  var shard: Shard?

  func validate() throws {
    if iutAt != nil, iut == nil { throw ValidationError("--iut-at needs --iut, the program of that device") }
    try checkShards()
    try FuzzSeam.check(seam)
    if let executions, executions < 1 { throw ValidationError("--executions must be at least 1") }
    if events < 1 { throw ValidationError("--events must be at least 1") }
    if span.value <= .zero { throw ValidationError("--for must be more than 0s") }
    if memory < 1 { throw ValidationError("--memory must be at least 1") }
    if patience.value < .milliseconds(1) { throw ValidationError("--patience must be at least 1ms") }
    if let time, time.value <= .zero { throw ValidationError("--time must be more than 0s") }
  }

  private func checkShards() throws {
    if let shards, Shard("1/\(shards)") == nil { throw ValidationError("--shards must be 1 to \(Shard.limit)") }
    guard let option = shards != nil ? "--shards" : shard != nil ? "--shard" : nil else { return }
    if shards != nil, shard != nil { throw ValidationError("--shards plays all of them; --shard K/N one") }
    if output.out == nil { throw ValidationError("\(option) needs --out, where the campaigns leave what is joined") }
    if input != nil { throw ValidationError("\(option) shares executions, and --input plays one attack") }
    if time != nil { throw ValidationError("\(option) goes without --time: what a clock ends is not the same again") }
    if corpus != nil {
      throw ValidationError("\(option) goes without --corpus: each campaign would begin with what others have added")
    }
  }

  func takeSignals() { Interruption.install() }

  func execute(on bench: Bench, for streams: OutputStreams) -> Int32 {
    do {
      if let shards { return try playShards(shards, on: bench, for: streams) }
      var run = try campaign(shard, in: output.out, on: bench, for: streams)
      if let input {
        let verdict = try run.play(file: input)
        return Interruption.exitCode(or: Judging.ExitCode(verdict).rawValue)
      }
      return try run.play()
    } catch let error as FuzzObstacle {
      if case .system = error { return streams.refuse(error, .benchError) }
      return streams.refuse(error, .inconclusive)
    } catch {
      let isUsage =
        error is NoScenario || error is ScenarioProblems || error is AppProtocol.UnknownEngine || error is UnknownDevice
        || error is AttackFile.Refusal || error is NoResumption || error is UsageProblem || error is ShardSet.Refusal
      return streams.refuse(error, isUsage ? .usage : .benchError)
    }
  }

  /// Plays all shards one after the other, each in a folder of its own, and joins them as `babbench merge` does.
  private func playShards(_ count: Int, on bench: Bench, for streams: OutputStreams) throws -> Int32 {
    let path = try ScenarioLibrary.shipped.path(of: scenario)
    // A slip takes nothing away that an earlier campaign has left.
    _ = try plan(try bench.load(path, overrides.settings), seed: 1)
    let whole = try CampaignFolder(output.out ?? "", resumes: output.resume, inputs: [path])
    let silent = OutputStreams(tell: { _ in }, complain: streams.complain)
    var folders: [String] = []
    for number in 1...count {
      let folder = whole.output.path(of: "shards/\(number)")
      do {
        var run = try campaign(Shard("\(number)/\(count)"), in: folder, on: bench, for: silent)
        _ = try run.play()
      } catch {
        if number > 1 { streams.complain("error: campaign \(number) of \(count) cannot be played") }
        throw error
      }
      if Interruption.isRequested {
        streams.complain("note: interrupted in campaign \(number) of \(count); --resume goes on")
        return Interruption.exitCode
      }
      folders.append(folder)
    }
    let code = try FuzzMerge(try ShardSet(folders, out: whole.output.path)).write(to: whole.output, for: streams)
    try whole.end(CampaignEnding(unit: "campaigns", asked: count, judged: count, reason: nil))
    return code
  }

  /// - Parameters:
  ///   - shard: which campaign of several; nil: the only one.
  ///   - folder: where it leaves its files.
  private func campaign(
    _ shard: Shard?, in folder: String?, on bench: Bench, for streams: OutputStreams
  ) throws -> FuzzRun {
    let path = try ScenarioLibrary.shipped.path(of: scenario)
    let scenario = try bench.load(path, overrides.settings)
    let whole = seed ?? scenario.seed
    let plan = try plan(scenario, seed: shard.map { Self.seed(of: $0, whole) } ?? whole)
    var run = FuzzRun(plan: plan, condition: when, repeatLine: repeatLine(plan.seed), streams: streams)
    run.renews = fresh
    run.jobs = parallel.count
    let all = executions ?? (time == nil ? Self.usualExecutions : nil)
    run.executions = all.map { (shard ?? .all).size(of: $0) }
    run.time = time?.value
    run.corpus = try corpus.map { try OutputFolder(creating: $0) }
    var note: ShardNote?
    if let shard, let all {
      var inputs = ShardNote.programs(of: scenario)
      inputs["the file of the scenario"] = ShardNote.digest(of: path)
      if let iut { inputs["the file " + iut] = ShardNote.digest(of: iut) }
      note = ShardNote(
        .fuzzRun, words: repeatLine(whole) + ["--executions", String(all), "--shards", String(shard.count)],
        inputs: inputs, seeds: "\(plan.seed), from \(whole)", shard: shard, unit: "executions",
        size: shard.size(of: all))
    }
    if let folder, input == nil {
      run.folder = try CampaignFolder(
        folder, shard: note, plan: repeatLine(plan.seed), resumes: output.resume,
        inputs: [path] + (iut.map { [$0] } ?? []))
    }
    run.output = try run.folder?.output ?? folder.map { try OutputFolder(creating: $0) }
    return run
  }

  /// That of a campaign of several: the first has the seed itself.
  private static func seed(of shard: Shard, _ whole: UInt64) -> UInt64 {
    if shard.number == 1 { return whole }
    var stream = RandomStream(seed: whole, component: "fuzz", purpose: "campaign \(shard.number)")
    return stream.next()
  }

  private func plan(_ scenario: Scenario, seed: UInt64) throws -> FuzzPlan {
    var plan = try FuzzPlan(scenario, from: from, seam: seam, when: when, seed: seed)
    plan.span = span.value
    plan.look = look.value
    plan.events = events
    plan.memory = memory
    plan.patience = UInt32(clamping: patience.value.nanoseconds / 1_000_000)
    if let iutAt, !scenario.devices.contains(where: { $0.name == iutAt }) {
      throw UnknownDevice(
        description: "--iut-at: no device is called “\(iutAt)”; "
          + Suggestion.advice(for: iutAt, in: scenario.devices.map(\.name)))
    }
    if let iut { try plan.seat(program: iut, at: iutAt) }
    // Packets of a protocol file may be drawn that nobody has sent.
    let packets = Edition.current.learned.filter { $0.name.hasSuffix("-packet") }
    let own = plan.seam == .packet ? packets.map { (name: $0.name, prefix: [UInt8]()) } : []
    plan.seeds = Edition.current.decoders.units(of: plan.seam.grammars(isToHost: false) + own, seed: plan.seed)
    return plan
  }

  private func repeatLine(_ seed: UInt64) -> [String] {
    var words = ["babbench", "fuzz", "run", scenario, "--when", when, "--from", from, "--seam", seam]
    words += ["--seed", String(seed), "--for", span.defaultValueDescription]
    words += ["--look", look.defaultValueDescription, "--events", String(events)]
    if memory != FuzzPlan.usualMemory { words += ["--memory", String(memory)] }
    if patience.value != .milliseconds(Int64(FuzzPlan.usualPatience)) {
      words += ["--patience", patience.defaultValueDescription]
    }
    if let iut { words += ["--iut", iut] }
    if let iutAt { words += ["--iut-at", iutAt] }
    return words + overrides.words
  }
}
