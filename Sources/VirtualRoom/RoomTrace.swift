import AppSeam
import Bench

/// Keeps what phones of a room remark.
final class RoomTrace: TraceReader {
  private(set) var remarks: [(device: Int, remark: RoomRemark)] = []

  func begin(_ header: TraceHeader) {}
  func end(_ outcome: RunOutcome) {}

  func read(_ record: TraceRecord) {
    guard case .report(let report) = record.event else { return }
    if case .remark(let kind, let id, let text)? = report.among(CallWord.self) {
      remarks.append((record.device, RoomRemark(kind: kind, name: id, text: text, at: record.instant)))
    }
  }
}
