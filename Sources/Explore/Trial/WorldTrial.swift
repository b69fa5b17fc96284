import AppSeam
import Bench
import Conformance
import Judging
import Platform
import RunReports
package import Shrink
import SimKernel

/// Plays drawn worlds with all their judges, one at a time; each thread has one of its own.
package struct WorldTrial: Sendable {
  private let draw: WorldDraw
  let bench: TrialBench
  private let uses: ScenarioUses
  /// Kinds of trace records and HCI commands are noted too.
  package var notesTraces = false
  /// So many of a thousand worlds are played again in other ways.
  package var modesPermille = 0
  /// So many of a thousand worlds have their captures judged.
  package var capturesPermille = 0
  /// What judges captures; nil: nothing does.
  package var captures: CaptureTrial?

  package init(_ draw: WorldDraw, on bench: TrialBench) {
    self.draw = draw
    self.bench = bench
    uses = ScenarioUses(draw.language)
  }

  /// The world of a seed.
  func tree(_ seed: UInt64) -> YAMLTree { draw.world(seed) }

  /// The world of a seed as a file.
  package func text(_ seed: UInt64) -> String { ScenarioText.text(of: tree(seed)) }

  /// A drawn world has some 15 000 events in the mean, and one with a transcript of a MiB three million: one that
  /// reaches this never comes to rest, and need not cost half a minute.
  private static let mostEvents = 10_000_000

  package func play(_ seed: UInt64) -> WorldOutcome {
    var outcome = WorldOutcome(
      seed: seed, verdict: .none, digest: nil, events: 0, nanoseconds: 0, sightings: [], isCutShort: false,
      isExcused: false)
    let tree = tree(seed)
    outcome.uses = uses.uses(of: tree)
    switch bench.read(ScenarioText.text(of: tree)) {
    case .failure(let problems):
      let first = problems.list.first
      outcome.verdict = .error
      outcome.sightings = [
        CauseSighting(
          cause: WorldCause(.refusal, rule: first?.message ?? "for no reason"), detail: first?.description ?? "")
      ]
    case .success(var scenario):
      scenario.limits.events = min(scenario.limits.events, Self.mostEvents)
      outcome.uses += draw.options.placements.filter { $0.isPlaced(in: scenario.devices) }.map(\.name)
      do {
        let traces = notesTraces ? TraceCoverage() : nil
        let judgement = try bench.judge(scenario, RunOptions(seed: seed), traces.map { [$0] } ?? [])
        tell(judgement, of: scenario, in: &outcome)
        outcome.unseen = judgement.oracles.compactMap { oracle in oracle.openReason.map { (oracle.id, $0) } }
        if let traces { outcome.uses += traces.names }
        outcome.sightings += try others(scenario, seed, judgement, &outcome)
        if !outcome.sightings.isEmpty { outcome.verdict = .fail }
      } catch {
        outcome.verdict = .error
        outcome.sightings = [CauseSighting(cause: WorldCause(.bench, rule: "\(error)"), detail: "\(error)")]
      }
    }
    return outcome
  }

  /// What is wrong with the world when it is played in other ways, and with its captures.
  private func others(
    _ scenario: Scenario, _ seed: UInt64, _ judgement: Judgement, _ outcome: inout WorldOutcome
  ) throws -> [CauseSighting] {
    var sightings: [CauseSighting] = []
    let draws = Draws(seed: seed)
    if draws.happens("is played in other modes", permille: modesPermille) {
      outcome.hasModes = true
      sightings += try ModeCheck(bench: bench).sightings(of: scenario, seed: seed, judgement)
    }
    if let captures, draws.happens("has its captures judged", permille: capturesPermille) {
      outcome.hasCaptures = true
      sightings += try captures.verdict(
        on: scenario, seed: seed, judgement, known: outcome.sightings.map(\.cause),
        judgesApps: Self.isHonest(scenario, judgement), on: bench
      ).sightings
    }
    return sightings
  }

  /// Whether nobody does on purpose what it must not.
  static func isHonest(_ scenario: Scenario, _ judgement: Judgement) -> Bool {
    !scenario.breaksStacks && !judgement.header.devices.contains(where: \.isHostile)
  }

  /// A cause that only other modes or captures show, in a world that was played plainly; nil: they do not show it.
  func sighting(
    of cause: WorldCause, _ scenario: Scenario, _ seed: UInt64, _ judgement: Judgement
  ) throws -> CauseSighting? {
    switch cause.kind {
    case .mode where cause.rule != CaptureTrial.modeName:
      return try ModeCheck(bench: bench).sighting(of: cause, scenario, seed: seed, judgement)
    case .mode, .capture:
      return try captures?.verdict(
        on: scenario, seed: seed, judgement, known: Self.findings(judgement),
        judgesApps: Self.isHonest(scenario, judgement), on: bench
      ).sightings.first { $0.cause == cause }
    default: return nil
    }
  }

  /// Writes the captures of a world that show a cause.
  /// - Parameter folder: for them; it is there.
  /// - Returns: the options with which `babbench check` shows it in them; nil: none were kept.
  package func keepCaptures(of cause: WorldCause, seed: UInt64, in folder: String) throws -> [String]? {
    guard let captures, case .success(let scenario) = bench.read(text(seed)) else { return nil }
    return try captures.keep(cause, of: scenario, seed: seed, in: folder, on: bench)
  }

  static func findings(_ judgement: Judgement) -> [WorldCause] {
    let devices = judgement.header.devices
    return judgement.findings.filter { $0.verdict >= .fail }.map { finding in
      let role = devices.indices.contains(finding.device) ? devices[finding.device].role.rawValue : ""
      return WorldCause(.oracle, rule: finding.oracle, clause: finding.clause, role: role)
    }
  }

  private func tell(_ judgement: Judgement, of scenario: Scenario, in outcome: inout WorldOutcome) {
    outcome.digest = judgement.outcome.digest
    outcome.events = judgement.outcome.statistics.queueEvents
    outcome.nanoseconds = judgement.outcome.endInstant.nanoseconds
    outcome.isExcused = scenario.breaksStacks
    for sighting in Sighting.all(in: judgement, of: scenario) {
      switch sighting.reason {
      case .wait, .unfinished: outcome.isCutShort = true
      case .finding(let oracle, let clause, let role):
        // A world that a hostile device keeps from coming to rest is nobody's fault.
        if role.isEmpty, judgement.header.devices.contains(where: \.isHostile) {
          outcome.isCutShort = true
          continue
        }
        let isBreakdown = judgement.outcome.breakdown != nil && sighting.instant == judgement.outcome.breakdown?.instant
        if outcome.isExcused, !isBreakdown { continue }
        outcome.sightings.append(
          CauseSighting(
            cause: WorldCause(isBreakdown ? .breakdown : .oracle, rule: oracle, clause: clause, role: role),
            detail: detail(of: sighting, judgement)))
      case .expectation:
        guard isPlain(sighting, judgement) else { continue }
        outcome.sightings.append(
          CauseSighting(
            cause: WorldCause(.expectation, rule: WorldCause.rule(ofExpectation: sighting.text)),
            detail: "\(sighting.text), at \(sighting.instant) s: \(sighting.detail)"))
      }
    }
    let oracles = judgement.oracles.map(\.verdict).combined()
    outcome.verdict = outcome.sightings.isEmpty ? min(judgement.verdict == .none ? .none : .pass, .pass) : .fail
    if oracles == .error { outcome.verdict = .error }
  }

  /// Whether an expectation does not hold by itself, and not because the run ended before its time.
  private func isPlain(_ sighting: Sighting, _ judgement: Judgement) -> Bool {
    judgement.outcome.ending == .finished
      && !judgement.expectations.contains {
        !$0.holds && $0.place.isBlocked && $0.instant == sighting.instant && sighting.text.hasSuffix($0.text)
      }
  }

  private func detail(of sighting: Sighting, _ judgement: Judgement) -> String {
    let devices = judgement.header.devices
    func role(_ device: Int) -> String { devices.indices.contains(device) ? devices[device].role.rawValue : "" }
    guard case .finding(let oracle, let clause, let blamed) = sighting.reason,
      let finding = judgement.findings.first(where: {
        $0.oracle == oracle && $0.clause == clause && $0.instant == sighting.instant && role($0.device) == blamed
      })
    else { return sighting.detail }
    let who = devices.indices.contains(finding.device) ? devices[finding.device].name : "the world"
    return "\(who) at \(finding.instant) s: expected \(finding.expected), saw \(finding.actual)"
  }
}

extension Scenario {
  /// Whether a step breaks somebody's stack: what others make of that is nobody's fault.
  fileprivate var breaksStacks: Bool {
    (steps.map(\.action) + meanwhile.map(\.action)).contains { action in
      action.parts.contains { part in
        if case .fault(.messages) = part { return true }
        return false
      }
    }
  }
}
