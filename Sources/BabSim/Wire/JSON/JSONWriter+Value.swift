extension JSONWriter {
  /// A carried value. A literal that is not a JSON number, `true` or `false` is written as a string.
  mutating func value(_ value: JSONValue) {
    switch value {
    case .null: raw("null")
    case .literal(let text): if JSONValue.isLiteral(text) { word(text) } else { string(text) }
    case .string(let text): string(text)
    case .array(let elements):
      octet(0x5B)
      for index in elements.indices {
        if index > 0 { octet(0x2C) }
        self.value(elements[index])
      }
      octet(0x5D)
    case .object(let members):
      octet(0x7B)
      for index in members.entries.indices {
        if index > 0 { octet(0x2C) }
        string(members.entries[index].key)
        octet(0x3A)
        self.value(members.entries[index].value)
      }
      octet(0x7D)
    }
  }
}

extension JSONValue {
  /// Whether `text` may stand without quotes in JSON (RFC 8259): `true`, `false` or a number.
  static func isLiteral(_ text: String) -> Bool {
    if text == "true" || text == "false" { return true }
    var rest = text.utf8[...]
    func digits() -> Int {
      var count = 0
      while let first = rest.first, (0x30...0x39).contains(first) {
        rest.removeFirst()
        count += 1
      }
      return count
    }
    if rest.first == 0x2D { rest.removeFirst() }
    let startsWithZero = rest.first == 0x30
    let integer = digits()
    if integer == 0 || (startsWithZero && integer > 1) { return false }
    if rest.first == 0x2E {
      rest.removeFirst()
      if digits() == 0 { return false }
    }
    if rest.first == 0x65 || rest.first == 0x45 {
      rest.removeFirst()
      if rest.first == 0x2B || rest.first == 0x2D { rest.removeFirst() }
      if digits() == 0 { return false }
    }
    return rest.isEmpty
  }
}
