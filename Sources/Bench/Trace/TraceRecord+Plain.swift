import AppSeam

extension TraceRecord {
  /// Whether `plain` is the record itself.
  public var isPlain: Bool {
    switch event {
    case .input(.gatt), .effect(.gatt), .input(.gap), .effect(.gap): false
    default: true
    }
  }

  /// With what it says of single attributes and whole advertisements in words that every app has, which are all that
  /// judges, measures and stories know.
  public var plain: TraceRecord {
    switch event {
    case .input(let input):
      switch input {
      case .gatt, .gap: return with(.input(input.plain))
      default: return self
      }
    case .effect(let effect):
      switch effect {
      case .gatt, .gap: return with(.effect(effect.plain))
      default: return self
      }
    default: return self
    }
  }

  private func with(_ event: TraceEvent) -> TraceRecord {
    var record = self
    record.event = event
    return record
  }
}
