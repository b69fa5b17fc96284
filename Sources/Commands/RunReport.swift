import Bench
import Campaigns
import Conformance
import Judging
import RunReports
import SimKernel
import Stress
import VirtualNetwork

/// Everything that one seed came to.
struct RunReport: Sendable {
  var judgement: Judgement
  /// Set when `--check-determinism` found two runs that differ.
  var divergence: Divergence?
  /// Nil where nobody measured.
  var measures: RunMeasures?
  /// What the scenario claims of measures.
  var claims: [RunClaim] = []
  /// What is wrong, with what explains it; nil where nobody has asked.
  private var explained: [Trouble]?

  init(judgement: Judgement) { self.judgement = judgement }

  /// - Parameter measures: nil where the scenario claims nothing and nobody else asks.
  /// - Throws: what is wrong with a claim, which the scenario's reader has told before.
  init(_ judgement: Judgement, _ measures: RunMeasures?, of scenario: Scenario) throws {
    self.judgement = judgement
    self.measures = measures
    claims = try RunClaim.all(of: scenario, in: self)
  }

  /// Two runs of one seed that differ are the bench's fault, whatever the oracles say.
  var verdict: Verdict {
    if divergence != nil { return .error }
    return claims.verdict(after: judgement.verdict)
  }

  /// Everything that is wrong, the first thing first.
  var troubles: [Trouble] { explained ?? Trouble.all(in: judgement, measured: claims.compactMap(\.trouble)) }

  /// What is known that explains one of them, each in a line.
  func known(in app: AppProtocol) -> [(claim: String, reason: String)] {
    troubles.compactMap { trouble in trouble.reason.map { (trouble.claim, TroublePrinter.reason($0, in: app)) } }
  }

  /// Puts down what is wrong to what is known of the run.
  mutating func explain(by teller: StoryTeller) { explained = teller.explained(troubles) }

  /// Short words for what is wrong, for lines about many seeds.
  var reasons: [String] {
    var reasons = judgement.oracles.filter { $0.verdict > .pass }.map(\.id)
    reasons += judgement.expectations.filter { !$0.holds }.map {
      ($0.verdict == .fail ? "expected " : "undecided: ") + $0.text
    }
    reasons += claims.filter { $0.verdict > .pass }.map { "claim " + $0.claim.text }
    if divergence != nil { reasons.append("two runs differ") }
    return reasons
  }
}

/// Lays a report out for a person.
struct RunPrinter {
  var paint: Paint

  /// All lines of one run but the one that repeats it.
  /// - Parameters:
  ///   - file: of the scenario, as messages call it.
  ///   - why: the command that shows what led to what is wrong; nil: there is none.
  func text(of report: RunReport, _ scenario: Scenario, file: String, why: String?) -> String {
    let judgement = report.judgement
    let header = judgement.header
    var text =
      "scenario \(header.scenario)" + (scenario.summary.isEmpty ? "" : ": " + scenario.summary)
      + "\nseed \(header.seed)\n"
    for option in header.options { text += "option \(option.key)=\(option.value)\n" }
    let printer = TroublePrinter(
      app: protocols.spoken(in: scenario), header: header, file: file, paint: paint,
      breakdown: judgement.outcome.breakdown)
    let blocks = [
      ConsoleTable.peers(judgement), ConsoleTable.verdicts(judgement, isColoured: paint.isOn),
      printer.text(report.troubles), lastWords(judgement), ConsoleTable.remarks(judgement),
    ]
    text += "\n" + blocks.filter { !$0.isEmpty }.joined(separator: "\n") + "\n" + counts(of: judgement) + "\n"
    for claim in report.claims { text += "claim \(claim.claim.text): \(claim.words(word))\n" }
    if let divergence = report.divergence { text += divergence.lines.joined(separator: "\n") + "\n" }
    text += "verdict \(word(report.verdict))\ndigest \(judgement.outcome.digest.hexadecimal)\n"
    if let why, !report.troubles.isEmpty { text += "why \(why)\n" }
    return text
  }

  /// What a program that broke down wrote for people; empty where none did, or it wrote nothing.
  private func lastWords(_ judgement: Judgement) -> String {
    guard let breakdown = judgement.outcome.breakdown, !breakdown.lines.isEmpty else { return "" }
    let lines = breakdown.lines.map { "  " + ConsoleTable.oneLine($0) + "\n" }
    return "log of \(judgement.header.name(of: breakdown.device)), the lines that say most\n" + lines.joined()
  }

  func word(_ verdict: Verdict) -> String {
    switch verdict {
    case .pass: paint(verdict.name, .green)
    case .fail, .error: paint(verdict.name, .red)
    case .none, .inconclusive: paint(verdict.name, .yellow)
    }
  }

  private func counts(of judgement: Judgement) -> String {
    let outcome = judgement.outcome
    let counts = outcome.statistics
    let ending =
      switch outcome.ending {
      case .finished: "finished"
      case .simulatedTimeLimit: "stopped by the simulated-time limit"
      case .eventLimit: "stopped by the event limit"
      case .stopped: "stopped before its end"
      case .breakdown:
        "ended by \(outcome.breakdown.map { judgement.header.name(of: $0.device) } ?? "an app"), whose program broke down,"
      }
    return "\(ending) at \(outcome.endInstant) s; \(CountedNoun.text(counts.connectionEvents, "connection event"))"
      + " (\(counts.skippedConnectionEvents) skipped while idle, \(counts.missedConnectionEvents) missed),"
      + " \(CountedNoun.text(counts.pdusSent, "PDU")) (\(counts.pdusLost) lost,"
      + " \(CountedNoun.text(counts.collisions, "collision")))" + (outcome.networkUse.map(network) ?? "")
  }

  /// A line of its own.
  private func network(_ use: RunOutcome.NetworkUse) -> String {
    let traffic = use.traffic
    let air = traffic.airtime == .zero ? "" : ", \(traffic.airtime.shortSeconds) s on the air"
    return "\nnetwork: \(CountedNoun.text(use.streamsOpened, "stream")) (\(use.streamsFailed) failed),"
      + " \(CountedNoun.text(use.servicesFound, "service")) found,"
      + " \(CountedNoun.text(traffic.packets, "packet")) (\(traffic.losses) lost),"
      + " \(CountedNoun.text(traffic.segments, "segment")) (\(traffic.retransmissions) sent again)\(air)"
  }
}
