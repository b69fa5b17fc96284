import AppSeam
import Bench
import Conformance
import SimKernel

/// Calls of CoreBluetooth that asked for something, and callbacks that told of it, where an app uses it.
extension StoryTeller {
  /// The call that asked for what a packet carried, and the callback by which the other end was told of it.
  func calls(of packet: Chart.Packet) -> (before: [StoryEvent], after: [StoryEvent]) {
    let records = packet.records.compactMap(run.record)
    let sent = records.first { record in
      if case .effect = record.event { record.device == packet.from } else { false }
    }
    let received = records.last { record in
      if case .input = record.event { record.device == packet.to } else { false }
    }
    return (
      [sent.flatMap(call(for:))].compactMap { $0.map(event) },
      [received.flatMap(callback(for:))].compactMap { $0.map(event) }
    )
  }

  private func event(_ record: TraceRecord) -> StoryEvent {
    StoryEvent(
      record.instant, "\(run.header.name(of: record.device)): \(words.text(record.event))", record: record.sequence)
  }

  /// The call that a record comes from. What carries a value comes from the newest call that was given it, which may
  /// have waited in a queue; everything else from the call before it, after the newest input.
  func call(for record: TraceRecord) -> TraceRecord? {
    let octets: [UInt8]? =
      switch record.event {
      case .effect(.write(_, _, let octets)), .effect(.writeWithoutResponse(_, _, let octets)): octets
      case .effect(.notify(_, _, let octets)): octets
      default: nil
      }
    for other in run.records(before: record.sequence) where other.device == record.device {
      if case .input = other.event, octets == nil { return nil }
      guard case .report(let report) = other.event, let word = report.among(CallWord.self) else { continue }
      switch word {
      case .call: if octets.map(word.gives) ?? true { return other }
      case .callback: if octets == nil { return nil }
      case .remark: break
      }
    }
    return nil
  }

  /// The first callback that an input led to, at once.
  func callback(for record: TraceRecord) -> TraceRecord? {
    for other in run.records(after: record.sequence) where other.device == record.device {
      if case .input = other.event { return nil }
      guard case .report(let report) = other.event, case .callback? = report.among(CallWord.self) else { continue }
      return other
    }
    return nil
  }

  // MARK: What happened

  /// Misuse with its call, and values for which there was no room.
  func incident(_ word: CallWord) -> String? {
    switch word {
    case .remark: word.isMisuse ? word.text : nil
    case .call(_, _, _, "false"?): "calls \(word.text)"
    case .call, .callback: nil
    }
  }

  /// What an incident comes from, or what came of it, as the app has it; nil: it does not use CoreBluetooth.
  func appSide(of record: TraceRecord) -> String? {
    switch record.event {
    case .report(let report):
      guard case .remark? = report.among(CallWord.self) else { return nil }
      return call(for: record).map { "it " + words.text($0.event) }
    case .input: return callback(for: record).map { "it " + words.text($0.event) }
    default: return nil
    }
  }
}
