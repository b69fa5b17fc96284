public import Bench
import Judging
import Platform
import SimKernel

/// Runs all oracles over one trace in one pass, in memory that does not grow with the length of the run.
///
/// A record costs one switch and one call per oracle that asked for its kind; deadlines cost one comparison.
public final class OracleReader: RunJudge {
  /// The state of a run, and the oracles that read it.
  public typealias Jury = (state: RunState, oracles: [any Oracle])

  private let makeJury: (TraceHeader) -> Jury
  private var state: RunState?
  private var oracles: [any Oracle] = []
  /// Oracles by kind of record.
  private var readers: [[any Oracle]] = []
  private var earliestDeadline = SimInstant.distantFuture
  private var expectations: [ExpectationResult] = []
  private var remarks: [Judgement.Remark] = []
  private var header = TraceHeader(scenario: "", seed: 0, devices: [], options: [])
  /// What all oracles say; nil until the run is over.
  public private(set) var judgement: Judgement?

  /// - Parameter makeJury: called at the beginning of each run.
  public init(_ makeJury: @escaping (TraceHeader) -> Jury) { self.makeJury = makeJury }

  public func begin(_ header: TraceHeader) {
    self.header = header
    (state, oracles) = makeJury(header)
    readers = (0..<TraceKind.limit).map { number in
      oracles.filter { oracle in type(of: oracle).interests.contains { Int($0.rawValue) == number } }
    }
    earliestDeadline = .distantFuture
    expectations = []
    remarks = []
    judgement = nil
  }

  public func read(_ record: TraceRecord) {
    guard let state else { return }
    if record.instant > earliestDeadline { expire(at: record.instant) }
    let kind = if case .report(let report) = record.event { state.kind(of: report) } else { TraceKind(record.event) }
    if kind == .other {
      if case .expectation(let text, let holds, let detail) = record.event {
        expectations.append(
          ExpectationResult(text: text, holds: holds, detail: detail, record: record.sequence))
      }
      if case .platform(let remark) = record.event { note(remark, record) }
      return
    }
    state.apply(record, kind: kind)
    for oracle in readers[Int(kind.rawValue)] {
      oracle.observe(record)
      let deadline = oracle.deadline
      if deadline < earliestDeadline { earliestDeadline = deadline }
    }
  }

  public func end(_ outcome: RunOutcome) {
    if outcome.endInstant > earliestDeadline { expire(at: outcome.endInstant) }
    let results = oracles.map { oracle in
      oracle.finish(outcome)
      return oracle.result
    }
    judgement = Judgement(
      header: header, outcome: outcome, oracles: results, expectations: expectations, remarks: remarks,
      endings: oracles.filter { type(of: $0).judgesEndOnly }.map { type(of: $0).id })
    oracles = []
    readers = []
    state = nil
  }

  /// The first of each kind and device is kept, the others are counted.
  private func note(_ remark: PlatformRemark, _ record: TraceRecord) {
    if let index = remarks.firstIndex(where: { $0.device == record.device && $0.remark.kind == remark.kind }) {
      remarks[index].count += 1
    } else {
      remarks.append(
        Judgement.Remark(
          device: record.device, instant: record.instant, record: record.sequence, remark: remark, count: 1))
    }
  }

  private func expire(at now: SimInstant) {
    earliestDeadline = .distantFuture
    for oracle in oracles {
      if oracle.deadline < now { oracle.expire(at: now) }
      earliestDeadline = min(earliestDeadline, oracle.deadline)
    }
  }
}

extension Oracle {
  /// What this oracle says now.
  var result: OracleResult {
    OracleResult(
      id: Self.id, claim: Self.claim, clause: Self.clause,
      verdict: OracleResult.verdict(judged: ledger.judged, open: ledger.open, findings: ledger.findings),
      judged: ledger.judged, open: ledger.open, findings: ledger.findings,
      suppressedFindings: ledger.suppressedFindings)
  }
}
