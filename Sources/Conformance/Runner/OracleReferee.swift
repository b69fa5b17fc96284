import AppSeam
import Bench
import Judging
import SimKernel

/// All oracles of a run as one referee.
final class OracleReferee: Referee {
  private let judge: any RunJudge

  init(_ judge: any RunJudge) { self.judge = judge }

  var wantsAir: Bool { judge.wantsAir }
  var wantsHCI: Bool { judge.wantsHCI }
  var wantsNetwork: Bool { judge.wantsNetwork }
  func begin(_ header: TraceHeader) { judge.begin(header) }
  func read(_ record: TraceRecord) { judge.read(record) }
  func end(_ outcome: RunOutcome) { judge.end(outcome) }
  func ignores(_ report: AppReport, device: Int, at instant: SimInstant) -> Bool {
    judge.ignores(report, device: device, at: instant)
  }

  func promises(_ reports: [String], device: Int) { judge.promises(reports, device: device) }

  var judgedCount: Int {
    guard let judgement = judge.judgement else { return 0 }
    return judgement.oracles.filter { !judgement.endings.contains($0.id) }.reduce(0) { $0 + $1.judged }
  }

  var refereeFindings: [RefereeFinding] {
    guard let judgement = judge.judgement else { return [] }
    return judgement.findings.map { finding in
      let devices = judgement.header.devices
      return RefereeFinding(
        oracle: finding.oracle, clause: finding.clause, verdict: finding.verdict.name,
        device: devices.indices.contains(finding.device) ? devices[finding.device].name : "", at: finding.instant,
        expected: finding.expected, actual: finding.actual)
    }
  }
}
