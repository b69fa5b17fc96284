public import Judging
import SimKernel

/// `events.jsonl`: a run of the suite as JSON Lines, case by case while it goes on; Docs/Formats/report.md.
///
/// Not for several threads at once: the caller hands over one case after the other.
public final class SuiteEventLines {
  /// Grows when a line's meaning changes; new kinds and new members do not count.
  public static let version = 1

  private var lines: EventLines

  public init(sink: any OctetSink) { lines = EventLines(sink, version: Self.version, capacity: 16 << 10) }

  /// The first failure to write; later lines are dropped, the run goes on.
  public var failure: (any Error)? { lines.failure }

  /// - Parameter run: what is known before the first case: no reports, but `planned`.
  public func runStarted(_ run: SuiteRun) {
    lines.add("runStarted") { text in
      text.member("babbench", run.version)
      text.member("repeat", run.repeatLine)
      text.suiteSelection(run.selection)
      text.member("planned", run.planned)
      text.suiteImplementations(run)
    }
    lines.flush()
  }

  /// - Parameter number: of the case in the plan, from 0; every line of a case has it.
  public func caseStarted(_ number: Int, _ key: CaseKey) {
    lines.add("caseStarted") { text in
      text.member("case", number)
      text.suiteKey(key)
    }
    lines.flush()
  }

  /// The steps and the finding of a case, and its end.
  public func caseEnded(_ number: Int, _ report: CaseReport, in run: SuiteRun) {
    for step in report.result.steps {
      lines.add("step") { text in
        text.member("case", number)
        text.suiteStep(step)
      }
    }
    if let finding = report.result.finding {
      lines.add("finding") { text in
        text.member("case", number)
        text.suiteFinding(finding, report, run)
      }
    }
    lines.add("caseEnded") { text in
      text.member("case", number)
      text.suiteCaseHead(report, run)
    }
    lines.flush()
  }

  /// The last line; a file without it belongs to a run that was broken off.
  public func runEnded(_ run: SuiteRun) {
    lines.add("runEnded") { $0.suiteSummary(run) }
    lines.close()
  }
}
