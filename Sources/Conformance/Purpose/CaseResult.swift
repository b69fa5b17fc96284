public import AppSeam
public import Bench
public import Judging
public import SimKernel

/// One case: a test purpose in a dialect, with a seed, on an implementation.
public struct CaseID: Hashable, Sendable, Codable {
  public var purpose: String
  public var dialect: DialectName
  public var seed: UInt64
  /// The steps that the bench takes for the implementation, by name, in the protocol's order; none as a rule.
  public var assuming: [String]
  /// What it is played without; nothing as a rule.
  public var cut: StageCut

  public init(
    purpose: String, dialect: DialectName, seed: UInt64, assuming: [String] = [], cut: StageCut = StageCut()
  ) {
    self.purpose = purpose
    self.dialect = dialect
    self.seed = seed
    self.assuming = assuming
    self.cut = cut
  }
}

/// What one case came to.
public struct CaseResult: Hashable, Sendable, Codable {
  public struct Step: Hashable, Sendable, Codable {
    public var instant: SimInstant
    public var text: String
    /// The newest trace record before it.
    public var record: Int
    /// The number of the stimulus that it is; nil: it is a check, or a remark.
    public var stimulus: Int?
  }

  public var id: CaseID
  public var iut: String
  /// Why the case does not apply, by the ICS; the verdict is `none` then.
  public var notApplicable: String?
  public var verdict: Verdict
  /// Set for every verdict above pass: what was required, what came, and where the run left the expected path.
  public var finding: Finding?
  /// What it has in common with other cases that do not pass; set with `finding`.
  public var cause: Cause?
  /// What its platform, stack or links know that explains the finding, in a sentence; nil: nothing does.
  public var reason: String?
  /// What it leaves undone by that reason, where that is all there is to know and the cause stays what it is: words
  /// that follow the name of an implementation.
  public var omission: String?
  /// The initial condition was not reached.
  public var isBlocked = false
  /// The step that it waited for when it ended, by the name under which the bench can take it.
  public var step: String?
  /// What was done and checked, in order.
  public var steps: [Step]
  /// How many stimuli the case came to, those included that it was played without.
  public var stimuli = 0
  /// How many things were checked; a pass without a check is an error of the catalogue.
  public var checks: Int
  public var digest: TraceDigest
  public var endInstant: SimInstant
  /// Files of results are without it, without `sought` and without `log`.
  public var header = TraceHeader(scenario: "", seed: 0, devices: [], options: [])
  public var failure: IUTFailure?
  /// Reports that the case has looked for.
  public var sought: [String] = []
  /// What the implementation wrote for people, its newest part.
  public var log = ""

  private enum CodingKeys: CodingKey {
    case id, iut, notApplicable, verdict, finding, cause, reason, omission, isBlocked, step, steps, stimuli, checks
    case digest, endInstant, failure
  }
}
