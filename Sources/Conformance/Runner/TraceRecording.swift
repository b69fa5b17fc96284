public import Bench

/// Keeps a whole trace in memory, to compare it with another one.
public final class TraceRecording: TraceReader {
  private let wantsRadio: Bool
  /// The devices.
  private(set) var names: [String] = []
  public private(set) var records: [TraceRecord] = []

  /// - Parameter wantsRadio: also the air and the HCI seams.
  public init(wantsRadio: Bool = false) { self.wantsRadio = wantsRadio }

  public var wantsAir: Bool { wantsRadio }
  public var wantsHCI: Bool { wantsRadio }
  public func begin(_ header: TraceHeader) { names = header.devices.map(\.name) }

  public func read(_ record: TraceRecord) {
    // Another reader may have asked for the radio, or for packets.
    if !record.event.counts, !wantsRadio { return }
    assert(records.last.map { $0.sequence <= record.sequence } ?? true, "records are in order")
    records.append(record)
  }

  /// The index of the first record in which two runs differ; the length of the shorter one when it only ends before;
  /// nil when they are the same. Sequence numbers do not count.
  public func firstDifference(from other: TraceRecording) -> Int? {
    let common = min(records.count, other.records.count)
    let index = (0..<common).first { !records[$0].shows(the: other.records[$0]) } ?? common
    return index < max(records.count, other.records.count) ? index : nil
  }

  /// The index of the record with a number of the trace.
  public func index(ofRecord sequence: Int) -> Int? {
    // Numbers only grow; where the radio was recorded too, there are gaps.
    var (low, high) = (0, records.count)
    while low < high {
      let middle = (low + high) / 2
      if records[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low < records.count && records[low].sequence == sequence ? low : nil
  }
}

extension TraceRecord {
  fileprivate func shows(the other: TraceRecord) -> Bool {
    instant == other.instant && device == other.device && event == other.event
  }
}
