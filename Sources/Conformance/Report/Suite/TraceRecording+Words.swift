import Bench

extension TraceRecording {
  /// A record for people; nil after the end.
  public func text(at index: Int) -> String? {
    guard records.indices.contains(index) else { return nil }
    let record = records[index]
    let device = names.indices.contains(record.device) ? names[record.device] : "world"
    let words =
      switch record.event {
      case .input(let input): EventWords.of(input)
      case .effect(let effect): EventWords.of(effect)
      default: "\(record.event)"
      }
    return "\(record.instant) s, \(device): \(words)"
  }
}
