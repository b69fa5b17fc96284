import Bench
import Campaigns
import Conformance
import Foundation
import InPlaceFuzz
import Judging
import SimKernel

/// Plays sessions as far as it is asked to, and tells of them.
struct FuzzPortRun {
  let campaign: PortCampaign
  let repeatLine: [String]
  let streams: OutputStreams
  var attacks = 200
  var pause = SimDuration.milliseconds(50)
  var sessions: Int?
  var time: SimDuration?
  var trials = 24
  var output: OutputFolder?
  /// That of a campaign; `output` is in it.
  var folder: CampaignFolder?
  private(set) var wasInterrupted = false
  /// What was written of the findings, in their order.
  private var told: [[TimedAttack]] = []
  private var curve = CampaignCurve(["answers", "corpus", "findings"])

  init(campaign: PortCampaign, repeatLine: [String], streams: OutputStreams) {
    self.campaign = campaign
    self.repeatLine = repeatLine
    self.streams = streams
  }

  /// Plays the attacks of a file.
  mutating func play(file path: String) throws -> Verdict {
    let list = try AttackFile.readSequence(path)
    _ = try campaign.prepare()
    let round = try campaign.play(list, into: output)
    wasInterrupted = round.wasInterrupted
    if let output { try FileSink.write(Array(round.log.utf8), to: output.path(of: "program.log")) }
    var lines = heading + Self.text(of: list)
    lines += round.findings.map { "finding \($0.finding.cause.name): \($0.finding.text)" }
    lines.append("ended \(Self.text(of: round.ending))")
    let verdict = round.findings.isEmpty ? Verdict.pass : .fail
    lines.append("verdict \(verdict.name)")
    streams.tell(lines.joined(separator: "\n"))
    return verdict
  }

  /// - Returns: the exit code.
  mutating func play() throws -> Int32 {
    let record = output?.path(of: "session.json")
    campaign.record = record
    try goOn()
    defer { if let record { unlink(record) } }
    Console.progress("a session without an attack")
    defer { Console.endProgress() }
    var last = try campaign.prepare()
    let clock = CampaignClock(budget: time)
    while !last.wasInterrupted, !clock.mustStop {
      if let sessions, campaign.rounds >= sessions { break }
      last = try campaign.play(count: attacks, pause: pause)
      curve.note([campaign.answers.count, campaign.corpus.count, campaign.discoveries.count], at: campaign.attacks)
      while output != nil, told.count < campaign.discoveries.count, !last.wasInterrupted {
        try write(campaign.discoveries[told.count])
      }
      if !last.wasInterrupted { try keepState() }
      Console.progress(status)
    }
    wasInterrupted = last.wasInterrupted
    Console.endProgress()
    try output?.write(report(clock.elapsed))
    let ending = clock.ending("sessions", asked: sessions, judged: campaign.rounds)
    try folder?.end(ending)
    let verdict = ending.verdict(campaign.discoveries.isEmpty ? .pass : .fail)
    streams.tell((summary + (ending.text.map { [$0] } ?? []) + ["verdict " + verdict.name]).joined(separator: "\n"))
    return ending.exitCode(verdict)
  }

  /// What `--resume` needs.
  private struct Progress: Codable {
    var campaign: PortCampaign.Progress
    var told: [[TimedAttack]]
    var curve: CampaignCurve
  }

  private func keepState() throws {
    try folder?.list()
    try folder?.state?.write(Progress(campaign: campaign.progress, told: told, curve: curve))
  }

  /// A session that was ended in its middle is not gone on with; what was sent in it is kept.
  private mutating func goOn() throws {
    guard let progress = try folder?.state?.read(Progress.self) else { return }
    campaign.goOn(from: progress.campaign)
    (told, curve) = (progress.told, progress.curve)
    guard let output, let record = campaign.record, FileManager.default.fileExists(atPath: record) else { return }
    let name = "unfinished-\(campaign.rounds + 1).json"
    if rename(record, output.path(of: name)) == 0 {
      Console.note("session \(campaign.rounds + 1) was ended in its middle: its attacks are in \(name)")
    }
  }

  private var status: String {
    "\(campaign.rounds) sessions, \(campaign.attacks) attacks, answers \(campaign.answers.count),"
      + " corpus \(campaign.corpus.count), findings \(campaign.discoveries.count)"
  }

  private var heading: [String] {
    let plan = campaign.plan
    let name = plan.scenario.devices[plan.device].name
    let who = plan.seam == .hci ? "the controller of \(name)" : name
    return [
      "scenario \(plan.scenario.name)", "seed \(plan.seed)", "\(who) is hostile at the seam \(plan.seam.rawValue)",
    ]
  }

  private var summary: [String] {
    var lines = heading
    for discovery in campaign.discoveries {
      let times = discovery.count == 1 ? "once" : "in \(discovery.count) sessions"
      lines.append("finding \(discovery.finding.cause.name), \(times), first in session \(discovery.round)")
      lines.append("  \(discovery.finding.text)")
      if output != nil { lines.append("  " + Shell.line(repetition(of: discovery))) }
    }
    return lines + [status]
  }

  private func report(_ elapsed: Duration) -> CampaignReport {
    let plan = campaign.plan
    var facts = [
      ("scenario", plan.scenario.name), ("seed", String(plan.seed)),
      ("hostile device", plan.scenario.devices[plan.device].name), ("seam", plan.seam.rawValue),
      ("sessions", String(campaign.rounds)),
    ]
    if wasInterrupted { facts.append(("ended", "interrupted")) }
    let findings = zip(campaign.discoveries, told).map { discovery, attacks in
      let folder = (output?.path(of: discovery.finding.cause.name) ?? "") + "/"
      let files = ["input.json", "finding.txt", "program.log", "air.pcapng"]
      return CampaignReport.Finding(
        cause: discovery.finding.cause.name, text: discovery.finding.text, times: discovery.count,
        first: discovery.firstAttack, input: Self.text(of: attacks), folder: discovery.finding.cause.name,
        files: files.filter { FileManager.default.fileExists(atPath: folder + $0) },
        repeatLine: Shell.line(repetition(of: discovery)))
    }
    var report = CampaignReport(
      command: "babbench fuzz port", subject: "\(plan.seam.rawValue) of a host stack in \(plan.scenario.name)",
      facts: facts.map { (name: $0.0, value: $0.1) }, executions: campaign.attacks, findings: findings, curve: curve,
      repeatLine: Shell.line(repeatLine + ["--sessions", String(campaign.rounds)]),
      wallMilliseconds: Int(elapsed / .milliseconds(1)))
    report.unit = "attacks"
    return report
  }

  private func repetition(of discovery: PortCampaign.Discovery) -> [String] {
    repeatLine + ["--input", (output?.path(of: discovery.finding.cause.name) ?? "") + "/input.json"]
  }

  /// Makes the attacks of a cause fewer, and writes its folder.
  private mutating func write(_ discovery: PortCampaign.Discovery) throws {
    guard let output else { return }
    let folder = try output.folder(discovery.finding.cause.name)
    try FileSink.write(AttackFile.octets(of: discovery.attacks), to: folder.path(of: "input.json"))
    try FileSink.write(Array(discovery.log.utf8), to: folder.path(of: "program.log"))
    Console.progress("making \(discovery.finding.cause.name) smaller")
    let shrunk = try campaign.shrunk(discovery, trials: trials)
    let attacks = shrunk ?? discovery.attacks
    told.append(attacks)
    var lines = [discovery.finding.cause.name, discovery.finding.text, ""] + heading
    lines.append("first in session \(discovery.round)")
    lines.append(
      shrunk == nil
        ? "the same attacks did not show it again; these are all of the session that did"
        : "these attacks showed it again")
    lines += Self.text(of: attacks) + ["", "repeat " + Shell.line(repetition(of: discovery))]
    if let shrunk {
      try FileSink.write(AttackFile.octets(of: shrunk), to: folder.path(of: "input.json"))
      _ = try campaign.play(shrunk, into: folder)
    }
    try FileSink.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: folder.path(of: "finding.txt"))
  }

  private static func text(of attacks: [TimedAttack]) -> [String] {
    attacks.flatMap { timed in
      timed.attack.strokes.map { "after \(timed.after) s " + AttackFile.text(of: $0) }
    }
  }

  private static func text(of ending: HostileSession.Ending) -> String {
    switch ending {
    case .done: "after the last attack"
    case .noState(let detail): "before the state" + (detail.isEmpty ? "" : ": \(detail)")
    case .noLink: "without a link"
    case .watched: "with the program"
    case .scenarioOver: "with the scenario"
    }
  }
}
