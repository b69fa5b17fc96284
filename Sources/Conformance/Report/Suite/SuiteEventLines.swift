public import Judging
import SimKernel

/// `events.jsonl`: a run of the suite as JSON Lines, case by case while it goes on; Docs/Formats/report.md.
///
/// Not for several threads at once: the caller hands over one case after the other.
public final class SuiteEventLines {
  /// Grows when a line's meaning changes; new kinds and new members do not count.
  public static let version = 1

  private let sink: any OctetSink
  private var text = JSONText(capacity: 16 << 10)
  /// The first failure to write; later lines are dropped, the run goes on.
  public private(set) var failure: (any Error)?

  public init(sink: any OctetSink) { self.sink = sink }

  /// - Parameter run: what is known before the first case: no reports, but `planned`.
  public func runStarted(_ run: SuiteRun) {
    line("runStarted") { text in
      text.member("babbench", run.version)
      text.member("repeat", run.repeatLine)
      text.suiteSelection(run.selection)
      text.member("planned", run.planned)
      text.suiteImplementations(run)
    }
    flush()
  }

  /// - Parameter number: of the case in the plan, from 0; every line of a case has it.
  public func caseStarted(_ number: Int, _ key: CaseKey) {
    line("caseStarted") { text in
      text.member("case", number)
      text.suiteKey(key)
    }
    flush()
  }

  /// The steps and the finding of a case, and its end.
  public func caseEnded(_ number: Int, _ report: CaseReport, in run: SuiteRun) {
    for step in report.result.steps {
      line("step") { text in
        text.member("case", number)
        text.suiteStep(step)
      }
    }
    if let finding = report.result.finding {
      line("finding") { text in
        text.member("case", number)
        text.suiteFinding(finding, report, run)
      }
    }
    line("caseEnded") { text in
      text.member("case", number)
      text.suiteCaseHead(report, run)
    }
    flush()
  }

  /// The last line; a file without it belongs to a run that was broken off.
  public func runEnded(_ run: SuiteRun) {
    line("runEnded") { $0.suiteSummary(run) }
    flush()
    do { try sink.close() } catch { failure = failure ?? error }
  }

  private func line(_ kind: StaticString, payload: (inout JSONText) -> Void) {
    text.beginObject()
    text.member("version", Self.version)
    text.key("kind")
    text.value(kind)
    text.key("payload")
    text.beginObject()
    payload(&text)
    text.endObject()
    text.endObject()
    text.endLine()
  }

  private func flush() {
    defer { text.removeAll() }
    guard failure == nil else { return }
    do { try sink.write(text.octets) } catch { failure = error }
  }
}
