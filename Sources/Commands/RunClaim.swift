import Bench
import Conformance
import Judging
import RunReports
import SimKernel
import Stress

/// A claim of a scenario in one world.
struct RunClaim: Sendable {
  let claim: Claim
  /// Nil where nothing was measured that it could be decided by.
  let holds: Bool?
  /// What was measured, for people.
  let detail: String
  /// What is wrong with the run by it; nil: nothing, or what else is wrong with the run says it.
  let trouble: Trouble?

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
    return try scenario.claims.map { written in
      RunClaim(try Claim(written.text, among: measures), line: written.source.line, in: world, report.judgement)
    }
  }

  private init(_ claim: Claim, line: Int, in world: WorldResult, _ judgement: Judgement) {
    self.claim = claim
    holds = claim.holds(in: world)
    detail = claim.detail(in: world)
    let isTold = claim.subject == .pass && world.verdict > .pass
    guard claim.share == nil, holds != true, !isTold else {
      trouble = nil
      return
    }
    let worst = claim.worst(in: world)
    var actual = detail
    if let worst, case .measure(let measure, _, _, _, _) = claim.subject {
      actual += "; the worst one is \(MeasureText.text(worst.sample.value, measure.unit))"
      let devices = judgement.header.devices
      let names = [worst.sample.device, worst.sample.peer].map(Int.init).filter(devices.indices.contains).map {
        judgement.header.name(of: $0)
      }
      if !names.isEmpty { actual += ", of \(names.joined(separator: " with "))" }
    }
    trouble = Trouble(
      ofMeasures: claim.text, actual: actual, instant: worst?.instant ?? judgement.outcome.endInstant,
      since: worst.flatMap { claim.beginning(of: $0) },
      device: worst.flatMap { $0.sample.device < 0 ? nil : Int($0.sample.device) }, record: worst?.record,
      line: line > 0 ? line : nil, isInconclusive: holds == nil)
  }
}

extension Collection<RunClaim> {
  /// The verdict of a world with them.
  /// - Parameter judged: what oracles and expectations say.
  func verdict(after judged: Verdict) -> Verdict {
    let claimed = map(\.verdict).combined()
    return claimed == .none ? judged : judged.combined(with: claimed)
  }
}

extension JSONText {
  /// The member `claims` of a result; Docs/Formats/result.md.
  mutating func claims(_ claims: [RunClaim]) {
    objects("claims", claims) { json, claim in
      json.member("text", claim.claim.text)
      json.member("verdict", claim.verdict.name)
      json.member("holds", claim.holds)
      json.member("detail", claim.detail)
    }
  }
}
