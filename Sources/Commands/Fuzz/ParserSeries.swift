import Campaigns
import Conformance
import Foundation
import Fuzzing
import Judging

/// The campaigns of one command line, one after the other: their findings, their state on the disk, their report.
final class ParserSeries {
  let teller: FindingTeller
  private let folder: CampaignFolder?
  private var state: StateFile? { folder?.state }
  private let command: [String]
  private let facts: [(name: String, value: String)]
  private let clock = CampaignClock()
  /// Executions of each campaign that were asked for; nil: as many as there is time for.
  private let asked: Int?
  /// By their names; those that are through and the one that goes on.
  private var progresses: [String: ParserProgress] = [:]
  private var order: [String] = []
  private var failure: (any Error)?
  /// The inputs of `--seeds`, with which each of them begins.
  let seeds: [[UInt8]]
  /// Campaigns that were asked for.
  var planned = 1

  /// - Parameters:
  ///   - command: the options.
  ///   - words: of a command line, which name the parsers.
  init(_ command: FuzzParserCommand, _ words: [String], _ streams: OutputStreams) throws {
    let given = [("--seeds", command.seeds), ("--corpus", command.corpus)].flatMap { option, value in
      value.map { [option, $0] } ?? []
    }
    let plan = ["babbench", "fuzz", "parser"] + words + ["--seed", String(command.seed)] + given
    self.command = plan
    facts = [("seed", String(command.seed))]
    // Read before the folder is made: a slip takes nothing away that an earlier campaign has left.
    seeds = try command.inputs(in: command.seeds)
    let isOfOne = command.input != nil || command.worker != nil
    folder =
      isOfOne ? nil : try command.output.out.map { try CampaignFolder($0, plan: plan, resumes: command.output.resume) }
    teller = FindingTeller(streams, seed: command.seed, out: folder?.output)
    asked = command.seconds == nil && !command.untilFound ? Int(command.executions) : nil
    progresses = try state?.read([String: ParserProgress].self) ?? [:]
  }

  func progress(of name: String) -> ParserProgress? { progresses[name] }

  /// Writes how far it is, now and then; a failure is thrown at the end of the campaign.
  func note(_ campaign: any FuzzCampaign) {
    guard let state, failure == nil, state.isDue else { return }
    do { try keep(campaign, state) } catch { failure = error }
  }

  /// A campaign is through, or was ended.
  func take(_ campaign: any FuzzCampaign) throws {
    if let failure { throw failure }
    order.append(campaign.decoder.name)
    if let state { try keep(campaign, state) } else { progresses[campaign.decoder.name] = campaign.progress }
  }

  private func keep(_ campaign: any FuzzCampaign, _ state: StateFile) throws {
    progresses[campaign.decoder.name] = campaign.progress
    try state.write(progresses)
  }

  /// Writes the report.
  /// - Returns: how much of what was asked was executed.
  func end() throws -> CampaignEnding {
    let counts = order.compactMap { progresses[$0].map { Int($0.done) } }
    let tried = counts.count { $0 > 0 }
    // As much as there is time for is not nothing.
    let ending =
      asked == nil && tried < planned && teller.count == 0
      ? CampaignEnding(
        unit: "decoders", asked: planned, judged: tried, reason: Interruption.isRequested ? .interrupted : .time)
      : clock.ending("executions", asked: asked.map { $0 * max(planned, counts.count) }, judged: counts.reduce(0, +))
    guard let folder else { return ending }
    let output = folder.output
    let parts = order.compactMap { name in
      progresses[name].map { progress in
        CampaignReport.Part(
          name: name, executions: Int(progress.done),
          values: [Int(progress.states), progress.corpus.count, progress.findings.count])
      }
    }
    let subject = order.count == 1 ? order[0] : "\(order.count) decoders"
    let done = parts.map(\.executions)
    var facts = facts
    if Interruption.isRequested { facts.append(("ended", "interrupted")) }
    var report = CampaignReport(
      command: "babbench fuzz parser", subject: subject, facts: facts, executions: done.max() ?? 0,
      findings: teller.rows, curve: CampaignCurve.sum(order.compactMap { progresses[$0]?.curve }),
      repeatLine: Shell.line(command + ["--executions", String(done.max() ?? 0)]),
      wallMilliseconds: clock.milliseconds)
    report.ending = ending
    report.parts = parts
    if parts.count > 1 { report.unit = "executions of each" }
    try output.write(report)
    try folder.end(ending)
    return ending
  }
}
