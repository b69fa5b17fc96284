import AppSeam

extension TraceRecord {
  /// Whether `plain` is the record itself.
  public var isPlain: Bool {
    switch event {
    case .input(.gatt), .effect(.gatt): false
    default: true
    }
  }

  /// With what it says of single attributes in words by type, which are all that judges, measures and stories know.
  public var plain: TraceRecord {
    switch event {
    case .input(let input):
      guard case .gatt = input else { return self }
      return with(.input(input.plain))
    case .effect(let effect):
      guard case .gatt = effect else { return self }
      return with(.effect(effect.plain))
    default: return self
    }
  }

  private func with(_ event: TraceEvent) -> TraceRecord {
    var record = self
    record.event = event
    return record
  }
}
