import ArgumentParser
import Bench
import Conformance
import Foundation
import Fuzzing
import InPlaceFuzz
import Judging
import SimKernel

/// `babbench fuzz run`: a device of a scenario becomes hostile at a state, again and again.
struct FuzzRunCommand: ParsableCommand {
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

      FILES of --out:
        index.html, junit.xml, result.json   the campaign, for people, CI servers and programs
        state.json                           what --resume goes on from

      And a folder for each cause:
        input.json       the smallest attack that was found for it, and what --input needs
        finding.txt      what was wrong, and the line that repeats it
        finding.pcapng   the air, with comments on the packets of the attack and where the finding showed

      With --input it has attack.pcapng, the air with the attack of the file.

      EXIT CODES:
        0   no finding
        1   findings
        2   the condition never held, the device had sent nothing at the seam, or a program broke without an attack
        3   the bench itself failed, for example because a file cannot be written
        64  the command line or the scenario is wrong
      """)

  /// Executions when neither their number nor a time is given.
  private static let usualExecutions = 1_024

  @Argument(
    help: "A scenario file, or the name of a shipped scenario.", completion: .file(extensions: ScenarioLibrary.endings))
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

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("Override a value of the scenario, for example radio=living-room.", valueName: "key=value"))
  var settings: [String] = []

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("Simulated time of an execution after the state.", valueName: "duration"))
  var span = DurationArgument(value: .seconds(2))

  @Option(
    help: ArgumentHelp(
      "An execution that has shown nothing by then ends, except one in \(Campaign.wholeOneOf); 0s: none ends.",
      valueName: "duration"))
  var look = DurationArgument(value: FuzzPlan.usualLook)

  @Option(help: "Events of an execution after the state.")
  var events = 200_000

  @Option(help: ArgumentHelp("An execution that takes longer on the wall clock is a hang.", valueName: "duration"))
  var patience = DurationArgument(value: .milliseconds(Int64(FuzzPlan.usualPatience)))

  @Option(help: ArgumentHelp("To grow by more than so many MiB in an execution is a finding.", valueName: "MiB"))
  var memory = FuzzPlan.usualMemory

  @Option(help: "Stop after so many executions.")
  var executions: Int?

  @Option(help: ArgumentHelp("Stop after so much wall-clock time.", valueName: "duration"))
  var time: DurationArgument?

  @Option(help: "How many executions run side by side. It never changes a result.")
  var jobs: Int?

  @Flag(help: "Give every execution a process of its own. It never changes a result.")
  var fresh = false

  @Option(help: ArgumentHelp("Begin with the attacks in this folder, and add new ones.", valueName: "dir"))
  var corpus: String?

  @Option(help: ArgumentHelp("Write a folder for each cause there.", valueName: "dir"))
  var out: String?

  @Flag(help: "Go on where an earlier run with the same --out ended.")
  var resume = false

  @Option(help: ArgumentHelp("Play only the attack of this file.", valueName: "file"))
  var input: String?

  func validate() throws {
    if iutAt != nil, iut == nil { throw ValidationError("--iut-at needs --iut, the program of that device") }
    if resume, out == nil { throw ValidationError("--resume needs --out, where the earlier run left its state") }
    try FuzzSeam.check(seam)
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs must be 1 to 256") }
    if let executions, executions < 1 { throw ValidationError("--executions must be at least 1") }
    if events < 1 { throw ValidationError("--events must be at least 1") }
    if span.value <= .zero { throw ValidationError("--for must be more than 0s") }
    if memory < 1 { throw ValidationError("--memory must be at least 1") }
    if patience.value < .milliseconds(1) { throw ValidationError("--patience must be at least 1ms") }
    if let time, time.value <= .zero { throw ValidationError("--time must be more than 0s") }
    for setting in settings where !setting.contains("=") || setting.hasPrefix("=") {
      throw ValidationError("--set takes key=value, not '\(setting)'")
    }
  }

  func run() throws {
    Interruption.install()
    throw ArgumentParser.ExitCode(execute(on: .real, for: .standard))
  }

  /// Everything but the parsing and the exit.
  func execute(on bench: Bench, for audience: Audience) -> Int32 {
    do {
      let plan = try plan(on: bench)
      var run = FuzzRun(plan: plan, condition: when, repeatLine: repeatLine(plan.seed), audience: audience)
      run.renews = fresh
      run.jobs = jobs ?? ProcessInfo.processInfo.activeProcessorCount
      run.executions = executions ?? (time == nil ? Self.usualExecutions : nil)
      run.time = time?.value
      run.corpus = try corpus.map { try OutputFolder(creating: $0) }
      run.output = try out.map { try OutputFolder(creating: $0) }
      if input == nil { run.state = run.output.map { StateFile(in: $0, plan: repeatLine(plan.seed), goesOn: resume) } }
      run.isResumed = resume
      let verdict = try input.map { try run.play(file: $0) } ?? run.play()
      return Interruption.isRequested ? Interruption.exitCode : Judging.ExitCode(verdict).rawValue
    } catch let error as FuzzObstacle {
      if case .system = error { return audience.refuse(error, .benchError) }
      return audience.refuse(error, .inconclusive)
    } catch {
      let isUsage =
        error is NoScenario || error is ScenarioProblems || error is AppProtocol.UnknownEngine || error is UnknownDevice
        || error is AttackFile.Refusal || error is NoResumption || error is UsageProblem
      return audience.refuse(error, isUsage ? .usage : .benchError)
    }
  }

  private func plan(on bench: Bench) throws -> FuzzPlan {
    let scenario = try bench.load(try ScenarioLibrary.shipped.path(of: scenario), settings)
    var plan = try FuzzPlan(scenario, from: from, seam: seam, when: when, seed: seed)
    plan.span = span.value
    plan.look = look.value
    plan.events = events
    plan.memory = memory
    plan.patience = UInt32(clamping: patience.value.nanoseconds / 1_000_000)
    if let iutAt, !scenario.devices.contains(where: { $0.name == iutAt }) {
      throw UnknownDevice(
        description: "--iut-at: no device is called \"\(iutAt)\"; "
          + Suggestion.advice(for: iutAt, in: scenario.devices.map(\.name)))
    }
    if let iut { try plan.seat(program: iut, at: iutAt) }
    plan.seeds = Edition.current.decoders.units(of: plan.seam.grammars(isToHost: false), seed: plan.seed)
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
    return words + settings.flatMap { ["--set", $0] }
  }
}
