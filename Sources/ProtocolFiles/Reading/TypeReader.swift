import BluetoothWire
import SimKernel

/// Reads the words that say what a field is: `u16 be 1..20 when flags & 1`.
///
/// One reading of one text; the first thing that is wrong is told, with what could be written instead.
struct TypeReader {
  struct Refusal: Error {
    var message: String
  }

  private var words: [String]
  private let isBigEndian: Bool
  /// Fields that a checksum may cover.
  private var before: [String] = []

  init(_ text: String, isBigEndian: Bool) {
    words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    self.isBigEndian = isBigEndian
  }

  static let integers = ["u8", "u16", "u24", "u32", "u40", "u48", "u64", "i8", "i16", "i24", "i32", "i64"]
  private static let kinds =
    integers + ["text", "octets", "list of"] + ProtocolForm.Field.Checksum.allCases.map(\.rawValue)

  // MARK: Fields

  /// - Parameters:
  ///   - earlier: the numbers that stand before the field, by name.
  ///   - before: all fields before it, in their order.
  static func binary(
    _ name: String, _ text: String, earlier: [String], before: [String] = [], isBigEndian: Bool
  ) throws(Refusal) -> ProtocolForm.Field {
    var reader = TypeReader(text, isBigEndian: isBigEndian)
    reader.before = before
    let kind = try reader.kind(earlier)
    var field = ProtocolForm.Field(name: name, kind: kind)
    try reader.rest(of: &field, earlier)
    return field
  }

  static func json(_ name: String, _ text: String) throws(Refusal) -> ProtocolForm.Field {
    var reader = TypeReader(text, isBigEndian: true)
    var field = ProtocolForm.Field(name: name, kind: try reader.jsonKind())
    if reader.take("optional") { field.presence = ProtocolForm.Field.Presence(field: "") }
    var path = name
    // After “=” comes the value, which may be any text.
    let end = reader.words.firstIndex(of: "=") ?? reader.words.count
    if let place = reader.words[..<end].firstIndex(of: "at"), place + 1 < end {
      path = reader.words[place + 1]
      reader.words.removeSubrange(place...(place + 1))
    }
    guard let members = ProtocolForm.Field.Member.path(path) else {
      throw Refusal(
        message: "“\(path)” is no member; write its name, or a path such as payload.id or players[].id, with one []")
    }
    field.path = members
    // What is in each entry of a list is a list.
    if members.contains(where: \.isList) { field.kind = .list(of: field.kind, count: .rest) }
    try reader.rest(of: &field, [])
    return field
  }

  private mutating func jsonKind() throws(Refusal) -> ProtocolForm.Field.Kind {
    let word = next() ?? ""
    switch word {
    case "text": return .text(.rest)
    case "number": return .number
    case "decimal": return .decimal
    case "map":
      try expect("of")
      return .map(of: try jsonKind())
    case "flag": return .flag
    case "octets": return .octets(.rest)
    case "list":
      try expect("of")
      return .list(of: try jsonKind(), count: .rest)
    default:
      throw Refusal(
        message:
          "no type of a JSON member is called “\(word)”; write text, number, decimal, flag, octets (as hexadecimal), list of … or map of …"
      )
    }
  }

  private mutating func kind(_ earlier: [String]) throws(Refusal) -> ProtocolForm.Field.Kind {
    let word = next() ?? ""
    if Self.integers.contains(word) { return .integer(integer(word)) }
    switch word {
    case "text": return .text(try extent(earlier))
    case "octets": return .octets(try extent(earlier))
    case "list":
      try expect("of")
      let element = try kind(earlier)
      if case .list = element { throw Refusal(message: "a list of lists cannot be said; write one field for each") }
      return .list(of: element, count: take("count") ? try extent(earlier) : .rest)
    default:
      if let sum = ProtocolForm.Field.Checksum(rawValue: word) {
        return .checksum(sum, try checkedInteger(), try span())
      }
      throw Refusal(
        message: "no type is called “\(word)”; write one of " + Self.kinds.joined(separator: ", "))
    }
  }

  private mutating func integer(_ word: String) -> IntegerForm {
    var form = IntegerForm(octets: (Int(word.dropFirst()) ?? 8) / 8, isSigned: word.first == "i")
    form.isBigEndian = isBigEndian
    if take("be") { form.isBigEndian = true } else if take("le") { form.isBigEndian = false }
    return form
  }

  private mutating func checkedInteger() throws(Refusal) -> IntegerForm {
    guard let word = next(), Self.integers.contains(word) else {
      throw Refusal(message: "after it comes the number that holds it, such as u8 or u16 be")
    }
    return integer(word)
  }

  private mutating func span() throws(Refusal) -> ProtocolForm.Field.Span {
    var span = ProtocolForm.Field.Span()
    if take("from") { span.from = try covered() }
    if take("to") { span.to = try covered() }
    if let from = span.from, let to = span.to, let first = before.firstIndex(of: from),
      let last = before.firstIndex(of: to), last < first
    {
      throw Refusal(message: "“\(to)” comes before “\(from)”; write from \(to) to \(from)")
    }
    return span
  }

  /// The name of a field, which may have spaces.
  private mutating func covered() throws(Refusal) -> String {
    for count in stride(from: words.count, to: 0, by: -1) {
      let name = words.prefix(count).joined(separator: " ")
      if before.contains(name) {
        words.removeFirst(count)
        return name
      }
    }
    throw Refusal(
      message: "“\(words.first ?? "")” is no field before this checksum"
        + (before.isEmpty ? "" : "; there are " + before.joined(separator: ", ")))
  }

  private mutating func extent(_ earlier: [String]) throws(Refusal) -> ProtocolForm.Field.Extent {
    guard let word = words.first else { return .rest }
    if earlier.contains(word) {
      words.removeFirst()
      return .field(word)
    }
    switch word {
    case "rest":
      words.removeFirst()
      return .rest
    case "until":
      words.removeFirst()
      try expect("0")
      return .zeroEnded
    case "length":
      words.removeFirst()
      return try extent(earlier)
    default: break
    }
    if Self.integers.contains(word) {
      words.removeFirst()
      return .prefix(integer(word))
    }
    if let count = Int(word) {
      words.removeFirst()
      guard (0...512).contains(count) else { throw Refusal(message: "\(count) is no length; write 0 to 512") }
      return .fixed(count)
    }
    return .rest
  }

  private mutating func rest(of field: inout ProtocolForm.Field, _ earlier: [String]) throws(Refusal) {
    while let word = next() {
      switch word {
      case "=": field.constant = try constant(field)
      case "when", "unless": field.presence = try presence(earlier, isNegated: word == "unless")
      default:
        guard let range = Self.range(word) else {
          throw Refusal(
            message:
              "“\(word)” cannot stand here; after a type come a length, “= value”, a range such as 1..20,"
              + " “when FIELD & 1”"
              + " or “unless FIELD & 1”"
              + (earlier.isEmpty ? "" : ", and a length may be one of " + earlier.joined(separator: ", ")))
        }
        field.range = range
      }
    }
  }

  private mutating func constant(_ field: ProtocolForm.Field) throws(Refusal) -> FieldValue {
    guard let word = next() else { throw Refusal(message: "after “=” comes a value") }
    switch field.kind {
    case .integer(let form):
      guard let number = Self.number(word), form.range.contains(number) else {
        throw Refusal(message: "“\(word)” is no number from \(form.range.lowerBound) to \(form.range.upperBound)")
      }
      return .number(number)
    case .number:
      guard let number = Self.number(word) else { throw Refusal(message: "“\(word)” is no whole number") }
      return .number(number)
    case .flag:
      guard ["yes", "no", "true", "false"].contains(word) else { throw Refusal(message: "“\(word)” is not yes or no") }
      return .flag(word == "yes" || word == "true")
    case .text:
      let text = ([word] + words).joined(separator: " ")
      words = []
      return .text(text)
    case .octets:
      guard let octets = [UInt8](hexadecimalDigits: word) else {
        throw Refusal(message: "“\(word)” is not an even number of hexadecimal digits")
      }
      return .octets(octets)
    case .decimal:
      guard let millionths = DecimalText.millionths(word) else { throw Refusal(message: "“\(word)” is no number") }
      return .decimal(millionths)
    case .list, .map, .checksum: throw Refusal(message: "a list, a map or a checksum has no “=”")
    }
  }

  private mutating func presence(
    _ earlier: [String], isNegated: Bool
  ) throws(Refusal) -> ProtocolForm.Field.Presence {
    let name = next() ?? ""
    guard earlier.contains(name) else {
      throw Refusal(
        message: "“\(name)” is no number before this field"
          + (earlier.isEmpty ? "" : "; there are " + earlier.joined(separator: ", ")))
    }
    var presence = ProtocolForm.Field.Presence(field: name, isNegated: isNegated)
    if take("&") { presence.mask = try number("after “&” comes a number, such as 0x01") }
    if take("=") { presence.value = try number("after “=” comes a number") }
    return presence
  }

  // MARK: Words

  private mutating func next() -> String? { words.isEmpty ? nil : words.removeFirst() }

  private mutating func take(_ word: String) -> Bool {
    guard words.first == word else { return false }
    words.removeFirst()
    return true
  }

  private mutating func expect(_ word: String) throws(Refusal) {
    guard take(word) else { throw Refusal(message: "“\(word)” is missing before “\(words.first ?? "the end")”") }
  }

  private mutating func number(_ message: String) throws(Refusal) -> Int64 {
    guard let word = next(), let number = Self.number(word) else { throw Refusal(message: message) }
    return number
  }

  /// Decimal, or hexadecimal after `0x`.
  static func number(_ text: some StringProtocol) -> Int64? {
    text.hasPrefix("0x") ? Int64(text.dropFirst(2), radix: 16) : Int64(text)
  }

  /// `1..20`.
  static func range(_ text: String) -> ClosedRange<Int64>? {
    guard let dots = text.firstRange(of: ".."), let low = number(text[..<dots.lowerBound]),
      let high = number(text[dots.upperBound...]), low <= high
    else { return nil }
    return low...high
  }
}
