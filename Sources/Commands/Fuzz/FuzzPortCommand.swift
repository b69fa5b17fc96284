import ArgumentParser
import Bench
import Campaigns
import Conformance
import Foundation
import Fuzzing
import HCIPorts
import InPlaceFuzz
import Judging
import SimKernel

/// `babbench fuzz port`: a host stack from outside, attacked by a device of a scenario or by its own controller.
struct FuzzPortCommand: ExecutedCommand {
  static let configuration = CommandConfiguration(
    commandName: "port",
    abstract: "Make a device hostile to an external host stack, at a state of a scenario.",
    discussion: """
      Plays the scenario in real time with the host at --port, again and again. From the state on, the device of \
      --from attacks once every --pause. Findings are a program that ends, an exception in its output, a host that \
      stops reading, and what the oracles find about the other devices.

      With --seam hci the device of --from is the one at the port: its controller is hostile to its host.

      EXAMPLES:
        babbench fuzz port guest-host --port host=h4:tcp:0 --program 'python3 my_host.py {transport}' \\
          --when "all clients are CONNECTED" --from client-1 --seam att
        babbench fuzz port guest-host --port host=h4:tcp:0 --program 'python3 my_host.py {transport}' \\
          --when "all clients are CONNECTED" --from client-1 --seam att --input findings/Ended-exit-code-1/input.json

      The program is started again for each session; {transport}, {host}, {port} and {path} say where to connect.

      FILES of --out:
        index.html, junit.xml, result.json   the campaign, for people, CI servers and programs
        session.json     the attacks of the session under way, each written before it is made; --input takes them
        state.json       the state that --resume continues from

      And a folder for each cause:
        input.json       the attacks, as few as were found, and what --input needs
        finding.txt      what was wrong, the attacks, and the line that repeats it
        program.log      the output of the program
        air.pcapng, *.btsnoop  the session with the attacks of input.json, when it showed the cause again

      EXIT CODES:
        0   no finding
        1   findings
        2   the condition never held, the program ended without an attack, or fewer sessions were played than were
            asked for
        3   the bench itself failed, for example because a file cannot be written
        64  the command line or the scenario is wrong
        130 interrupted
      """)

  @Argument(
    help: "A scenario file, or the name of a shipped scenario.", completion: .scenarios)
  var scenario: String

  @Option(
    name: .customLong("port"), parsing: .singleValue,
    help: ArgumentHelp("Offer the controller of this device at this address.", valueName: "[DEVICE=]ADDRESS"),
    transform: { try SeatArgument(parsing: $0) })
  var ports: [SeatArgument] = []

  @Option(help: ArgumentHelp("What connects to the port, as a shell reads it.", valueName: "command"))
  var program: String?

  @Option(help: ArgumentHelp("The state: a condition as scenarios write it.", valueName: "condition"))
  var when: String

  @Option(help: ArgumentHelp("The device that becomes hostile.", valueName: "device"))
  var from: String

  @Option(help: "Where it sends: packet, fragment, att, l2cap, ll, air or hci.")
  var seam = "att"

  @Option(help: "Run with this seed instead of the scenario's.")
  var seed: UInt64?

  @OptionGroup var overrides: SettingOptions

  @Option(help: ArgumentHelp("Time from the start of one attack to the start of the next.", valueName: "duration"))
  var pause = DurationArgument(value: .milliseconds(50))

  @Option(help: "Attacks per session.")
  var attacks = 200

  @Option(
    name: .customLong("for"),
    help: ArgumentHelp("How long the session goes on after its last attack.", valueName: "duration"))
  var span = DurationArgument(value: .seconds(1))

  @Option(help: "Stop after this many sessions.")
  var sessions: Int?

  @Option(help: ArgumentHelp("Stop after this much wall-clock time.", valueName: "duration"))
  var time: DurationArgument?

  @Option(help: "Sessions that may be played to make one finding smaller.")
  var trials = 24

  @OptionGroup var output: ResumeOptions

  @Option(help: ArgumentHelp("Play only the attacks of this file.", valueName: "file"))
  var input: String?

  @Option(
    help: ArgumentHelp("Make attacks of these units too: a line of hexadecimal digits each.", valueName: "file"))
  var units: String?

  func validate() throws {
    try FuzzSeam.check(seam)
    if ports.isEmpty { throw ValidationError("which host? write --port DEVICE=h4:tcp:0") }
    if attacks < 1 { throw ValidationError("--attacks must be at least 1") }
    if trials < 0 { throw ValidationError("--trials must be at least 0") }
    if let sessions, sessions < 1 { throw ValidationError("--sessions must be at least 1") }
    for (name, duration) in [("pause", pause), ("for", span), ("time", time)] {
      if let duration, duration.value <= .zero { throw ValidationError("--\(name) must be more than 0s") }
    }
  }

  func takeSignals() { Interruption.install() }

  func execute(for streams: OutputStreams) -> Int32 {
    do {
      let live = try livePlan()
      let plan = try plan(live.scenario)
      let written = try units.map { try UnitFile.read($0) } ?? []
      let seeds =
        Edition.current.decoders.units(
          of: plan.seam.grammars(isToHost: plan.seam == .hci), seed: plan.seed) + written
      let campaign = PortCampaign(plan, live: live, program: program, seeds: seeds, streams: streams)
      var run = FuzzPortRun(campaign: campaign, repeatLine: repeatLine(plan.seed), streams: streams)
      run.attacks = attacks
      run.pause = pause.value
      run.sessions = sessions ?? (time == nil ? 1 : nil)
      run.time = time?.value
      run.trials = trials
      guard let input else {
        run.folder = try output.out.map {
          try CampaignFolder(
            $0, plan: repeatLine(plan.seed), resumes: output.resume, inputs: [scenario] + (units.map { [$0] } ?? []))
        }
        run.output = run.folder?.output
        return try run.play()
      }
      run.output = try output.out.map { try OutputFolder(creating: $0) }
      let verdict = try run.play(file: input)
      return run.wasInterrupted ? Interruption.exitCode : Judging.ExitCode(verdict).rawValue
    } catch let error as FuzzObstacle {
      return streams.refuse(error, .inconclusive)
    } catch {
      switch error {
      case is ScenarioProblems, is NoScenario, is LiveSession.Refusal, is AppProtocol.UnknownEngine, is UnknownDevice,
        is AttackFile.Refusal, is UnitFile.Refusal, is PortError, is NoResumption:
        return streams.refuse(error, .usage)
      default: return streams.refuse(error, .benchError)
      }
    }
  }

  private func livePlan() throws -> LivePlan {
    var words = overrides.words
    if let seed { words += ["--seed", String(seed)] }
    return try LivePlan(
      .init(argument: scenario), seats: { try LivePlan.devices(of: ports, in: $0, option: "--port") }, partner: .host,
      begin: .allSeats, options: try LiveOptions.parse(words))
  }

  private func plan(_ scenario: Scenario) throws -> FuzzPlan {
    var plan = try FuzzPlan(scenario, from: from, seam: seam, when: when, seed: seed)
    let isAtPort = try LivePlan.devices(of: ports, in: scenario, option: "--port").contains { $0.device == plan.device }
    if isAtPort != (plan.seam == .hci) {
      throw UnknownDevice(
        description: isAtPort
          ? "\(from) is the host that is attacked; --from is one of our devices, except with --seam hci"
          : "with --seam hci a controller is hostile to its host; --from is the device of --port")
    }
    plan.span = span.value
    return plan
  }

  private func repeatLine(_ seed: UInt64) -> [String] {
    var words = ["babbench", "fuzz", "port", scenario]
    words += ports.flatMap { ["--port", ($0.device.map { $0 + "=" } ?? "") + $0.address.description] }
    words += program.map { ["--program", $0] } ?? []
    words += ["--when", when, "--from", from, "--seam", seam, "--seed", String(seed)]
    words += ["--for", span.defaultValueDescription] + (units.map { ["--units", $0] } ?? [])
    return words + overrides.words
  }
}
