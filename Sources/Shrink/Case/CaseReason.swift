package import Conformance
package import Judging

/// Why a case does not pass, without the names of testers, instants and numbers of records.
///
/// Two runs of a case have one reason when they have the verdict, the clause and the cause in common; where nothing is
/// known of the cause, also what was expected.
package struct CaseReason: Hashable, Sendable {
  package var verdict: Verdict
  package var clause: String
  package var cause: Cause?
  package var expected: String

  /// - Returns: nil for a case that neither fails nor was kept from its subject by the implementation.
  package init?(_ result: CaseResult, of purpose: TestPurpose) {
    guard let finding = result.finding, result.verdict == .fail || result.isBlocked else { return nil }
    verdict = result.verdict
    clause = finding.clause
    cause = result.cause
    let isNamed = result.cause.map { !$0.text.isEmpty } ?? false
    expected = isNamed ? "" : purpose.general(finding.expected)
  }
}
