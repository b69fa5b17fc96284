import Bench
import Judging
import Measures
import Stress

/// A claim of a scenario in one world.
struct RunClaim: Sendable {
  let claim: Claim
  /// Nil where nothing was measured that it could be decided by.
  let holds: Bool?
  /// What was measured, for people.
  let detail: String

  /// In one world a share of all worlds can be neither proved nor disproved.
  var verdict: Verdict {
    if claim.share != nil { return .none }
    return holds.map { $0 ? .pass : .fail } ?? .inconclusive
  }

  /// - Parameter word: a verdict as it is shown.
  func words(_ word: (Verdict) -> String) -> String {
    guard claim.share != nil else { return "\(word(verdict)), \(detail)" }
    let here = holds.map { $0 ? "holds here" : "does not hold here" } ?? "unknown here"
    return "\(here), \(detail); --seeds and babbench stress judge it"
  }

  /// - Throws: what is wrong with a claim, which the scenario's reader has told before.
  static func all(of scenario: Scenario, in report: RunReport) throws -> [RunClaim] {
    if scenario.claims.isEmpty { return [] }
    let measures = RunMeasure.all(protocols)
    let world = WorldResult(
      index: 0, verdict: report.verdict, digest: nil, queueEvents: 0, causes: [], detail: "", samples: report.measures,
      measures: measures.count)
    return try scenario.claims.map { text in
      let claim = try Claim(text, among: measures)
      return RunClaim(claim: claim, holds: claim.holds(in: world), detail: claim.detail(in: world))
    }
  }
}

extension JSONText {
  /// The member `claims` of a result; Docs/Formats/result.md.
  mutating func claims(_ claims: [RunClaim]) {
    key("claims")
    beginArray()
    for claim in claims {
      beginObject()
      member("text", claim.claim.text)
      member("verdict", claim.verdict.name)
      key("holds")
      if let holds = claim.holds { value(holds) } else { null() }
      member("detail", claim.detail)
      endObject()
    }
    endArray()
  }
}
