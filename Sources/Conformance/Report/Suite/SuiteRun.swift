public import AppSeam
public import Judging

/// A run of the suite: what was asked for, on whom, and what every case came to.
public struct SuiteRun: Sendable {
  /// An implementation as its description has it.
  public struct Implementation: Hashable, Sendable, Codable {
    public var name: String
    /// The name of the protocol it speaks.
    public var app: String
    public var role: AppRole
    /// Those it was tested in.
    public var dialects: [DialectName]
    public var origin: String
    public var ics: ICS
    public var waivers: [Waiver]
    /// The name of the published way that it speaks; nil: all that any document says.
    public var profile: String?

    public init(
      name: String, of app: String, role: AppRole, dialects: [DialectName], origin: String, ics: ICS,
      waivers: [Waiver] = []
    ) {
      self.name = name
      self.app = app
      self.role = role
      self.dialects = dialects
      self.origin = origin
      self.ics = ics
      self.waivers = waivers
    }

    public init(_ implementation: ImplementationUnderTest) {
      self.init(
        name: implementation.name, of: implementation.app.name, role: implementation.role,
        dialects: implementation.dialects,
        origin: implementation.origin, ics: implementation.ics, waivers: implementation.waivers)
      profile = implementation.profile?.name
    }
  }

  /// A case that was planned, and that the run ended before.
  public struct NotBegun: Sendable {
    /// Index into `implementations`.
    public var implementation: Int
    public var purpose: TestPurpose
    public var id: CaseID

    public init(_ item: Suite.Item) {
      implementation = item.implementation
      purpose = item.purpose
      id = item.id
    }
  }

  /// Everything that depends on the wall clock; besides it only the times of `junit.xml` do.
  public struct WallTimes: Hashable, Sendable {
    /// ISO 8601, with the zone; empty when nobody looked.
    public var startedAt: String
    public var totalMilliseconds: Int
    /// In the order of `cases`, with what a case with help took added to that without; may be empty.
    public var caseMilliseconds: [Int]

    public init(startedAt: String = "", totalMilliseconds: Int = 0, caseMilliseconds: [Int] = []) {
      self.startedAt = startedAt
      self.totalMilliseconds = totalMilliseconds
      self.caseMilliseconds = caseMilliseconds
    }
  }

  /// The protocols of the implementations, and perhaps others.
  public var protocols: [AppProtocol]
  /// The version of babbench.
  public var version: String
  public var selection: CaseSelection
  /// The command that repeats the whole run.
  public var repeatLine: String
  public var implementations: [Implementation]
  /// Cases that were planned; fewer reports mean that the run was broken off.
  public var planned: Int
  /// In the order of the plan; what a case comes to with help stands after the case itself.
  public var cases: [CaseReport]
  /// Cases of the plan that were not begun, in its order; may be empty where nobody says which.
  public var notBegun: [NotBegun] = []
  /// The clauses by which the implementations were judged.
  public var judged = JudgedClauses()
  public var baseline: Baseline?
  /// The exit code says what got worse since the baseline, and not the verdict.
  public var failsOnRegressionsOnly = false
  public var wallTimes: WallTimes

  public init(
    _ protocols: [AppProtocol], version: String, selection: CaseSelection, repeatLine: String,
    implementations: [Implementation],
    planned: Int? = nil, cases: [CaseReport], baseline: Baseline? = nil, wallTimes: WallTimes = WallTimes()
  ) {
    self.protocols = protocols
    self.version = version
    self.selection = selection
    self.repeatLine = repeatLine
    self.implementations = implementations
    self.planned = planned ?? cases.count { !$0.isSecondPass }
    self.cases = cases
    self.baseline = baseline
    self.wallTimes = wallTimes
    settleWaivers()
  }

  /// Says of cases that pass and are waived by a pattern whether the waiver is out of date; to be called when all cases
  /// are known.
  ///
  /// It is when all that the pattern names was run and passes. One that does not, or that was not run, may need it.
  public mutating func settleWaivers() {
    for (index, implementation) in implementations.enumerated() {
      for waiver in implementation.waivers {
        let mine = cases.indices.filter { cases[$0].implementation == index && cases[$0].waiver == waiver }
        let named = app(of: implementation)?.purposes.filter {
          $0.role == implementation.role && CaseSelection(select: [waiver.pattern]).contains($0.id)
        }
        let known = Set(mine.map { cases[$0].purpose.id })
        let isWhole =
          (named ?? []).allSatisfy { known.contains($0.id) }
          && !notBegun.contains { $0.implementation == index && known.contains($0.purpose.id) }
        let isNeeded = !isWhole || mine.contains { ![.pass, .none].contains(cases[$0].result.verdict) }
        for place in mine where waiver.pattern != cases[place].purpose.id { cases[place].waiverIsNeeded = isNeeded }
      }
    }
  }

  /// How many cases count as what, in the order of `Assessment.allCases`.
  public struct Tally: Hashable, Sendable {
    public struct Row: Hashable, Sendable {
      public var assessment: Assessment
      public var count: Int
    }

    public var rows: [Row]

    init(_ assessments: [Assessment]) {
      rows = Assessment.allCases.map { kind in
        Row(assessment: kind, count: assessments.count { $0 == kind })
      }
    }

    public func count(of assessment: Assessment) -> Int { rows.first { $0.assessment == assessment }?.count ?? 0 }
    public var total: Int { rows.map(\.count).reduce(0, +) }
  }

  /// The cases as the plan has them.
  public var tally: Tally { Tally(cases.filter { !$0.isSecondPass }.map(\.assessment)) }

  /// How many of the cases that apply came to a verdict on what they are for: they pass, or fail by their own clause.
  /// The others fail by a step that many cases have in common, or never came to their subject.
  public var judgedOnSubject: (count: Int, of: Int) {
    let applicable = cases.filter { !$0.isSecondPass && $0.assessment != .notApplicable }
    let judged = applicable.count { report in
      switch report.assessment {
      case .pass, .unexpectedPass: true
      case .fail, .waived:
        report.result.cause.map { $0.text.isEmpty || report.purpose.clauses.contains($0.clause) } ?? true
      default: false
      }
    }
    return (judged, applicable.count)
  }

  /// Those that were run again with steps that the bench took.
  public var helpedTally: Tally { Tally(cases.filter(\.isSecondPass).map(\.assessment)) }

  /// Cases of the plan that were not run: the run was interrupted, or told to stop at the first failure.
  public var notRun: Int { max(0, planned - cases.count { !$0.isSecondPass }) }

  /// The heaviest of all cases; `none` when nothing was selected or nothing applies; never green while cases are
  /// missing.
  public var verdict: Verdict {
    let combined = cases.map(\.assessment.verdict).combined()
    if combined == .none, notRun == 0 { return .none }
    return notRun > 0 || !unasked.isEmpty ? combined.combined(with: .inconclusive) : combined
  }

  /// The implementations of several of which no case was selected, or none applies: nothing was judged of them.
  public var unasked: [Int] {
    guard implementations.count > 1 else { return [] }
    let asked = Set(
      cases.filter { $0.assessment != .notApplicable }.map(\.implementation) + notBegun.map(\.implementation))
    return implementations.indices.filter { !asked.contains($0) }
  }

  public var exitCode: ExitCode { ExitCode(failsOnRegressionsOnly ? regressionVerdict ?? verdict : verdict) }

  /// A waiver that did nothing.
  public struct IdleWaiver: Hashable, Sendable {
    /// Index into `implementations`.
    public var implementation: Int
    public var waiver: Waiver
    public var why: String
  }

  /// Waivers that name no case of this run, are hidden behind an earlier one, or have no reason.
  public var idleWaivers: [IdleWaiver] {
    var idle: [IdleWaiver] = []
    for (index, implementation) in implementations.enumerated() {
      let mine = cases.filter { $0.implementation == index && $0.assessment != .notApplicable }
      for waiver in implementation.waivers {
        if !waiver.hasReason {
          idle.append(IdleWaiver(implementation: index, waiver: waiver, why: "has no reason"))
        } else if !mine.contains(where: { CaseSelection(select: [waiver.pattern]).contains($0.purpose.id) }) {
          idle.append(IdleWaiver(implementation: index, waiver: waiver, why: "names no case of this run"))
        } else if !mine.contains(where: { $0.waiver == waiver }) {
          idle.append(IdleWaiver(implementation: index, waiver: waiver, why: "an earlier waiver names the same cases"))
        }
      }
    }
    return idle
  }

  /// Against the baseline; nil without one.
  public var comparison: Baseline.Comparison? { baseline?.compared(with: self) }

  /// The plain text of a clause; nil for one that is in no protocol of this run.
  public func clauseText(_ id: String) -> String? { protocols.lazy.compactMap { $0.clause(id) }.first?.plainText }

  /// Where a clause comes from, in words; nil where nothing is known of it.
  public func clauseOrigin(_ id: String) -> String? {
    protocols.lazy.compactMap { $0.clause(id) }.first.map(\.origin.words).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The text of a clause with where it comes from: `The host MUST … [decision, on SDK]`.
  public func requirement(_ id: String) -> String? {
    clauseText(id).map { text in text + (clauseOrigin(id).map { " [\($0)]" } ?? "") }
  }

  /// The protocol of an implementation.
  func app(of implementation: Implementation) -> AppProtocol? { protocols.first { $0.name == implementation.app } }

  public func key(of report: CaseReport) -> CaseKey {
    CaseKey(
      implementation: implementations[report.implementation].name, purpose: report.purpose.id,
      dialect: report.result.id.dialect.rawValue, seed: report.result.id.seed)
  }
}

/// What makes a case the same case in another run.
public struct CaseKey: Hashable, Sendable {
  public var implementation: String
  public var purpose: String
  public var dialect: String
  public var seed: UInt64

  /// For people: `APP/HOST/LOBBY/BV-01-C sdk seed 1 on my-host`.
  public var text: String { "\(purpose) \(dialect) seed \(seed) on \(implementation)" }
}
