import AppSeam
import Bench
import VirtualApp

/// Keeps what phones of a room remark.
final class RoomTrace: TraceReader {
  private(set) var remarks: [(device: Int, remark: RoomRemark)] = []

  func begin(_ header: TraceHeader) {}
  func end(_ outcome: RunOutcome) {}

  func read(_ record: TraceRecord) {
    guard case .report(let report) = record.event, let word = report.among(PhoneWord.self) else { return }
    switch word {
    case .remark(let kind, let name, let text):
      remarks.append((record.device, RoomRemark(kind: kind, name: name, text: text, at: record.instant)))
    case .notVirtual(let text):
      remarks.append((record.device, RoomRemark(kind: "notVirtual", name: "", text: text, at: record.instant)))
    case .stopped: break
    }
  }
}
