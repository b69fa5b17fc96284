public import AppSeam
public import Bench
public import SimKernel

/// Several protocols in one room: each judges what its own devices show, and the run has all their claims.
public final class JointJudge: RunJudge {
  private let judges = Roster<SeatedJudge>()
  public private(set) var judgement: Judgement?

  /// - Parameter judges: none: only the run's expectations count.
  public init(_ judges: [any RunJudge]) {
    for judge in judges { self.judges.append(SeatedJudge(judge)) }
    if judges.isEmpty {
      self.judges.append(SeatedJudge(OracleReader(of: "") { (RunState(header: $0, parties: []), []) }))
    }
  }

  public func begin(_ header: TraceHeader) {
    judgement = nil
    for seat in judges { seat.judge.begin(header) }
  }

  public func read(_ record: TraceRecord) {
    for index in 0..<judges.count { judges.with(index) { $0.judge.read(record) } }
  }

  public func ignores(_ report: AppReport, device: Int, at instant: SimInstant) -> Bool {
    !judges.contains { !$0.judge.ignores(report, device: device, at: instant) }
  }

  public func end(_ outcome: RunOutcome) {
    for seat in judges { seat.judge.end(outcome) }
    guard var joint = judges[0].judge.judgement else { return }
    for seat in judges.dropFirst() {
      joint.oracles += seat.judge.judgement?.oracles ?? []
      joint.endings += seat.judge.judgement?.endings ?? []
    }
    judgement = joint
  }
}

/// A judge in a list that is gone through without counting references.
private final class SeatedJudge {
  let judge: any RunJudge
  init(_ judge: any RunJudge) { self.judge = judge }
}
