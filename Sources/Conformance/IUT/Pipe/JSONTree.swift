/// A JSON text (RFC 8259) as a tree: what the other side of a pipe said, before it is asked what it means.
///
/// Strict, unlike the reader of packets: here both sides are ours to specify. Total: every octet string is a tree or a
/// refusal with an offset, in time and space bounded by its length.
package enum JSONTree: Hashable, Sendable {
  case null
  case boolean(Bool)
  /// A number without fraction and exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number, as it was written.
  case number(String)
  case text(String)
  case list([JSONTree])
  case object([Member])

  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSONTree
  }

  package struct Refusal: Error, Hashable {
    package var offset: Int
    package var reason: String
  }

  /// Deeper than any message goes.
  package static let depthLimit = 16

  package init(_ octets: [UInt8]) throws(Refusal) {
    var reader = JSONTreeReader(octets)
    self = try reader.document()
  }

  /// A member of an object; nil: there is none, or this is no object.
  package func member(_ name: String) -> JSONTree? {
    members.first { $0.name == name }?.value
  }

  /// Those of an object; empty: it is none.
  package var members: [Member] { if case .object(let members) = self { members } else { [] } }

  /// Those of a list; empty: it is none.
  package var items: [JSONTree] { if case .list(let items) = self { items } else { [] } }

  /// Nil: it is no whole number of 64 bits.
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// Nil: it is no text.
  package var text: String? { if case .text(let text) = self { text } else { nil } }

  /// What kind of value it is, for messages.
  package var kindName: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer: "a whole number"
    case .number: "a number that is not whole or too large"
    case .text: "a text"
    case .list: "a list"
    case .object: "an object"
    }
  }
}

private struct JSONTreeReader {
  let octets: [UInt8]
  var position = 0

  init(_ octets: [UInt8]) { self.octets = octets }

  private var next: UInt8? { position < octets.count ? octets[position] : nil }

  private func refusal(_ reason: String) -> JSONTree.Refusal {
    JSONTree.Refusal(offset: position, reason: position < octets.count ? reason : "the text ends too early")
  }

  private mutating func skipSpaces() {
    while let octet = next, octet == 0x20 || octet == 0x09 || octet == 0x0D || octet == 0x0A { position += 1 }
  }

  private mutating func take(_ octet: UInt8) -> Bool {
    skipSpaces()
    guard next == octet else { return false }
    position += 1
    return true
  }

  mutating func document() throws(JSONTree.Refusal) -> JSONTree {
    let tree = try value(depth: 0)
    skipSpaces()
    guard position == octets.count else { throw refusal("something follows the JSON value") }
    return tree
  }

  private mutating func value(depth: Int) throws(JSONTree.Refusal) -> JSONTree {
    skipSpaces()
    guard let octet = next else { throw refusal("") }
    guard depth < JSONTree.depthLimit else { throw refusal("nested deeper than \(JSONTree.depthLimit) levels") }
    switch octet {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try list(depth: depth)
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw refusal("no JSON value begins here")
    }
  }

  private mutating func word(_ word: StaticString, _ tree: JSONTree) throws(JSONTree.Refusal) -> JSONTree {
    for index in 0..<word.utf8CodeUnitCount {
      guard next == word.utf8Start[index] else { throw refusal("no JSON value begins here") }
      position += 1
    }
    return tree
  }

  private mutating func object(depth: Int) throws(JSONTree.Refusal) -> JSONTree {
    position += 1
    var members: [JSONTree.Member] = []
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpaces()
      guard next == UInt8(ascii: "\"") else { throw refusal("a member's name in quotes is needed here") }
      let start = position
      let name = try text()
      if members.contains(where: { $0.name == name }) {
        position = start
        throw refusal("the member \"\(name)\" stands here for the second time")
      }
      guard take(UInt8(ascii: ":")) else { throw refusal("a colon is needed here") }
      members.append(JSONTree.Member(name: name, value: try value(depth: depth + 1)))
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")) else { throw refusal("a comma or } is needed here") }
    return .object(members)
  }

  private mutating func list(depth: Int) throws(JSONTree.Refusal) -> JSONTree {
    position += 1
    var items: [JSONTree] = []
    if take(UInt8(ascii: "]")) { return .list(items) }
    repeat { items.append(try value(depth: depth + 1)) } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw refusal("a comma or ] is needed here") }
    return .list(items)
  }

  private mutating func number() throws(JSONTree.Refusal) -> JSONTree {
    let start = position
    var isWhole = true
    if next == UInt8(ascii: "-") { position += 1 }
    let first = next
    guard digits() > 0 else { throw refusal("a digit is needed here") }
    if first == UInt8(ascii: "0"), let second = octetAfterSign(start), Self.isDigit(second) {
      position = start
      throw refusal("a number must not begin with 0")
    }
    if next == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      guard digits() > 0 else { throw refusal("a digit is needed here") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      guard digits() > 0 else { throw refusal("a digit is needed here") }
    }
    if isWhole, position - start <= 18, octets[start] != UInt8(ascii: "-") {
      return .integer(octets[start..<position].reduce(0) { $0 * 10 + Int64($1 - 0x30) })
    }
    let text = String(decoding: octets[start..<position], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    return .number(text)
  }

  /// The second digit of the number that begins at `start`.
  private func octetAfterSign(_ start: Int) -> UInt8? {
    let second = octets[start] == UInt8(ascii: "-") ? start + 2 : start + 1
    return second < position ? octets[second] : nil
  }

  private static func isDigit(_ octet: UInt8) -> Bool { octet >= 0x30 && octet <= 0x39 }

  private mutating func digits() -> Int {
    let start = position
    while let octet = next, Self.isDigit(octet) { position += 1 }
    return position - start
  }

  // MARK: Text

  private mutating func text() throws(JSONTree.Refusal) -> String {
    position += 1
    let start = position
    var all: UInt8 = 0
    while let octet = next, octet != UInt8(ascii: "\""), octet != UInt8(ascii: "\\"), octet >= 0x20 {
      all |= octet
      position += 1
    }
    if next == UInt8(ascii: "\"") {
      position += 1
      // ASCII is always valid, and need not be looked at again.
      if all < 0x80 { return String(decoding: octets[start..<position - 1], as: UTF8.self) }
      return try string(octets[start..<position - 1], at: start)
    }
    var decoded = Array(octets[start..<position])
    while let octet = next {
      if octet == UInt8(ascii: "\"") {
        position += 1
        return try string(decoded[...], at: start)
      }
      if octet == UInt8(ascii: "\\") {
        try escape(into: &decoded)
      } else if octet < 0x20 {
        throw refusal("a control character must be written as an escape")
      } else {
        decoded.append(octet)
        position += 1
      }
    }
    throw refusal("")
  }

  private func string(_ octets: ArraySlice<UInt8>, at start: Int) throws(JSONTree.Refusal) -> String {
    guard let text = String(validating: octets, as: UTF8.self) else {
      throw JSONTree.Refusal(offset: start, reason: "the text that begins here is not UTF-8")
    }
    return text
  }

  private mutating func escape(into decoded: inout [UInt8]) throws(JSONTree.Refusal) {
    position += 1
    guard let octet = next else { throw refusal("") }
    position += 1
    switch octet {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(octet)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"): decoded.append(contentsOf: String(Character(try scalar())).utf8)
    default:
      position -= 2
      throw refusal("no such escape")
    }
  }

  /// The scalar of the `\u` that has just been read, with its second half; a half alone is U+FFFD.
  private mutating func scalar() throws(JSONTree.Refusal) -> Unicode.Scalar {
    let unit = try codeUnit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, next == UInt8(ascii: "\\"), position + 1 < octets.count,
      octets[position + 1] == UInt8(ascii: "u")
    else { return "\u{FFFD}" }
    let start = position
    position += 2
    let low = try codeUnit()
    guard low & 0xFC00 == 0xDC00 else {
      position = start
      return "\u{FFFD}"
    }
    return Unicode.Scalar(0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)) ?? "\u{FFFD}"
  }

  private mutating func codeUnit() throws(JSONTree.Refusal) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let octet = next, let digit = JSONTree.hexadecimalDigit(octet) else {
        throw refusal("four hexadecimal digits are needed here")
      }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}

extension JSONTree {
  static func hexadecimalDigit(_ octet: UInt8) -> UInt8? {
    switch octet {
    case 0x30...0x39: octet - 0x30
    case 0x41...0x46: octet - 0x37
    case 0x61...0x66: octet - 0x57
    default: nil
    }
  }
}
