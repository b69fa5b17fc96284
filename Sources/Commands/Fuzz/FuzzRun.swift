import Bench
import Conformance
import Foundation
import InPlaceFuzz
import Judging
import SimKernel

/// Plays one plan as far as it is asked to, and tells of it.
struct FuzzRun {
  let plan: FuzzPlan
  /// The words of the line that repeats it, without how far and with which files.
  let repeatLine: [String]
  let audience: Audience
  var jobs = 1
  var executions: Int?
  var time: SimDuration?
  var corpus: OutputFolder?
  var output: OutputFolder?

  init(plan: FuzzPlan, repeatLine: [String], audience: Audience) {
    self.plan = plan
    self.repeatLine = repeatLine
    self.audience = audience
  }

  private var deviceName: String { plan.scenario.devices[plan.device].name }

  /// Plays one attack of a file.
  func play(file path: String) throws -> Verdict {
    let attack = try AttackFile.read(path)
    let campaign = try Campaign(plan, protocols: protocols, jobs: 1)
    guard let execution = try campaign.play(attack) else { return .none }
    var lines = heading(campaign)
    for stroke in attack.strokes { lines.append("stroke " + AttackFile.text(of: stroke)) }
    for finding in execution.findings { lines.append("finding \(finding.cause.name): \(finding.text)") }
    lines.append("events \(execution.events)")
    let verdict = execution.findings.isEmpty ? Verdict.pass : .fail
    lines.append("verdict \(verdict.name)")
    if !execution.digest.isEmpty { lines.append("digest \(execution.digest)") }
    audience.tell(lines.joined(separator: "\n"))
    return verdict
  }

  func play() throws -> Verdict {
    Console.progress("playing \(plan.scenario.name) to the state")
    defer { Console.endProgress() }
    let known = try corpus.map { try AttackFile.all(in: $0.path) } ?? []
    let campaign = try Campaign(
      plan, protocols: protocols, jobs: jobs, corpus: known, shouldStop: { Interruption.isRequested })
    let began = ContinuousClock.now
    var told = 0
    while !Interruption.isRequested {
      let count = campaign.nextGeneration(of: executions)
      if count <= 0 { break }
      if let time, ContinuousClock.now - began >= .nanoseconds(time.nanoseconds) { break }
      for attack in try campaign.play(count) { try keep(attack) }
      while told < campaign.discoveries.count {
        try write(campaign.discoveries[told], campaign)
        told += 1
      }
      showProgress(campaign, ContinuousClock.now - began)
    }
    Console.endProgress()
    audience.tell(summary(campaign, ContinuousClock.now - began).joined(separator: "\n"))
    return campaign.discoveries.isEmpty ? .pass : .fail
  }

  private func heading(_ campaign: Campaign) -> [String] {
    [
      "scenario \(plan.scenario.name)", "seed \(plan.seed)",
      "\(deviceName) is hostile at the seam \(plan.seam.rawValue) from \(campaign.instant) s on",
      "an execution plays \(plan.span) s more; without an attack that is \(campaign.controlEvents) events",
    ]
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

  private func summary(_ campaign: Campaign, _ elapsed: Duration) -> [String] {
    var lines = heading(campaign)
    for discovery in campaign.discoveries {
      let times = discovery.count == 1 ? "once" : "\(discovery.count) times"
      lines.append("finding \(discovery.finding.cause.name), \(times), first in execution \(discovery.execution)")
      lines.append("  \(discovery.finding.text)")
      lines.append("  " + Shell.line(repetition(of: discovery)))
    }
    lines.append(
      "\(campaign.executions) executions, \(campaign.events) events, corpus \(campaign.corpus.count),"
        + " states \(campaign.pairCount), findings \(campaign.discoveries.count)")
    Console.note("\(rate(campaign, elapsed)) executions/s")
    lines.append("verdict " + (campaign.discoveries.isEmpty ? Verdict.pass : .fail).name)
    lines.append("digest " + campaign.digest.hexadecimal)
    lines.append("repeat " + Shell.line(repeatLine + ["--executions", String(campaign.executions)]))
    return lines
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
  private func write(_ discovery: Campaign.Discovery, _ campaign: Campaign) throws {
    guard let output else { return }
    let folder = try output.folder(discovery.finding.cause.name)
    let attack = try campaign.shrunk(discovery)
    var lines = ["\(discovery.finding.cause.name)", discovery.finding.text, ""]
    lines += heading(campaign)
    lines.append("first in execution \(discovery.execution)")
    lines += attack.strokes.map { "stroke " + AttackFile.text(of: $0) }
    lines += ["", "repeat " + Shell.line(repetition(of: discovery))]
    try FileSink.write(AttackFile.octets(of: attack), to: folder.path(of: "input.json"))
    try FileSink.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: folder.path(of: "finding.txt"))
  }
}
