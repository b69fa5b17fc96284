import Bench
import Campaigns
import Conformance
import Foundation
import InPlaceFuzz
import Judging
import ParserTargets
import SimKernel

/// Plays one plan as far as it is asked to, and tells of it.
struct FuzzRun {
  let plan: FuzzPlan
  private let condition: String
  /// The words of the line that repeats it, without how far and with which files.
  let repeatLine: [String]
  let streams: OutputStreams
  var jobs = 1
  /// Every execution has a process of its own.
  var renews = false
  var executions: Int?
  var time: SimDuration?
  var corpus: OutputFolder?
  var output: OutputFolder?
  /// That of a campaign; `output` is in it.
  var folder: CampaignFolder?
  /// The findings that were written, in their order.
  private var told: [FuzzPart.Told] = []
  private var curve = CampaignCurve(["states", "corpus", "findings"])

  /// - Parameter condition: that of the state, as it was written.
  init(plan: FuzzPlan, condition: String, repeatLine: [String], streams: OutputStreams) {
    self.plan = plan
    self.condition = condition
    self.repeatLine = repeatLine
    self.streams = streams
  }

  private static let strayed =
    "the program did not reach the same state again: it is not deterministic, and nothing was attacked"

  private var deviceName: String { plan.scenario.devices[plan.device].name }

  /// Plays one attack of a file.
  func play(file path: String) throws -> Verdict {
    let attack = try AttackFile.read(path)
    let campaign = try Campaign(plan, protocols: protocols, jobs: 1)
    guard let execution = try campaign.play(attack) else { return .none }
    var lines = heading(campaign)
    if execution.isAstray {
      streams.tell((lines + [Self.strayed, "verdict \(Verdict.inconclusive.name)"]).joined(separator: "\n"))
      return .inconclusive
    }
    for stroke in attack.strokes { lines.append("stroke " + AttackFile.text(of: stroke)) }
    if let output {
      let capture = CapturedAttack(attack, execution.findings.first, of: plan, protocols: protocols)
      _ = try capture.write(to: output.path(of: "attack.pcapng"))
    }
    for finding in execution.findings { lines.append("finding \(finding.cause.name): \(finding.text)") }
    lines.append("events \(execution.events)")
    let verdict = execution.findings.isEmpty ? Verdict.pass : .fail
    lines.append("verdict \(verdict.name)")
    if !execution.digest.isEmpty { lines.append("digest \(execution.digest)") }
    streams.tell(lines.joined(separator: "\n"))
    return verdict
  }

  /// - Returns: the exit code.
  mutating func play() throws -> Int32 {
    Console.progress("playing \(plan.scenario.name) to the state")
    defer { Console.endProgress() }
    let known = try corpus.map { try AttackFile.all(in: $0.path) } ?? []
    let campaign = try Campaign(
      plan, protocols: protocols, jobs: jobs, renews: renews, corpus: known, shouldStop: { Interruption.isRequested })
    // Who was interrupted may not have looked.
    if !Interruption.isRequested, let obstacle = campaign.obstacle { throw obstacle }
    if let state = folder?.state, let progress = try state.read(Progress.self) {
      guard campaign.goOn(from: progress.campaign) else { throw state.isChanged }
      (told, curve) = (progress.told, progress.curve)
    }
    let clock = CampaignClock(budget: time)
    while !clock.mustStop {
      let count = campaign.nextGeneration(of: executions)
      if count <= 0 { break }
      // What a part of a generation brings cannot be gone on from.
      try keepState(of: campaign, atOnce: count < Campaign.generation)
      for attack in try campaign.play(count) { try keep(attack) }
      curve.note([campaign.pairCount, campaign.corpus.count, campaign.discoveries.count], at: campaign.executions)
      while output != nil, told.count < campaign.discoveries.count {
        try write(campaign.discoveries[told.count], campaign)
      }
      showProgress(campaign, clock.elapsed)
    }
    try keepState(of: campaign, atOnce: true)
    Console.endProgress()
    let elapsed = clock.elapsed
    let ending = clock.ending("executions", asked: executions, judged: campaign.executions)
    var report = report(campaign, elapsed)
    report.ending = ending
    try output?.write(report)
    try folder?.end(ending, part: part(campaign, elapsed))
    streams.tell(summary(campaign, elapsed, ending).joined(separator: "\n"))
    return ending.exitCode(campaign.discoveries.isEmpty ? .pass : .fail)
  }

  /// What `--resume` needs.
  private struct Progress: Codable {
    var campaign: Campaign.Progress
    var told: [FuzzPart.Told]
    var curve: CampaignCurve
  }

  private func keepState(of campaign: Campaign, atOnce: Bool) throws {
    guard let state = folder?.state, atOnce || state.isDue, let progress = campaign.progress else { return }
    // A finding that the state knows is not written again.
    try folder?.list()
    try state.write(Progress(campaign: progress, told: told, curve: curve))
  }

  private func report(_ campaign: Campaign, _ elapsed: Duration) -> CampaignReport {
    var facts = [
      ("scenario", plan.scenario.name), ("seed", String(plan.seed)), ("hostile device", deviceName),
      ("seam", plan.seam.rawValue), ("state", condition), ("reached at", "\(campaign.instant) s"),
      ("played after it", "\(plan.span) s, \(plan.events) events at most"), ("events", String(campaign.events)),
      ("whole executions", String(campaign.wholes)),
    ]
    if campaign.astray > 0 { facts.append(("did not reach the same state", String(campaign.astray))) }
    if Interruption.isRequested { facts.append(("ended", "interrupted")) }
    let findings = zip(campaign.discoveries, told).map { discovery, told in
      CampaignReport.Finding(
        cause: discovery.finding.cause.name, text: discovery.finding.text, times: discovery.count,
        first: discovery.execution, input: told.attack.strokes.map { AttackFile.text(of: $0) },
        folder: discovery.finding.cause.name, files: FuzzPart.Told.files,
        repeatLine: Shell.line(repetition(of: discovery)))
    }
    var report = CampaignReport(
      command: "babbench fuzz run", subject: "\(deviceName) hostile at \(plan.seam.rawValue) in \(plan.scenario.name)",
      facts: facts.map { (name: $0.0, value: $0.1) }, executions: campaign.executions, findings: findings,
      curve: curve, repeatLine: Shell.line(repeatLine + ["--executions", String(campaign.executions)]),
      wallMilliseconds: Int(elapsed / .milliseconds(1)))
    report.digest = campaign.digest.hexadecimal
    return report
  }

  /// What `babbench merge` needs of a shard.
  private func part(_ campaign: Campaign, _ elapsed: Duration) -> FuzzPart {
    FuzzPart(
      words: repeatLine, scenario: plan.scenario.name, device: deviceName, seam: plan.seam.rawValue,
      condition: condition, span: "\(plan.span)", eventLimit: plan.events, seed: plan.seed,
      instant: "\(campaign.instant)", executions: campaign.executions, wholes: campaign.wholes, astray: campaign.astray,
      events: campaign.events, states: campaign.pairCount, corpus: campaign.corpus.count,
      digest: campaign.digest.hexadecimal, curve: curve, discoveries: campaign.discoveries, told: told,
      milliseconds: Int(elapsed / .milliseconds(1)))
  }

  private func heading(_ campaign: Campaign) -> [String] {
    [
      "scenario \(plan.scenario.name)", "seed \(plan.seed)",
      "\(deviceName) is hostile at the seam \(plan.seam.rawValue) from \(campaign.instant) s on",
      "an execution plays \(plan.span) s more; without an attack that is \(campaign.controlEvents) events",
    ]
  }

  /// How many executions were how long.
  private func counted(_ campaign: Campaign) -> String {
    CountedNoun.text(campaign.executions, "execution")
      + (campaign.wholes == campaign.executions ? "" : ", \(campaign.wholes) of them whole")
  }

  private func showProgress(_ campaign: Campaign, _ elapsed: Duration) {
    guard Console.showsProgress else { return }
    Console.progress(
      "\(campaign.executions) executions, \(rate(campaign, elapsed)) executions/s, corpus \(campaign.corpus.count),"
        + " states \(campaign.pairCount), findings \(campaign.discoveries.count)")
  }

  private func rate(_ campaign: Campaign, _ elapsed: Duration) -> Int {
    let seconds = Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18
    return seconds > 0 ? Int(Double(campaign.executions) / seconds) : 0
  }

  private func summary(_ campaign: Campaign, _ elapsed: Duration, _ ending: CampaignEnding) -> [String] {
    var lines = heading(campaign)
    for discovery in campaign.discoveries {
      let times = discovery.count == 1 ? "once" : "\(discovery.count) times"
      lines.append("finding \(discovery.finding.cause.name), \(times), first in execution \(discovery.execution)")
      lines.append("  \(discovery.finding.text)")
      lines.append("  " + Shell.line(repetition(of: discovery)))
    }
    lines.append(
      "\(counted(campaign)), \(campaign.events) events, corpus \(campaign.corpus.count),"
        + " states \(campaign.pairCount), findings \(campaign.discoveries.count)")
    if campaign.astray > 0 {
      lines.append("\(campaign.astray) of them did not reach the same state: the program is not deterministic")
    }
    Console.note("\(rate(campaign, elapsed)) executions/s")
    if let missing = ending.text { lines.append(missing) }
    lines.append("verdict " + ending.verdict(campaign.discoveries.isEmpty ? .pass : .fail).name)
    lines.append("digest " + campaign.digest.hexadecimal)
    lines.append("repeat " + Shell.line(repeatLine + ["--executions", String(campaign.executions)]))
    return lines
  }

  /// Where a crash is in this program, as far as that is known.
  private static func place(of cause: Execution.Cause) -> String? {
    guard cause.oracle == Execution.Cause.crash, let offset = UInt64(cause.frame.dropFirst(2), radix: 16) else {
      return nil
    }
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    return CrashPlace.words(offset: offset, of: program)
  }

  private func repetition(of discovery: Campaign.Discovery) -> [String] {
    guard let output else { return repeatLine + ["--executions", String(discovery.execution)] }
    return repeatLine + ["--input", output.path(of: discovery.finding.cause.name) + "/input.json"]
  }

  /// Adds an attack to the folder of the corpus.
  private func keep(_ attack: Attack) throws {
    guard let corpus else { return }
    let octets = AttackFile.octets(of: attack)
    var digest = TraceDigest()
    digest.combine(octets: octets)
    try FileSink.write(octets, to: corpus.path(of: digest.hexadecimal + ".json"))
  }

  /// Makes the attack of a cause smaller and writes its folder.
  private mutating func write(_ discovery: Campaign.Discovery, _ campaign: Campaign) throws {
    guard let output else { return }
    let folder = try output.folder(discovery.finding.cause.name)
    let attack = try campaign.shrunk(discovery)
    var lines = ["\(discovery.finding.cause.name)", discovery.finding.text, ""]
    lines += heading(campaign)
    lines.append("first in execution \(discovery.execution)")
    if let place = Self.place(of: discovery.finding.cause) { lines.append("place \(place)") }
    lines += attack.strokes.map { "stroke " + AttackFile.text(of: $0) }
    try FileSink.write(AttackFile.octets(of: attack), to: folder.path(of: "input.json"))
    let capture = CapturedAttack(attack, discovery.finding, of: plan, protocols: protocols)
    var hasCapture = true
    switch try capture.write(to: folder.path(of: "finding.pcapng")) {
    case .all(let digest): lines.append("digest \(digest)")
    case .upToTheEnd: lines.append("finding.pcapng ends where the program did")
    case .nothing:
      hasCapture = false
      lines.append("no finding.pcapng: the attack did not end the program at the same place again")
    }
    let found = FuzzPart.Told(attack: attack, lines: lines, hasCapture: hasCapture)
    told.append(found)
    try FileSink.write(found.text(repeating: repetition(of: discovery)), to: folder.path(of: "finding.txt"))
  }
}
