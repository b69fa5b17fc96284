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

  /// The verdict that these numbers call for.
  ///
  /// A finding gives its own verdict. Else an oracle that judged something passes; one whose only obligations were
  /// still open is inconclusive; one that had nothing to judge says none.
  public static func verdict(judged: Int, open: Int, findings: [Finding]) -> Verdict {
    let heaviest = findings.map(\.verdict).combined()
    if heaviest > .pass { return heaviest }
    if judged > 0 { return .pass }
    return open > 0 ? .inconclusive : .none
  }
}
