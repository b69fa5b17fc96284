import Bench
import Conformance
import Judging
import SimKernel

/// What a run that ended early had left undone: the findings that its oracles would have if nothing more happened for
/// as long as every claim takes to be due.
///
/// A run that fails by an expectation may have ended before a claim was due that explains it.
struct OverdueClaims {
  /// What has been due for less may be about to come.
  private static let patience = SimDuration.seconds(2)

  private let header: TraceHeader
  private let findings: [Finding]

  init(_ run: KeptRun, of app: AppProtocol) {
    header = run.header
    let judge = app.makeOracleReader()
    judge.begin(run.header)
    for record in run.records { judge.read(record) }
    let end = run.end + app.everythingIsDue
    judge.end(
      RunOutcome(ending: .stopped, endInstant: end, digest: TraceDigest(), statistics: .init(), devices: []))
    let all = judge.judgement?.oracles.flatMap(\.findings) ?? []
    findings = all.filter { $0.verdict == .fail && $0.instant > run.end && $0.device >= 0 && $0.since != nil }
  }

  /// The one that has been due for longest then, of the lobby of a device, or of any; nil: none has been for long.
  func first(for trouble: Trouble) -> StoryEvent? {
    guard trouble.isExpectation else { return nil }
    let lobby = trouble.devices.first.map { header.devices[$0].lobby }
    let due = findings.filter { finding in
      (lobby.map { header.devices[finding.device].lobby == $0 } ?? true)
        && finding.since.map { trouble.instant - $0 >= Self.patience } ?? false
    }
    guard let first = due.min(by: { ($0.since ?? .zero, $0.device) < ($1.since ?? .zero, $1.device) }),
      let since = first.since
    else { return nil }
    return StoryEvent(
      since,
      "\(header.name(of: first.device)) owes since then: \(first.expected) (\(first.clause)); until"
        + " \(trouble.instant.milliseconds) s: \(first.actual)", record: first.record)
  }
}
