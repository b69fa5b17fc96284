public import Bench

/// Several protocols in one room: each judges what its own devices show, and the run has all their claims.
public final class JointJudge: RunJudge {
  private let judges: [any RunJudge]
  public private(set) var judgement: Judgement?

  /// - Parameter judges: none: only the run's expectations count.
  public init(_ judges: [any RunJudge]) {
    self.judges = judges.isEmpty ? [OracleReader(of: "") { (RunState(header: $0, parties: []), []) }] : judges
  }

  public func begin(_ header: TraceHeader) {
    judgement = nil
    for judge in judges { judge.begin(header) }
  }

  public func read(_ record: TraceRecord) {
    for judge in judges { judge.read(record) }
  }

  public func end(_ outcome: RunOutcome) {
    for judge in judges { judge.end(outcome) }
    guard var joint = judges[0].judgement else { return }
    for judge in judges.dropFirst() {
      joint.oracles += judge.judgement?.oracles ?? []
      joint.endings += judge.judgement?.endings ?? []
    }
    judgement = joint
  }
}
