public import AppSeam
public import Bench
import Judging
public import SimKernel

/// Several protocols in one room: each judges what its own devices show, and the run has all their claims.
public final class JointJudge: RunJudge {
  private let judges = Roster<Seated<any RunJudge>>()
  /// By protocol: the clause that an app of it breaks which breaks down.
  private let breakdownClauses: [(app: String, clause: String)]
  public private(set) var judgement: Judgement?

  /// - Parameters:
  ///   - judges: none: only the run's expectations count.
  ///   - breakdownClauses: by protocol, the clause that an app of it breaks which breaks down.
  public init(_ judges: [any RunJudge], breakdownClauses: [(app: String, clause: String)] = []) {
    self.breakdownClauses = breakdownClauses
    for judge in judges { self.judges.append(Seated(judge)) }
    if judges.isEmpty {
      self.judges.append(Seated(OracleReader(of: "") { (RunState(header: $0, parties: []), []) }))
    }
  }

  public func begin(_ header: TraceHeader) {
    judgement = nil
    for seat in judges { seat.occupant.begin(header) }
  }

  public func joins(_ header: TraceHeader, device: Int) {
    for seat in judges { seat.occupant.joins(header, device: device) }
  }

  public func read(_ record: TraceRecord) {
    for index in 0..<judges.count { judges[index].occupant.read(record) }
  }

  public func ignores(_ report: AppReport, device: Int, at instant: SimInstant) -> Bool {
    !judges.contains { !$0.occupant.ignores(report, device: device, at: instant) }
  }

  public func promises(_ reports: [String], device: Int) {
    for index in 0..<judges.count { judges[index].occupant.promises(reports, device: device) }
  }

  public func end(_ outcome: RunOutcome) {
    for seat in judges { seat.occupant.end(outcome) }
    guard var joint = judges[0].occupant.judgement else { return }
    for seat in judges.dropFirst() {
      joint.oracles += seat.occupant.judgement?.oracles ?? []
      joint.endings += seat.occupant.judgement?.endings ?? []
    }
    if let breakdown = outcome.breakdown { book(breakdown, in: &joint) }
    judgement = joint
  }

  /// No claim about what apps say covers that one says nothing any more; and no hostile device may break down either.
  private func book(_ breakdown: AppBreakdown, in joint: inout Judgement) {
    let app = joint.header.devices[breakdown.device].app
    let clause = breakdownClauses.first { $0.app == app }?.clause ?? ""
    let place =
      joint.oracles.firstIndex { joint.endings.contains($0.id) && $0.clause == clause }
      ?? {
        joint.oracles.append(
          OracleResult(
            id: "NoCrashNoHang", claim: "No app breaks down.", clause: clause, verdict: .none, judged: 0, open: 0,
            findings: [], suppressedFindings: 0))
        return joint.oracles.count - 1
      }()
    joint.oracles[place].judged += 1
    joint.oracles[place].findings.append(
      Finding(
        oracle: joint.oracles[place].id, verdict: breakdown.hasStarted ? .fail : .error, instant: breakdown.instant,
        device: breakdown.device, clause: clause,
        expected: breakdown.hasStarted ? "an app that answers every input" : "a program that starts",
        actual: "\(breakdown.program): \(breakdown.detail)", record: breakdown.record))
    joint.oracles[place].settle()
  }
}
