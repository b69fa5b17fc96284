import AppSeam
package import Bench
package import Conformance
import Judging
package import SimKernel

/// A world of a base scenario with all oracles that judge it.
package final class JudgedWorld {
  private let world: World
  private let judge: any RunJudge
  private let scenario: Scenario
  private let breakdownClause: String

  /// What worlds are made of.
  package struct Bench: Sendable {
    package var protocols: [AppProtocol]
    package var language: ScenarioLanguage

    package init(protocols: [AppProtocol], language: ScenarioLanguage) {
      self.protocols = protocols
      self.language = language
    }
  }

  /// - Parameters:
  ///   - isHeld: it goes on until something is added beside its steps.
  ///   - readers: see the whole run.
  package init(
    _ scenario: Scenario, seed: UInt64, on bench: Bench, isHeld: Bool, readers: [any TraceReader] = []
  ) throws {
    self.scenario = scenario
    judge = bench.protocols.judge(of: scenario)
    breakdownClause = bench.protocols.spoken(in: scenario).breakdownClause
    world = World(
      scenario, options: RunOptions(seed: seed), readers: [judge] + readers,
      programs: scenario.programs.isEmpty ? nil : ProgramCrew(bench.protocols), engines: bench.protocols.engines)
    if isHeld { world.hold() }
    try world.prepare()
  }

  /// Plays until an instant; not beyond its end.
  package func play(to instant: SimInstant) { _ = world.play(to: instant) { false } }

  package func add(_ asides: [Aside]) { world.add(asides) }

  /// Plays to the end, and judges.
  package func finish() -> FaultedWorld {
    let reached = world.play(to: .distantFuture) { false }
    var ending = RunOutcome.Ending.simulatedTimeLimit
    if case .over(let end) = reached { ending = end }
    var result = FaultedWorld()
    result.events = world.eventsSoFar
    let outcome = world.finish(ending: ending)
    result.digest = outcome.digest.hexadecimal
    result.isJudged = judge.judgement.map { $0.verdict != .none } ?? false
    if ending == .eventLimit {
      result.note(
        FaultCause(oracle: "ComesToRest", clause: breakdownClause, role: ""),
        "\(scenario.limits.events) events were not enough")
    }
    for finding in judge.judgement?.findings ?? [] where finding.verdict > .inconclusive && !finding.isHearsay {
      let isKnown = scenario.devices.indices.contains(finding.device)
      let cause = FaultCause(
        oracle: finding.oracle, clause: finding.clause,
        role: isKnown ? scenario.devices[finding.device].role.rawValue : "")
      let who = isKnown ? scenario.devices[finding.device].name : "the world"
      result.note(
        cause, "\(who) at \(finding.instant) s: expected \(finding.expected), saw \(finding.actual)")
    }
    return result
  }
}

extension FaultedWorld {
  fileprivate mutating func note(_ cause: FaultCause, _ text: String) {
    if !sightings.contains(where: { $0.cause == cause }) { sightings.append(Sighting(cause: cause, text: text)) }
  }
}
