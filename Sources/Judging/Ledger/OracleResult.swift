/// What one oracle says about one run.
public struct OracleResult: Hashable, Sendable {
  public var id: String
  public var claim: String
  public var clause: String
  public var verdict: Verdict
  /// How many things it judged; 0 means that the claim never applied.
  public var judged: Int
  /// Obligations that had not come due when the run ended: neither kept nor broken.
  public var open: Int
  /// Those of `open` that nothing but the beginning or the end of a capture leaves open; a run has none.
  public var openAtEdges: Int
  /// The first findings, in trace order; at most `OracleLedger.findingLimit`.
  public var findings: [Finding]
  /// Findings beyond the limit, counted only.
  public var suppressedFindings: Int
  /// What leaves things open, for people; nil when that is not known.
  public var openReason: String?
  /// The first record at which something stayed open, as `Finding.record`; nil: at the end, or not known.
  public var firstOpen: Int?

  public init(
    id: String, claim: String, clause: String, verdict: Verdict, judged: Int, open: Int, openAtEdges: Int = 0,
    findings: [Finding], suppressedFindings: Int
  ) {
    self.id = id
    self.claim = claim
    self.clause = clause
    self.verdict = verdict
    self.judged = judged
    self.open = open
    self.openAtEdges = openAtEdges
    self.findings = findings
    self.suppressedFindings = suppressedFindings
    assert(judged >= findings.count + suppressedFindings, "each finding was judged")
    assert(open >= 0 && (0...open).contains(openAtEdges), "obligations that edges leave open are open")
  }

  /// What a ledger says.
  /// - Parameter ignoresEdges: what nothing but the beginning or the end of a capture leaves open is no reason for a
  ///   verdict.
  public init(_ ledger: OracleLedger, id: String, claim: String, clause: String, ignoresEdges: Bool = false) {
    self.init(
      id: id, claim: claim, clause: clause, verdict: .none, judged: ledger.judged, open: ledger.open,
      openAtEdges: ledger.openAtEdges, findings: ledger.findings, suppressedFindings: ledger.suppressedFindings)
    settle(ignoresEdges: ignoresEdges)
  }

  /// Gives the verdict that its numbers call for.
  ///
  /// A finding gives its own verdict. Else an oracle that judged something passes; one whose only obligations were
  /// still open is inconclusive; one that had nothing to judge says none.
  public mutating func settle(ignoresEdges: Bool = false) {
    let heaviest = findings.map(\.verdict).combined()
    let counted = ignoresEdges ? open - openAtEdges : open
    verdict = heaviest > .pass ? heaviest : judged > 0 ? .pass : counted > 0 ? .inconclusive : .none
  }

  /// Calls nobody guilty by findings that something else may explain; `settle` then gives the verdict.
  ///
  /// One that is in doubt already keeps the first reason for it.
  /// - Parameters:
  ///   - why: what else may explain it, for people.
  ///   - isDoubtful: asked of each failure.
  public mutating func doubt(_ why: @autoclosure () -> String, where isDoubtful: (Finding) -> Bool = { _ in true }) {
    for index in findings.indices where findings[index].verdict == .fail && isDoubtful(findings[index]) {
      findings[index].doubt(why())
    }
  }
}
