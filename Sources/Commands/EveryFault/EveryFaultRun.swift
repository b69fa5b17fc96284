import Bench
import BluetoothWire
import Campaigns
import Conformance
import Explore
import InPlaceFuzz
import Judging
import Shrink
import SimKernel
import VirtualRadio

/// Plays a scenario once, and then worlds of it with a fault in each.
struct EveryFaultRun {
  private let options: EveryFaultOptions
  private let streams: OutputStreams
  private let path: String
  private let plan: EveryFaultPlan
  private let worlds: JudgedWorld.Bench
  /// What the undisturbed run shows.
  private let undisturbed: FaultedWorld
  private let clock: CampaignClock

  /// Everything but the parsing and the exit.
  /// - Returns: the exit code.
  static func execute(_ options: EveryFaultOptions, on bench: Bench, for streams: OutputStreams) -> Int32 {
    do {
      let run = try EveryFaultRun(options, on: bench, for: streams)
      let verdict = try options.world.map { try run.play(world: $0 - 1) } ?? run.play()
      return Interruption.exitCode(or: Judging.ExitCode(verdict).rawValue)
    } catch {
      return streams.refuse(error)
    }
  }

  /// Plays the undisturbed run and plans.
  private init(_ options: EveryFaultOptions, on bench: Bench, for streams: OutputStreams) throws {
    self.options = options
    clock = CampaignClock(budget: options.budget?.time)
    self.streams = streams
    let path = try ScenarioLibrary.shipped.path(of: options.scenario)
    self.path = path
    // Read once here, so that a faulty file is told before anything is played.
    let original = try bench.load(path, options.settings)
    Interruption.workBegins()
    FaultCampaign.prepare()
    worlds = JudgedWorld.Bench(protocols: protocols, language: .shipped)
    let seed = options.seed ?? original.seed
    Console.progress("playing \(original.name) undisturbed")
    defer { Console.endProgress() }
    let judgement = try bench.judge(original, RunOptions(seed: seed), readers: [])
    let outcome = judgement.outcome
    guard outcome.ending == .finished else {
      throw UsageProblem(
        "\(path): undisturbed, the run does not finish (\(outcome.ending.rawValue)); fix that first")
    }
    if judgement.verdict != .pass {
      streams.complain("note: undisturbed, the run is no pass (\(judgement.verdict.name)); babbench run shows why")
    }
    let margin = Self.margin(of: original)
    let longest = (outcome.endInstant - .zero) + EveryFaultPlan.longestFault * 2 + margin
    let base = try BaseScenario(
      try ShrinkSource(path: path, settings: options.settings, output: path).tree(), seed: seed, margin: margin,
      span: max(original.limits.simulatedTime, longest)
    ) { text in
      ScenarioReader.read(
        text: text, file: path, language: .shipped, profiles: .besides(path),
        programs: .besides(path, environment: Environment.inherited))
    }
    let reader = PlaceReader(base.scenario, protocols: protocols)
    undisturbed = try Self.undisturbed(base.scenario, until: outcome.endInstant, seed: seed, reader, on: worlds)
    plan = EveryFaultPlan(
      base, seed: seed, places: reader.places, arrivals: reader.arrivals, end: outcome.endInstant, margin: margin,
      kinds: options.kinds)
    guard plan.singles > 0 else {
      throw UsageProblem(
        "\(path): nothing happens in the run that a fault could hit; choose another scenario")
    }
    // What no file could say would be found out by each child alone.
    for number in 0..<plan.choices.count { _ = try plan.asides(of: plan.world(number), on: worlds) }
  }

  /// How long a world goes on after its last fault: what the oracles of the protocols in it need. Where a link may be
  /// lost later than they take for the longest, so much more.
  private static func margin(of scenario: Scenario) -> SimDuration {
    let spoken = protocols.filter { app in scenario.apps.contains { $0.app.name == app.name } }
    let due = spoken.map(\.everythingIsDue).max() ?? .seconds(10)
    // Units of 10 ms.
    let timeouts = scenario.devices.map { Int64($0.phone.connection.initial.supervisionTimeout) * 10 }
    return due + .milliseconds(max(0, (timeouts.max() ?? 0) - 6_000))
  }

  /// The run without a fault, up to the end of the scenario.
  private static func undisturbed(
    _ scenario: Scenario, until end: SimInstant, seed: UInt64, _ reader: PlaceReader, on worlds: JudgedWorld.Bench
  ) throws -> FaultedWorld {
    var scenario = scenario
    scenario.meanwhile.append(
      Aside(source: SourceLocation(line: 1, column: 1), instant: end, devices: [], action: .wait, text: "wait"))
    return try JudgedWorld(scenario, seed: seed, on: worlds, isHeld: false, readers: [reader]).finish()
  }

  // MARK: One world

  private func play(world number: Int) throws -> Verdict {
    let disturbance = plan.world(number)
    if let file = options.file { try FileSink.write(Array(text(of: disturbance, in: file).utf8), to: file) }
    let result = try plan.playFromStart(disturbance, on: worlds)
    var lines = ["scenario \(plan.scenario.name)", "seed \(plan.seed)", "world \(number + 1) of \(plan.singles)"]
    lines += done(disturbance)
    for sighting in result.sightings { lines += ["cause \(sighting.cause.text)", "  \(sighting.text)"] }
    let verdict = !result.isSound ? Verdict.fail : result.isJudged ? .pass : .none
    lines += ["verdict \(verdict.name)", "digest \(result.digest)"]
    streams.tell(lines.joined(separator: "\n"))
    return verdict
  }

  /// What is done in a world, one line for each fault.
  private func done(_ disturbance: Disturbance) -> [String] {
    disturbance.faults.map { fault in
      let place = plan.places[fault.place]
      return "\(plan.names[fault.device]) \(fault.kind.title), from \(place.instant) s on, when"
        + " \(place.name(plan.names))"
    }
  }

  /// The scenario of a world, for a file.
  private func text(of disturbance: Disturbance, in file: String) -> String {
    let prefix = ShrinkSource(path: path, settings: options.settings, output: file).prefix
    let line = Shell.line(options.repeatLine(seed: plan.seed, world: disturbance.number))
    return plan.base.moved(to: prefix).text(with: disturbance.asides, remarks: done(disturbance) + [line])
  }

  // MARK: All of them

  private func play() throws -> Verdict {
    let folder = try options.out.map { try CampaignFolder($0, inputs: [path]) }
    let shouldStop = { clock.mustStop }
    let campaign = try FaultCampaign(
      plan, undisturbed: undisturbed, on: worlds, jobs: options.jobs, isFresh: options.isFresh,
      patience: options.patience, shouldStop: shouldStop)
    let limit = limit
    while !shouldStop(), campaign.rank < limit {
      let count = campaign.nextRound(of: limit)
      let before = campaign.rank
      if try campaign.play(count, progress: { show($0, of: limit, campaign.tally) }) < count { break }
      if campaign.rank == before { break }
    }
    Console.endProgress()
    let report = try report(campaign.tally, to: folder?.output)
    if let folder {
      try write(report, to: folder.output)
      try folder.end(clock.ending("worlds", asked: nil, judged: campaign.rank))
    }
    streams.tell(summary(of: report).joined(separator: "\n"))
    Console.note(report.rate)
    return report.verdict
  }

  /// Worlds that are played at most, of both kinds.
  private var limit: Int {
    let pairs = options.pairs ?? (options.budget == nil ? 0 : Int.max / 4)
    let all = plan.singles + min(pairs, Int.max / 4)
    if case .worlds(let count)? = options.budget { return min(count, all) }
    return all
  }

  private func show(_ played: Int, of limit: Int, _ tally: FaultTally) {
    guard Console.showsProgress else { return }
    let milliseconds = max(1, clock.milliseconds)
    let of = limit < Int.max / 8 ? " of \(limit)" : ", \(plan.singles) of them with one fault"
    Console.progress(
      "\(played)\(of) worlds, \(played * 1_000 / milliseconds) worlds/s, "
        + CountedNoun.text(tally.discoveries.count, "cause"))
  }

  // MARK: What is told

  /// Those of the undisturbed run first, then by the first world.
  private func report(_ tally: FaultTally, to output: OutputFolder?) throws -> EveryFaultReport {
    let discoveries = tally.discoveries.sorted { ($0.world ?? -1, $0.cause.text) < ($1.world ?? -1, $1.cause.text) }
    let causes = try discoveries.enumerated().map { number, discovery in
      guard let world = discovery.world else {
        return EveryFaultReport.Cause(
          discovery: discovery, done: ["nothing was done: the undisturbed run shows it"], file: nil,
          repeatLine: Shell.line(["babbench", "run", options.scenario, "--seed", String(plan.seed)] + settings))
      }
      let disturbance = plan.world(world)
      let name = "cause-\(number + 1).yaml"
      guard let output else {
        return EveryFaultReport.Cause(
          discovery: discovery, done: done(disturbance), file: nil,
          repeatLine: Shell.line(options.repeatLine(seed: plan.seed, world: world)))
      }
      let path = output.path(of: name)
      try FileSink.write(Array(text(of: disturbance, in: path).utf8), to: path)
      return EveryFaultReport.Cause(
        discovery: discovery, done: done(disturbance), file: name,
        repeatLine: Shell.line(["babbench", "run", path]))
    }
    return EveryFaultReport(
      plan: plan, tally: tally, causes: causes, pairs: options.pairs, isInterrupted: Interruption.isRequested,
      repeatLine: Shell.line(options.repeatLine(seed: plan.seed)),
      wallMilliseconds: clock.milliseconds)
  }

  private var settings: [String] { options.settings.flatMap { ["--set", $0] } }

  private func write(_ report: EveryFaultReport, to output: OutputFolder) throws {
    let version = BenchVersion.current
    try FileSink.write(try EveryFaultPage.octets(report, version: version), to: output.path(of: "index.html"))
    try FileSink.write(report.junit(), to: output.path(of: "junit.xml"))
    try FileSink.write(report.json(version: version), to: output.path(of: "result.json"))
  }

  private func summary(of report: EveryFaultReport) -> [String] {
    var lines = ["scenario \(plan.scenario.name)", "seed \(plan.seed)", report.sentence]
    for cause in report.causes {
      let discovery = cause.discovery
      let first = discovery.world.map { ", first in world \($0 + 1)" } ?? ""
      lines.append("cause \(discovery.cause.text), in \(CountedNoun.text(discovery.count, "world"))\(first)")
      lines += ([discovery.text] + cause.done + [cause.repeatLine]).map { "  " + $0 }
    }
    if report.isInterrupted { lines.append("interrupted") }
    lines += [
      "verdict \(report.verdict.name)", "digest \(report.tally.digest.hexadecimal)", "repeat \(report.repeatLine)",
    ]
    return lines
  }
}
