import Bench
import Campaigns
import Conformance
import Foundation
import HCIPorts
import InPlaceFuzz
import Judging
import SimKernel

extension HostileSession: PacedWorld {}

/// Sessions with a host from outside at a port, one after the other, in each of which a device becomes hostile.
final class PortCampaign {
  /// What one session came to.
  struct Round {
    var attacks: [TimedAttack] = []
    /// Attacks after which the host said something new.
    var fresh: [Attack] = []
    /// Each with how many of the attacks were made before it was seen.
    var findings: [(finding: Execution.Finding, attacks: Int)] = []
    var ending = HostileSession.Ending.done
    var log = ""
    var wasInterrupted = false
  }

  /// A cause, the session that showed it, and what was sent in it.
  struct Discovery: Codable {
    var finding: Execution.Finding
    var round: Int
    var attacks: [TimedAttack]
    var log: String
    /// Attacks of all sessions up to the one that showed it.
    var firstAttack: Int
    var count = 1
  }

  /// How far it is, between two sessions.
  struct Progress: Codable {
    var rounds: Int
    var attacks: Int
    var corpus: [Attack]
    var answers: [UInt64]
    var discoveries: [Discovery]
  }

  let plan: FuzzPlan
  /// Where the attacks of the session under way are written, each before it is made: what is left of a campaign that
  /// ends with the machine.
  var record: String?
  private let live: LivePlan
  /// As a shell reads it, with `{transport}`, `{host}`, `{port}` for where it shall connect; nil: somebody else starts
  /// it.
  private let program: String?
  private let seeds: [[UInt8]]
  private let streams: OutputStreams
  private(set) var rounds = 0
  private(set) var attacks = 0
  private(set) var corpus: [Attack] = []
  private(set) var answers = AnswerBook()
  private(set) var discoveries: [Discovery] = []
  /// What a session without an attack shows; none of it is a finding.
  private var control: [Execution.Cause] = []

  /// How long the program may take to connect, wall-clock seconds.
  private static let startLimit = 30

  init(_ plan: FuzzPlan, live: LivePlan, program: String?, seeds: [[UInt8]], streams: OutputStreams) {
    self.plan = plan
    self.live = live
    self.program = program
    self.seeds = seeds
    self.streams = streams
  }

  var progress: Progress {
    Progress(rounds: rounds, attacks: attacks, corpus: corpus, answers: answers.pairs, discoveries: discoveries)
  }

  /// Goes on where another campaign of the same plan was; before the first session.
  func goOn(from progress: Progress) {
    (rounds, attacks, corpus) = (progress.rounds, progress.attacks, progress.corpus)
    (answers, discoveries) = (AnswerBook(pairs: progress.answers), progress.discoveries)
  }

  /// Plays a session without an attack, which must come to the state.
  func prepare() throws -> Round {
    let round = try play(.written([]), into: nil)
    control = round.findings.map(\.finding.cause)
    if round.wasInterrupted { return round }
    switch round.ending {
    case .noState(let detail): throw FuzzObstacle.conditionNeverHeld(.zero + .seconds(30), detail: detail)
    case .scenarioOver: throw FuzzObstacle.system("the scenario was over before an attack could begin")
    case .watched: throw FuzzObstacle.system("the program ended without an attack\n\(round.log.suffix(1_000))")
    case .done, .noLink: return round
    }
  }

  /// One session of so many attacks.
  func play(count: Int, pause: SimDuration) throws -> Round {
    let round = try play(.drawn(count: count, pause: pause, numbers: attacks, corpus: corpus), into: nil)
    rounds += 1
    attacks += round.attacks.count
    corpus += round.fresh
    for (finding, attacks) in round.findings {
      if let index = discoveries.firstIndex(where: { $0.finding.cause == finding.cause }) {
        discoveries[index].count += 1
      } else {
        let made = Array(round.attacks.prefix(attacks))
        let before = self.attacks - round.attacks.count
        discoveries.append(
          Discovery(finding: finding, round: rounds, attacks: made, log: round.log, firstAttack: before + attacks))
      }
    }
    return round
  }

  /// The session of a file; its captures go into a folder.
  func play(_ list: [TimedAttack], into folder: OutputFolder?) throws -> Round {
    try play(.written(list), into: folder)
  }

  /// The shortest list of attacks found that shows the cause again: halves, then single ones, then single strokes.
  ///
  /// A host from outside does not do the same thing twice for certain, so what does not show again may still be true.
  /// - Returns: nil when the whole list did not show it again.
  func shrunk(_ discovery: Discovery, trials limit: Int) throws -> [TimedAttack]? {
    var trials = limit
    func shows(_ list: [TimedAttack]) throws -> Bool {
      trials -= 1
      guard trials >= 0, !Interruption.isRequested else { return false }
      let round = try play(.written(list), into: nil)
      return round.findings.contains { $0.finding.cause == discovery.finding.cause }
    }
    var best = discovery.attacks
    // What was sent last did it, as a rule.
    var confirmed = false
    for count in [1, 2, 4, 8, 24] where count < best.count {
      let tail = Array(discovery.attacks.suffix(count)).shiftedToTheFront
      if try shows(tail) {
        (best, confirmed) = (tail, true)
        break
      }
    }
    if !confirmed, try !shows(best) { return nil }
    var size = best.count / 2
    while size > 0, trials > 0 {
      var place = 0
      while place < best.count, best.count > 1, trials > 0 {
        var smaller = best
        smaller.removeSubrange(place..<min(place + size, best.count))
        if !smaller.isEmpty, try shows(smaller.shiftedToTheFront) {
          best = smaller.shiftedToTheFront
        } else {
          place += size
        }
      }
      size /= 2
    }
    for index in best.indices {
      var stroke = best[index].attack.strokes.count
      while stroke > 0, best[index].attack.strokes.count > 1, trials > 0 {
        stroke -= 1
        var smaller = best
        smaller[index].attack.strokes.remove(at: stroke)
        if try shows(smaller) { best = smaller }
      }
    }
    return best
  }

  // MARK: One session

  private func play(_ source: HostileSession.Source, into folder: OutputFolder?) throws -> Round {
    let files = try folder.map {
      try RunFiles(folder: $0, writesCaptures: true, scenario: live.scenario, file: nil, list: RunList($0))
    }
    let oracles = protocols.judge(of: plan.scenario)
    let session = try LiveSession(
      live.header, scenario: live.scenario,
      readers: [OutsiderJudge(oracles, device: plan.device)] + (files?.readers ?? []), engines: protocols.engines)
    let stop = LiveStop()
    stop.stopOnSignals()
    let host = ExternalHost(program)
    var isEndedHere = false
    var ended: String?
    var unwritten: (any Error)?
    let log = try record.map { try AttackLog(path: $0) }
    let hostile = try HostileSession(
      session, plan: plan, protocols: protocols, source: source, seeds: seeds, answers: answers,
      watch: { host.goesOn() },
      before: { attacks in
        do {
          try log?.extend(to: attacks)
        } catch {
          unwritten = error
        }
      })
    host.attacks = { hostile.attacks.count }
    var settings = LiveSettings()
    settings.begin = live.begin
    let loop = LiveLoop(
      world: hostile, ports: live.ports, settings: settings,
      log: { [streams] line in if host.isSomebodyElses { streams.complain(line) } },
      opened: { [streams] ports in
        if host.isSomebodyElses { streams.tell(LivePrinter.text(of: ports, self.live)) }
        host.start(at: ports)
      },
      progress: { [rounds, attacks, discoveries] status in
        Console.progress(
          "\(CountedNoun.text(rounds, "session")),"
            + " \(CountedNoun.text(attacks + hostile.attacks.count, "attack")), findings \(discoveries.count)")
        guard status.now == nil else { return }
        if !host.goesOn() || host.seconds > Self.startLimit && !host.isSomebodyElses {
          isEndedHere = true
          stop.stop()
        }
      },
      closing: {
        // A program that loses its controller may end for that.
        host.settle()
        ended = host.end()
      })
    let report = try loop.run(until: stop)
    var round = Round()
    let outcome = hostile.finish()
    answers = hostile.answersSoFar
    round.attacks = hostile.attacks
    round.fresh = hostile.fresh.map { hostile.attacks[$0].attack }
    round.ending = hostile.ending ?? (isEndedHere ? .watched : .done)
    round.wasInterrupted =
      report.ending == .stopped && !isEndedHere && outcome.ending == .stopped && hostile.ending == nil
    round.log = host.log
    if let unwritten { throw unwritten }
    if let problem = host.problem { throw BenchFailure(problem) }
    if isEndedHere, ended == nil {
      throw FuzzObstacle.system("the program did not connect within \(Self.startLimit) s\n\(round.log.suffix(1_000))")
    }
    let all = hostile.attacks.count
    // The session holds the host; the host lets the session go.
    defer { host.attacks = { 0 } }
    round.findings = host.findings(ended: ended) + unread(report).map { ($0, all) }
    if let judgement = oracles.judgement {
      round.findings += plan.findings(in: judgement).map { ($0, all) }
      try files?.complete(RunReport(judgement: judgement), repeatLine: "")
    }
    round.findings.removeAll { control.contains($0.finding.cause) }
    return round
  }

  private func unread(_ report: LiveReport) -> [Execution.Finding] {
    report.ports.filter { $0.drops > 0 }.map { port in
      Execution.Finding("Hang", frame: port.name, text: "\(port.name) no longer reads from its port")
    }
  }
}

extension [TimedAttack] {
  /// The same attacks, the first one at once.
  fileprivate var shiftedToTheFront: [TimedAttack] {
    guard let first else { return self }
    return map { TimedAttack(after: $0.after - first.after, attack: $0.attack) }
  }
}
