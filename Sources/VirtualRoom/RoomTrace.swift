import AppSeam
import Bench

/// Keeps what phones of a room remark, and what became of expectations.
final class RoomTrace: TraceReader {
  private(set) var remarks: [(device: Int, remark: RoomRemark)] = []
  private(set) var expectations: [RoomResult.Expectation] = []

  func read(_ record: TraceRecord) {
    switch record.event {
    case .report(let report):
      if case .remark(let kind, let id, let text)? = report.among(CallWord.self) {
        remarks.append((record.device, RoomRemark(kind: kind, name: id, text: text, at: record.instant)))
      }
    case .expectation(let text, let holds, let detail, let place):
      expectations.append(
        RoomResult.Expectation(text: text, holds: holds, detail: detail, line: place.line, at: record.instant))
    default: break
    }
  }
}
