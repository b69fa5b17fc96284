import AppSeam
import Bench
import Conformance
import SimKernel

/// Calls of CoreBluetooth and what came back, as records of a run have them.
struct CallLane: Sendable {
  private(set) var calls: [RunTimeline.Call] = []

  /// - Parameter addresses: of the run's devices, for the peers that calls are about.
  mutating func read(_ word: CallWord, _ record: TraceRecord, _ addresses: [String]) {
    let kind: RunTimeline.Call.Kind =
      switch word {
      case .call: .call
      case .callback: .callback
      case .remark: .remark
      }
    calls.append(
      RunTimeline.Call(
        kind: kind, lane: record.device, at: record.instant, text: word.text,
        peer: word.peer.flatMap(addresses.firstIndex) ?? -1, isBad: word.isTrouble, record: record.sequence))
  }

  /// A line of `trace.jsonl`; nil: it is no such report. Arguments of a log are one text, without the names of
  /// parameters.
  static func call(_ line: RunLog.Line, _ addresses: [String]) -> RunTimeline.Call? {
    guard line.kind == "report", line.device >= 0 else { return nil }
    var call = RunTimeline.Call(kind: .call, lane: line.device, at: line.instant, text: "", record: line.record)
    switch line.name {
    case "call" where line.fields.contains { $0.name == "method" }, "callback":
      call.kind = line.name == "call" ? .call : .callback
      call.text = line.value("method")
      if !line.value("arguments").isEmpty { call.text += ": " + line.value("arguments") }
      let result = line.fields.first { $0.name == "result" && $0.isText }
      if let result { call.text += " → \(result.text)" }
      call.peer = addresses.firstIndex(of: line.value("peer")) ?? -1
      call.isBad = CallWord.tellsError(line.value("arguments"))
    case "remark" where line.fields.count == 3:
      call.kind = .remark
      call.text = CallWord.remark(kind: line.value("kind"), id: line.value("id"), text: line.value("text")).text
      call.isBad = ["misuse", "exception"].contains(line.value("kind"))
    default: return nil
    }
    return call
  }
}
