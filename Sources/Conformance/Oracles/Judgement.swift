public import Bench
public import Judging
public import Platform
public import SimKernel

/// What one expectation of the scenario came to.
public struct ExpectationResult: Hashable, Sendable {
  public var text: String
  /// Nil: nobody could be asked.
  public var answer: Bool?
  public var detail: String
  /// The trace record that says so.
  public var record: Int
  /// When it was decided.
  public var instant: SimInstant
  public var place: ExpectationPlace

  public init(
    text: String, holds: Bool?, detail: String, record: Int, instant: SimInstant = .zero,
    place: ExpectationPlace = ExpectationPlace()
  ) {
    self.text = text
    answer = holds
    self.detail = detail
    self.record = record
    self.instant = instant
    self.place = place
  }

  public var holds: Bool { answer == true }
  /// What is unknown has neither passed nor failed.
  public var verdict: Verdict { answer.map { $0 ? .pass : .fail } ?? .inconclusive }
}

/// Everything that is said about one run: who took part, how it ended, and every verdict.
public struct Judgement: Hashable, Sendable {
  public var header: TraceHeader
  public var outcome: RunOutcome
  /// In the order of the oracle registry.
  public var oracles: [OracleResult]
  /// In the order in which they were checked.
  public var expectations: [ExpectationResult]
  /// What host stacks remarked, the first of each device; none of it is a verdict.
  public var remarks: [Remark]

  /// A remark of a device's host stack, and how often that kind came from that device.
  public struct Remark: Hashable, Sendable {
    public var device: Int
    public var instant: SimInstant
    public var record: Int
    public var remark: PlatformRemark
    public var count: Int
  }

  /// Ids of the oracles that only judge whether the run came to its end.
  var endings: [String]

  public init(
    header: TraceHeader, outcome: RunOutcome, oracles: [OracleResult], expectations: [ExpectationResult],
    remarks: [Remark] = [], endings: [String] = []
  ) {
    self.header = header
    self.outcome = outcome
    self.oracles = oracles
    self.expectations = expectations
    self.remarks = remarks
    self.endings = endings
  }

  /// The heaviest verdict of all oracles and expectations.
  ///
  /// That the run came to its end judges only the bench's patience; when nothing else was judged the run is `none`.
  public var verdict: Verdict {
    let substance = oracles.filter { !endings.contains($0.id) }.map(\.verdict) + expectations.map(\.verdict)
    let combined = substance.combined()
    let ending = oracles.filter { endings.contains($0.id) }.map(\.verdict).combined()
    return combined == .none && ending <= .pass ? .none : combined.combined(with: ending)
  }

  /// All findings in the order of the oracle registry.
  public var findings: [Finding] { oracles.flatMap(\.findings) }
}
