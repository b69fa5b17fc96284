import BluetoothWire

/// Reads the value that a condition compares a field with: what the field can never be is refused.
struct ConditionBound {
  private let comparison: EventForm.Condition.Comparison
  private let field: ProtocolForm.Field
  private let isLength: Bool

  init(_ comparison: EventForm.Condition.Comparison, _ field: ProtocolForm.Field, isLength: Bool = false) {
    self.comparison = comparison
    self.field = field
    self.isLength = isLength
  }

  /// The value as fields are written.
  /// - Throws: what the field is, and so what can be written.
  func text(_ bound: String) throws(TypeReader.Refusal) -> String {
    if isLength {
      switch field.kind {
      case .text, .octets, .list, .map: break
      case .integer, .number, .decimal, .flag, .checksum:
        throw TypeReader.Refusal(message: "“\(field.name)” is one value and has no length; write \(field.name) alone")
      }
      guard let length = TypeReader.number(bound), length >= 0 else {
        throw refusal(bound, "a length; write a whole number")
      }
      try check(length)
      return String(length)
    }
    switch comparison {
    case .equal, .notEqual:
      let text = try same(bound, field.kind, field.range)
      if comparison == .equal, let constant = field.constant, constant.text != text {
        throw refusal(bound, "always \(constant.text)")
      }
      return text
    case .has, .lacks:
      switch field.kind {
      case .list(let element, _): return try same(bound, element)
      case .text, .map, .octets: return bound
      case .integer, .number, .decimal, .flag, .checksum:
        throw TypeReader.Refusal(
          message: "“\(field.name)” is one value; “\(comparison.rawValue)” is for lists, maps and texts, so write =")
      }
    case .less, .more, .atMost, .atLeast:
      switch field.kind {
      case .integer, .number, .checksum, .decimal:
        let text = try same(bound, field.kind, .min ... .max)
        if let number = Int64(text) { try check(number) }
        return text
      case .text, .octets, .list:
        throw TypeReader.Refusal(
          message: "“\(field.name)” is no number, so nothing is \(comparison.rawValue) it; "
            + "write \(field.name).length \(comparison.rawValue) \(bound) for its length")
      case .flag, .map: throw TypeReader.Refusal(message: "“\(field.name)” is no number; write = or !=")
      }
    }
  }

  /// The numbers that the field, or its length, can be; nil: it is none.
  private var numbers: ClosedRange<Int64>? {
    if isLength { return field.range ?? 0...(.max) }
    return switch field.kind {
    case .integer(let form): field.range ?? form.range
    case .number, .checksum: field.range ?? (.min ... .max)
    case .decimal, .flag, .text, .octets, .list, .map: nil
    }
  }

  /// The least and the greatest number of those for which the comparison can hold; the greatest is less where there is
  /// none. Nil: it says nothing of that.
  func span(_ bound: Int64) -> (least: Int64, greatest: Int64)? {
    guard let numbers else { return nil }
    let (low, high) = (numbers.lowerBound, numbers.upperBound)
    return switch comparison {
    case .equal: (max(low, bound), min(high, bound))
    case .less: (low, bound == .min ? .min : min(high, bound - 1))
    case .atMost: (low, min(high, bound))
    case .more: (bound == .max ? .max : max(low, bound + 1), high)
    case .atLeast: (max(low, bound), high)
    case .notEqual, .has, .lacks: nil
    }
  }

  /// - Throws: what always holds, and what never does.
  private func check(_ bound: Int64) throws(TypeReader.Refusal) {
    guard let numbers, let span = span(bound) else { return }
    let isAlways = span == (numbers.lowerBound, numbers.upperBound) && comparison != .equal
    if span.least <= span.greatest, !isAlways { return }
    throw TypeReader.Refusal(
      message: "“\(field.name)\(isLength ? ".length" : "")” is \(Self.words(numbers)), so it is "
        + "\(isAlways ? "always" : "never") \(comparison.rawValue) \(bound)")
  }

  private static func words(_ range: ClosedRange<Int64>) -> String {
    range.upperBound == .max ? "\(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
  }

  /// - Parameter range: of a number; nil: what its octets can hold.
  private func same(
    _ bound: String, _ kind: ProtocolForm.Field.Kind, _ range: ClosedRange<Int64>? = nil
  ) throws(TypeReader.Refusal) -> String {
    switch kind {
    case .integer(let form):
      let range = range ?? form.range
      guard let number = TypeReader.number(bound), range.contains(number) else {
        throw refusal(bound, range == .min ... .max ? "a number" : "a number \(Self.words(range))")
      }
      return String(number)
    case .number, .checksum:
      guard let number = TypeReader.number(bound) else { throw refusal(bound, "a whole number") }
      return String(number)
    case .decimal:
      guard DecimalText.millionths(bound) != nil else { throw refusal(bound, "a number") }
      return bound
    case .flag:
      switch bound {
      case "yes", "true": return "yes"
      case "no", "false": return "no"
      default: throw refusal(bound, "yes or no")
      }
    case .octets:
      if bound == FieldValue.octets([]).text { return bound }
      guard let octets = [UInt8](hexadecimalDigits: bound) else { throw refusal(bound, "pairs of hexadecimal digits") }
      return FieldValue.octets(octets).text
    case .text, .list, .map: return bound
    }
  }

  private func refusal(_ bound: String, _ kind: String) -> TypeReader.Refusal {
    TypeReader.Refusal(message: "“\(field.name)” cannot be compared with “\(bound)”; it is \(kind)")
  }
}

extension ProtocolForm.Word {
  /// Its values, as conditions compare them.
  var fields: [ProtocolForm.Field] { values.map { ProtocolForm.Field(name: $0.name, kind: $0.type.kind) } }
}

extension ProtocolForm.ValueType {
  var kind: ProtocolForm.Field.Kind {
    switch self {
    case .text: .text(.rest)
    case .number: .number
    case .flag: .flag
    case .octets: .octets(.rest)
    }
  }
}

extension ProtocolForm.Field {
  /// What advertising and scans name.
  static let services = ProtocolForm.Field(
    name: "services", kind: .list(of: .text(.rest), count: .rest), isServices: true)
}
