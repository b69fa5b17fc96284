import AppSeam
package import Bench
package import Conformance
import Judging
package import SimKernel

/// One reason as a run shows it.
package struct Sighting: Hashable, Sendable {
  package var reason: Reason
  /// When the run shows it for the first time.
  package var instant: SimInstant
  /// The broken rule in one line, for people.
  package var text: String
  /// What was seen, for people.
  package var detail: String

  /// Every reason of a run once, the earliest first; oracles before expectations at the same instant.
  ///
  /// What an app that broke down has kept from being reached is none; it is the reason.
  ///
  /// Inconclusive findings and expectations without anybody to ask are no reasons: the run did not fail by them. A
  /// program that did not start is a reason.
  package static func all(in judgement: Judgement, of scenario: Scenario) -> [Sighting] {
    let found = findings(judgement) + expectations(judgement, scenario)
    var sightings: [Sighting] = []
    let order = found.indices.sorted { (found[$0].instant, $0) < (found[$1].instant, $1) }
    for index in order where !sightings.contains(where: { $0.reason == found[index].reason }) {
      sightings.append(found[index])
    }
    return sightings
  }

  private static func findings(_ judgement: Judgement) -> [Sighting] {
    judgement.findings.filter { $0.verdict >= .fail }.map { finding in
      let devices = judgement.header.devices
      let role = devices.indices.contains(finding.device) ? devices[finding.device].role.rawValue : ""
      return Sighting(
        reason: .finding(oracle: finding.oracle, clause: finding.clause, role: role), instant: finding.instant,
        text: "\(finding.oracle) (\(finding.clause))" + (role.isEmpty ? "" : " by a \(role)"),
        detail: "expected \(finding.expected), saw \(finding.actual)")
    }
  }

  private static func expectations(_ judgement: Judgement, _ scenario: Scenario) -> [Sighting] {
    let isCutShort = judgement.outcome.ending == .breakdown
    return judgement.expectations.filter { $0.verdict == .fail && !(isCutShort && $0.place.isBlocked) }.map { result in
      if let expectation = scenario.expectations.first(where: { $0.text == result.text }) {
        let shape = ConditionShape(expectation.condition, scenario)
        return Sighting(
          reason: .expectation(Reason.Span(expectation.deadline), shape), instant: result.instant,
          text: "expect: " + result.text, detail: result.detail)
      }
      for step in scenario.steps where step.text == result.text && judgement.outcome.ending == .finished {
        if case .when(let condition, let within) = step.trigger {
          return Sighting(
            reason: .wait(within, ConditionShape(condition, scenario)), instant: result.instant,
            text: "the step “\(result.text)” timed out waiting", detail: result.detail)
        }
      }
      return Sighting(
        reason: .unfinished, instant: result.instant, text: "the run ended before the step “\(result.text)”",
        detail: result.detail)
    }
  }
}
