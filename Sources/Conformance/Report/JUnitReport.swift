import Bench
package import Judging
import SimKernel

/// `junit.xml` in the dialect that CI servers share: one test suite per run, one test case per oracle and expectation.
///
/// JUnit knows no inconclusive. It is written as an `error` of type `inconclusive`, because a reader that knows only
/// green and red must not show it green; a failure stays a `failure`, the bench's own fault is an `error` of type
/// `error`, and an oracle that had nothing to judge is `skipped`. The time of a run is simulated seconds: oracles judge
/// all of it at once, so no test case has a time of its own. Names have no seed, so that a CI server knows a test case
/// again.
public enum JUnitReport {
  /// The whole file for some runs, in their order.
  public static func octets(_ judgements: [Judgement]) -> [UInt8] {
    JUnitDocument(name: "babbench", suites: judgements.map { suite($0, []) }).octets()
  }

  /// A claim about the measures of a run.
  package typealias Claim = (text: String, verdict: Verdict, detail: String)

  /// The file of one run of whose measures something is claimed.
  /// - Parameter reasons: what explains why a claim or an expectation does not hold.
  package static func octets(
    _ judgement: Judgement, claims: [Claim], reasons: [(claim: String, reason: String)]
  ) -> [UInt8] {
    JUnitDocument(name: "babbench", suites: [suite(judgement, claims, reasons)]).octets()
  }

  private static func suite(
    _ judgement: Judgement, _ claims: [Claim], _ reasons: [(claim: String, reason: String)] = []
  ) -> JUnitDocument.Suite {
    let run = judgement.header.scenario.replacing(".", with: "_")
    func explained(_ claim: String, _ lines: [String]) -> [String] {
      (reasons.first { $0.claim == claim }.map { ["reason: " + $0.reason] } ?? []) + lines
    }
    let cases =
      judgement.oracles.map { self.case($0, run: run, judgement, explained) }
      + judgement.expectations.enumerated().map { self.case($0.element, number: $0.offset + 1, run: run, explained) }
      + claims.map { claim in
        var row = JUnitDocument.Case(name: claim.text, classname: "claim.\(run)")
        row.set(claim.verdict, message: claim.detail, lines: explained(claim.text, [claim.detail]))
        return row
      }
    return JUnitDocument.Suite(
      name: judgement.header.scenario, time: judgement.outcome.endInstant.milliseconds,
      properties: [
        ("seed", String(judgement.header.seed)), ("digest", judgement.outcome.digest.hexadecimal),
        ("ending", judgement.outcome.ending.rawValue),
      ], cases: cases)
  }

  private static func `case`(
    _ oracle: OracleResult, run: String, _ judgement: Judgement, _ explained: (String, [String]) -> [String]
  ) -> JUnitDocument.Case {
    var lines = oracle.findings.map { finding in
      "\(finding.instant) s \(judgement.header.name(of: finding.device)): expected \(finding.expected), "
        + "saw \(finding.actual) (\(finding.clause)\(finding.record.map { ", record \($0)" } ?? ""))"
    }
    if oracle.suppressedFindings > 0 { lines.append("and \(oracle.suppressedFindings) more") }
    if oracle.verdict == .inconclusive, lines.isEmpty {
      lines.append("\(CountedNoun.text(oracle.open, "obligation")) not due when the run ended")
    }
    var row = JUnitDocument.Case(name: oracle.id, classname: "oracle.\(run)")
    row.set(oracle.verdict, message: oracle.claim, lines: explained(oracle.id, lines))
    return row
  }

  private static func `case`(
    _ expectation: ExpectationResult, number: Int, run: String, _ explained: (String, [String]) -> [String]
  ) -> JUnitDocument.Case {
    var row = JUnitDocument.Case(name: "\(number) \(expectation.text)", classname: "expectation.\(run)")
    row.set(expectation.verdict, message: expectation.text, lines: explained(expectation.text, [expectation.detail]))
    return row
  }
}
