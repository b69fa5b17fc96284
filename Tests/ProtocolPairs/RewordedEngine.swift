package import AppSeam
package import Bench
package import Conformance
package import SimKernel

/// An engine of a protocol in Swift as an engine of a protocol file: what its user does and what it shows are said in
/// the words of the file, everything else passes unchanged.
package final class RewordedEngine: AppEngine {
  private let inner: any AppEngine
  private let wording: Wording

  package init(_ inner: any AppEngine, _ wording: Wording) {
    self.inner = inner
    self.wording = wording
  }

  package func handle(_ input: AppInput, at now: SimInstant) -> [AppEffect] {
    var told = input
    if case .user(let action) = input {
      // What the file has no word for, nobody does.
      guard let free = action.among(FreeAction.self), let own = wording.action(free) else { return [] }
      told = .user(own)
    }
    return inner.handle(told, at: now).compactMap { effect in
      guard case .report(let report) = effect else { return wording.asked(effect) }
      return wording.report(report).map { .report(AppReport($0)) }
    }
  }
}

/// The words of one protocol in those of its file.
package struct Wording: Sendable {
  /// Nil: the protocol has no such action.
  package var action: @Sendable (FreeAction) -> AppAction?
  /// Nil: the file has no such report.
  package var report: @Sendable (AppReport) -> FreeReport?
  /// What an engine asks of its platform as the file has it; nil: the file has nothing like it.
  package var asked: @Sendable (AppEffect) -> AppEffect? = { $0 }
}

/// A judge of a protocol file in a run of the Swift protocol: it reads the same records, in the words of the file.
package final class RewordedJudge: TraceReader {
  private let judge: any RunJudge
  private let wording: Wording
  private let app: String

  package init(_ judge: any RunJudge, app: String, _ wording: Wording) {
    self.judge = judge
    self.app = app
    self.wording = wording
  }

  package func begin(_ header: TraceHeader) {
    var header = header
    for place in header.devices.indices where header.devices[place].app != nil { header.devices[place].app = app }
    judge.begin(header)
  }

  package func read(_ record: TraceRecord) {
    guard case .report(let report) = record.event else { return judge.read(record) }
    guard let said = wording.report(report) else { return }
    var record = record
    record.event = .report(AppReport(said))
    judge.read(record)
  }

  package func end(_ outcome: RunOutcome) { judge.end(outcome) }
}
