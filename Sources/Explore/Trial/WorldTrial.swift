import AppSeam
import Bench
import Conformance
import Judging
import Platform
import RunCauses
package import Shrink
import SimKernel

/// Plays drawn worlds with all their judges, one at a time; each thread has one of its own.
package struct WorldTrial: Sendable {
  private let draw: WorldDraw
  private let bench: TrialBench

  package init(_ draw: WorldDraw, on bench: TrialBench) {
    self.draw = draw
    self.bench = bench
  }

  /// The world of a seed as a file.
  package func text(_ seed: UInt64) -> String { ScenarioText.text(of: draw.world(seed)) }

  package func play(_ seed: UInt64) -> WorldOutcome {
    var outcome = WorldOutcome(
      seed: seed, verdict: .none, digest: nil, events: 0, nanoseconds: 0, sightings: [], isCutShort: false,
      isExcused: false)
    switch bench.read(text(seed)) {
    case .failure(let problems):
      let first = problems.list.first
      outcome.verdict = .error
      outcome.sightings = [
        CauseSighting(cause: Cause(.refusal, rule: first?.message ?? "for no reason"), detail: first?.description ?? "")
      ]
    case .success(let scenario):
      do {
        let judgement = try bench.judge(scenario, RunOptions(seed: seed), [])
        tell(judgement, of: scenario, in: &outcome)
      } catch {
        outcome.verdict = .error
        outcome.sightings = [CauseSighting(cause: Cause(.bench, rule: "\(error)"), detail: "\(error)")]
      }
    }
    return outcome
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
        let isBreakdown = judgement.outcome.breakdown != nil && sighting.instant == judgement.outcome.breakdown?.instant
        if outcome.isExcused, !isBreakdown { continue }
        outcome.sightings.append(
          CauseSighting(
            cause: Cause(isBreakdown ? .breakdown : .oracle, rule: oracle, clause: clause, role: role),
            detail: detail(of: sighting, judgement)))
      case .expectation:
        guard isPlain(sighting, judgement) else { continue }
        let text = sighting.text.split(separator: ": ").last.map(String.init) ?? sighting.text
        outcome.sightings.append(
          CauseSighting(
            cause: Cause(.expectation, rule: text.withoutNames),
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
    steps.contains { step in
      step.action.parts.contains { part in
        if case .fault(.messages) = part { return true }
        return false
      }
    }
  }
}

extension String {
  /// Digits away, so that `client-2` and `client-5` are one.
  fileprivate var withoutNames: String {
    var text = ""
    for character in self where !(character.isNumber || character == "@") { text.append(character) }
    return text
  }
}
