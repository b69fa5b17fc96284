import Campaigns
import Conformance
import InPlaceFuzz
import Judging
import SimKernel

/// The shards of `babbench fuzz run`: campaigns of the same attack with a seed each, joined by cause.
///
/// `babbench fuzz run --shards` plays them one after the other and joins them with this, too.
struct FuzzMerge: ShardMerge {
  /// A cause in all campaigns that show it.
  private struct Joined {
    var finding: Execution.Finding
    /// Counted over the campaigns, one after the other.
    var execution: Int
    var count: Int
    /// The campaign with the smallest attack, and the index of the finding in it.
    var part: Int
    var place: Int
  }

  private let shards: ShardSet
  private let parts: [FuzzPart]
  private let joined: [Joined]

  init(_ shards: ShardSet) throws {
    self.shards = shards
    parts = try shards.payloads(FuzzPart.self)
    for (known, part) in zip(shards.parts, parts) {
      guard part.executions == known.note.size, part.told.count == part.discoveries.count else {
        throw shards.damage(known.path(of: CampaignFolder.part))
      }
    }
    joined = Self.join(parts)
    try shards.checkFiles(joined.flatMap { one in files(of: one).map { (part: one.part, name: $0) } })
  }

  private static func join(_ parts: [FuzzPart]) -> [Joined] {
    var joined: [Joined] = []
    var before = 0
    for (number, part) in parts.enumerated() {
      for (place, discovery) in part.discoveries.enumerated() {
        guard let index = joined.firstIndex(where: { $0.finding.cause == discovery.finding.cause }) else {
          joined.append(
            Joined(
              finding: discovery.finding, execution: before + discovery.execution, count: discovery.count,
              part: number, place: place))
          continue
        }
        joined[index].count += discovery.count
        let best = parts[joined[index].part].told[joined[index].place].attack
        if part.told[place].attack.size < best.size { (joined[index].part, joined[index].place) = (number, place) }
      }
      before += part.executions
    }
    return joined
  }

  private func told(_ one: Joined) -> FuzzPart.Told { parts[one.part].told[one.place] }

  /// Those that are copied: `finding.txt` names the folder of the whole.
  private func files(of one: Joined) -> [String] {
    let folder = parts[one.part].discoveries[one.place].finding.cause.name
    let names = ["input.json"] + (told(one).hasCapture ? [FuzzPart.Told.capture] : [])
    return names.map { folder + "/" + $0 }
  }

  func write(to output: OutputFolder, for streams: OutputStreams) throws -> Int32 {
    for one in joined {
      for name in files(of: one) { try shards.copy(name, of: one.part, to: output) }
      let folder = try output.folder(one.finding.cause.name)
      try FileSink.write(told(one).text(repeating: repetition(of: one, output)), to: folder.path(of: "finding.txt"))
    }
    try output.write(report(output))
    streams.tell(summary(output).joined(separator: "\n"))
    return Judging.ExitCode(joined.isEmpty ? .pass : .fail).rawValue
  }

  private func repetition(of one: Joined, _ output: OutputFolder) -> [String] {
    parts[one.part].words + ["--input", output.path(of: one.finding.cause.name) + "/input.json"]
  }

  // MARK: What is said

  private var repeatLine: String { shards.parts[0].note.line }
  private var executions: Int { parts.map(\.executions).reduce(0, +) }
  private var wholes: Int { parts.map(\.wholes).reduce(0, +) }
  private var events: Int { parts.map(\.events).reduce(0, +) }
  private var astray: Int { parts.map(\.astray).reduce(0, +) }

  private var digest: String {
    var digest = TraceDigest()
    for part in parts { digest.combine(text: part.digest) }
    return digest.hexadecimal
  }

  /// What all campaigns have by then, one after the other. States and corpora are added; a cause counts once.
  private var curve: CampaignCurve {
    var curve = CampaignCurve(parts[0].curve.names)
    var (at, states, corpus) = (0, 0, 0)
    var causes: Set<Execution.Cause> = []
    for part in parts {
      let found = part.discoveries.map(\.finding.cause)
      for point in part.curve.points {
        let known = causes.union(found.prefix(point.values[2]))
        curve.note([states + point.values[0], corpus + point.values[1], known.count], at: at + point.at)
      }
      (at, states, corpus) = (at + part.executions, states + part.states, corpus + part.corpus)
      causes.formUnion(found)
    }
    return curve
  }

  private func report(_ output: OutputFolder) -> CampaignReport {
    let first = parts[0]
    var facts = [
      ("scenario", first.scenario), ("seed", String(first.seed)), ("campaigns", String(parts.count)),
      ("hostile device", first.device), ("seam", first.seam), ("state", first.condition),
      ("reached at", parts.map { "\($0.instant) s" }.joined(separator: ", ")),
      ("played after it", "\(first.span) s, \(first.eventLimit) events at most"), ("events", String(events)),
      ("whole executions", String(wholes)),
    ]
    if astray > 0 { facts.append(("did not reach the same state", String(astray))) }
    let findings = joined.map { one in
      CampaignReport.Finding(
        cause: one.finding.cause.name, text: one.finding.text, times: one.count, first: one.execution,
        input: told(one).attack.strokes.map { AttackFile.text(of: $0) }, folder: one.finding.cause.name,
        files: FuzzPart.Told.files, repeatLine: Shell.line(repetition(of: one, output)))
    }
    var report = CampaignReport(
      command: "babbench fuzz run", subject: "\(first.device) hostile at \(first.seam) in \(first.scenario)",
      facts: facts.map { (name: $0.0, value: $0.1) }, executions: executions, findings: findings, curve: curve,
      repeatLine: repeatLine, wallMilliseconds: parts.map(\.milliseconds).reduce(0, +))
    report.digest = digest
    report.parts = parts.enumerated().map { number, part in
      CampaignReport.Part(
        name: "campaign \(number + 1), seed \(part.seed)", executions: part.executions,
        values: [part.states, part.corpus, part.discoveries.count])
    }
    return report
  }

  private func summary(_ output: OutputFolder) -> [String] {
    let first = parts[0]
    var lines = [
      "scenario \(first.scenario)", "seed \(first.seed)",
      "\(first.device) is hostile at the seam \(first.seam) in \(CountedNoun.text(parts.count, "campaign"))",
    ]
    for (number, part) in parts.enumerated() {
      lines.append(
        "campaign \(number + 1), seed \(part.seed), from \(part.instant) s on: \(part.executions) executions,"
          + " corpus \(part.corpus), states \(part.states), findings \(part.discoveries.count)")
    }
    for one in joined {
      let times = one.count == 1 ? "once" : "\(one.count) times"
      lines.append("finding \(one.finding.cause.name), \(times), first in execution \(one.execution)")
      lines += ["  \(one.finding.text)", "  " + Shell.line(repetition(of: one, output))]
    }
    lines.append(
      "\(executions) executions, \(wholes) of them whole, \(events) events, findings \(joined.count)")
    if astray > 0 {
      lines.append("\(astray) of them did not reach the same state: the program is not deterministic")
    }
    lines.append("verdict " + (joined.isEmpty ? Verdict.pass : .fail).name)
    return lines + ["digest " + digest, "repeat " + repeatLine]
  }
}

extension Attack {
  /// Strokes first, then octets: what is easier to understand is smaller.
  fileprivate var size: (Int, Int) { (strokes.count, strokes.map(\.octets.count).reduce(0, +)) }
}
