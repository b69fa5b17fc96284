public import Bench
public import Judging

extension OracleLedger {
  /// Books a failure that `record` shows.
  public func fail(
    _ record: TraceRecord, clause: String? = nil, unless unsaid: [UnsaidWords] = [],
    expected: @autoclosure () -> String, actual: @autoclosure () -> String
  ) {
    fail(
      at: record.instant, device: record.device, record: record.sequence, clause: clause, unless: unsaid,
      expected: expected(), actual: actual())
  }
}
