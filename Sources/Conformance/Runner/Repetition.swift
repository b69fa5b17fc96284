public import Bench

/// What running a case again has shown. In virtual time nothing is flaky: a difference has a culprit.
public enum Repetition: Hashable, Sendable, Codable {
  public enum Culprit: String, Hashable, Sendable, Codable {
    /// The implementation answered differently to the same inputs.
    case implementation
    /// Something differs that no implementation has a hand in: the bench's own fault.
    case bench
    /// The runs differ in nothing that an app shows; there is nothing left to look at.
    case unknown
  }

  /// The same digest, and so the same run.
  case same
  /// The first event that differs, as each run has it; nil for a run that was over.
  case differs(Culprit, first: String?, second: String?)
}

extension Suite {
  /// Runs a case that was already run once again, with readers, and says whether it was the same run.
  ///
  /// - Returns: the second run's result, the same as the first in everything when nothing differs.
  public func repeated(_ item: Item, _ first: CaseResult, readers: [any TraceReader] = []) -> (CaseResult, Repetition) {
    let recording = TraceRecording()
    let second = run(item, readers: [recording] + readers)
    if second.digest == first.digest { return (second, .same) }
    let again = TraceRecording()
    _ = run(item, readers: [again])
    guard let index = recording.firstDifference(from: again) else {
      return (second, .differs(.unknown, first: nil, second: nil))
    }
    let iut = CaseRunner.stage(item.purpose, item.id, of: implementations[item.implementation].app).iutIndex
    let record = recording.records.indices.contains(index) ? recording.records[index] : again.records[index]
    let culprit: Repetition.Culprit = record.isDone(by: iut) ? .implementation : .bench
    return (second, .differs(culprit, first: recording.text(at: index), second: again.text(at: index)))
  }
}

extension TraceRecord {
  /// Whether the app of a device did this of itself.
  fileprivate func isDone(by device: Int) -> Bool {
    switch event {
    case .effect, .report: self.device == device
    default: false
    }
  }
}
