import BluetoothWire

/// A JSON text as it was written: the order of keys, the escapes and the digits are kept.
///
/// Spec: RFC 8259. Made for judging what an implementation wrote, so it is no part of the engines' own reader: what
/// RFC 8259 refuses is refused here, except bare words (`NaN`), which are kept so that a judge can name them.
package indirect enum WireText: Hashable {
  package struct Member: Hashable {
    /// As it stands between the quotes.
    package var key: String
    package var value: WireText
    package init(_ key: String, _ value: WireText) {
      self.key = key
      self.value = value
    }
  }

  case object([Member])
  case array([WireText])
  /// As it stands between the quotes.
  case string(String)
  case number(String)
  /// `true`, `false`, `null`, or a word that is no JSON.
  case word(String)

  package struct Refusal: Error, Hashable {
    package var reason: String
    package var offset: Int
  }

  /// A text and what is remarkable about it beyond its value.
  package struct Parsed: Hashable {
    package var value: WireText
    /// White space stands between tokens.
    package var hasSpace: Bool
    /// Nothing but what RFC 8259 allows.
    package var isStrict: Bool
  }

  /// Nesting that is read; no packet of the protocol is nested deeper than 8.
  package static let nesting = 256

  package static func parse(_ octets: [UInt8]) throws(Refusal) -> Parsed {
    guard String(validating: octets, as: UTF8.self) != nil else { throw Refusal(reason: "not UTF-8", offset: 0) }
    var reader = WireTextReader(octets)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    guard reader.isAtEnd else { throw Refusal(reason: "octets after the value", offset: reader.offset) }
    return Parsed(value: value, hasSpace: reader.hasSpace, isStrict: reader.isStrict)
  }

  /// Whether octets are JSON in the sense of RFC 8259, nested at most `nesting` deep.
  package static func isJSON(_ octets: [UInt8]) -> Bool { (try? parse(octets))?.isStrict ?? false }

  // MARK: Parts

  package var members: [Member] { if case .object(let members) = self { members } else { [] } }

  /// The value of a key; the last one if it stands there twice.
  package subscript(key: String) -> WireText? { members.last { $0.key == key }?.value }

  /// A string's text, its escapes undone; nil for anything else.
  package var text: String? { if case .string(let raw) = self { WireText.unescaped(raw) } else { nil } }

  // MARK: Writing

  /// Without white space.
  package var octets: [UInt8] { Array(written.utf8) }

  private var written: String {
    switch self {
    case .object(let members):
      "{" + members.map { "\"" + $0.key + "\":" + $0.value.written }.joined(separator: ",") + "}"
    case .array(let items): "[" + items.map(\.written).joined(separator: ",") + "]"
    case .string(let raw): "\"" + raw + "\""
    case .number(let text), .word(let text): text
    }
  }

  /// The value with a change made to every value in it, inner ones first.
  package func mapped(_ change: (WireText) -> WireText) -> WireText {
    switch self {
    case .object(let members): change(.object(members.map { Member($0.key, $0.value.mapped(change)) }))
    case .array(let items): change(.array(items.map { $0.mapped(change) }))
    default: change(self)
    }
  }

  /// The value with a change made to the objects that stand under a key, anywhere.
  package func changing(under key: String, _ change: (WireText) -> WireText) -> WireText {
    mapped { value in
      guard case .object(let members) = value else { return value }
      return .object(members.map { $0.key == key ? Member(key, change($0.value)) : $0 })
    }
  }

  // MARK: Strings

  /// A string's text between quotes, with the escapes that RFC 8259 demands and no others.
  package static func escaped(_ text: String) -> String {
    var raw = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": raw += "\\\""
      case "\\": raw += "\\\\"
      case "\u{8}": raw += "\\b"
      case "\t": raw += "\\t"
      case "\n": raw += "\\n"
      case "\u{C}": raw += "\\f"
      case "\r": raw += "\\r"
      case "\u{0}"..<"\u{20}": raw += "\\u00" + String(hexadecimal: scalar.value, digits: 2)
      default: raw.unicodeScalars.append(scalar)
      }
    }
    return raw
  }

  /// What stands between quotes, its escapes undone; a surrogate without its partner becomes U+FFFD.
  package static func unescaped(_ raw: String) -> String {
    guard raw.utf8.contains(0x5C) else { return raw }
    var units: [UInt16] = []
    var rest = Array(raw.utf16)[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5C, let kind = rest.popFirst() else {
        units.append(unit)
        continue
      }
      switch kind {
      case 0x62: units.append(8)
      case 0x74: units.append(9)
      case 0x6E: units.append(10)
      case 0x66: units.append(12)
      case 0x72: units.append(13)
      case 0x75:
        units.append(UInt16(String(decoding: rest.prefix(4), as: UTF16.self), radix: 16) ?? 0xFFFD)
        rest = rest.dropFirst(4)
      default: units.append(kind)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}

/// The reading side of `WireText`.
private struct WireTextReader {
  private let octets: [UInt8]
  private(set) var offset = 0
  private(set) var hasSpace = false
  private(set) var isStrict = true

  init(_ octets: [UInt8]) { self.octets = octets }

  var isAtEnd: Bool { offset == octets.count }

  private var next: UInt8? { offset < octets.count ? octets[offset] : nil }

  mutating func skipSpace() {
    while let octet = next, octet == 0x20 || octet == 0x09 || octet == 0x0A || octet == 0x0D {
      hasSpace = true
      offset += 1
    }
  }

  private func refusal(_ reason: String) -> WireText.Refusal { WireText.Refusal(reason: reason, offset: offset) }

  private mutating func take(_ character: Unicode.Scalar) throws(WireText.Refusal) {
    skipSpace()
    guard next == UInt8(ascii: character) else { throw refusal("expected \(character)") }
    offset += 1
  }

  /// Whether that character comes next, which is then taken.
  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard next == UInt8(ascii: character) else { return false }
    offset += 1
    return true
  }

  mutating func value(depth: Int) throws(WireText.Refusal) -> WireText {
    guard depth < WireText.nesting else { throw refusal("nested too deep") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return .object(try members(depth: depth))
    case UInt8(ascii: "["): return .array(try items(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case nil: throw refusal("expected a value")
    default: return try word()
    }
  }

  private mutating func members(depth: Int) throws(WireText.Refusal) -> [WireText.Member] {
    try take("{")
    var members: [WireText.Member] = []
    if takes("}") { return members }
    repeat {
      skipSpace()
      let key = try string()
      try take(":")
      members.append(WireText.Member(key, try value(depth: depth + 1)))
    } while takes(",")
    try take("}")
    return members
  }

  private mutating func items(depth: Int) throws(WireText.Refusal) -> [WireText] {
    try take("[")
    var items: [WireText] = []
    if takes("]") { return items }
    repeat { items.append(try value(depth: depth + 1)) } while takes(",")
    try take("]")
    return items
  }

  private mutating func string() throws(WireText.Refusal) -> String {
    guard next == UInt8(ascii: "\"") else { throw refusal("expected a string") }
    offset += 1
    let start = offset
    while let octet = next, octet != UInt8(ascii: "\"") {
      guard octet >= 0x20 else { throw refusal("a control character in a string") }
      offset += 1
      if octet == UInt8(ascii: "\\") { try escape() }
    }
    guard !isAtEnd else { throw refusal("a string without end") }
    defer { offset += 1 }
    return String(decoding: octets[start..<offset], as: UTF8.self)
  }

  private mutating func escape() throws(WireText.Refusal) {
    guard let kind = next else { throw refusal("a string without end") }
    offset += 1
    if kind == UInt8(ascii: "u") {
      for _ in 0..<4 {
        guard let digit = next, Character(Unicode.Scalar(digit)).isHexDigit else { throw refusal("invalid escape") }
        offset += 1
      }
    } else if !"\"\\/bfnrt".utf8.contains(kind) {
      throw refusal("invalid escape")
    }
  }

  private mutating func word() throws(WireText.Refusal) -> WireText {
    let start = offset
    while let octet = next, !" \t\r\n,:[]{}\"\\".utf8.contains(octet) { offset += 1 }
    guard offset > start else { throw refusal("expected a value") }
    let text = String(decoding: octets[start..<offset], as: UTF8.self)
    if WireTextReader.isNumber(text) { return .number(text) }
    if text != "true", text != "false", text != "null" { isStrict = false }
    return .word(text)
  }

  /// RFC 8259, section 6.
  private static func isNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func digits(_ rest: inout Substring.UTF8View) -> Int {
      let count = rest.prefix { 0x30...0x39 ~= $0 }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let whole = digits(&rest)
    guard whole > 0, !startsWithZero || whole == 1 else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard digits(&rest) > 0 else { return false }
    }
    if let mark = rest.first, mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") {
      rest = rest.dropFirst()
      if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { rest = rest.dropFirst() }
      guard digits(&rest) > 0 else { return false }
    }
    return rest.isEmpty
  }
}
