/// Goes through a JSON text (RFC 8259) once, from the start to the end.
///
/// The text must be valid UTF-8. Every octet is looked at a bounded number of times (keys of one object are sorted),
/// and no more than a constant times the text is allocated.
struct JSONReader {
  let text: [UInt8]
  private(set) var place = 0

  init(_ text: [UInt8]) { self.text = text }

  /// A key as it is written, or as its escapes say.
  struct Key {
    fileprivate let range: Range<Int>
    fileprivate let decoded: [UInt8]?
  }

  /// A value, as far as packets need to know it.
  enum Scalar {
    case text(String)
    /// Where its digits are.
    case number(Range<Int>)
    case flag(Bool)
    /// null, an object or a list.
    case other
  }

  // MARK: Octets

  func refusal(_ reason: PacketRefusal.Reason) -> PacketRefusal { PacketRefusal(reason, at: place) }

  /// The octet at the place, 0 at the end: no token begins with it.
  var next: UInt8 { place < text.count ? text[place] : 0 }

  mutating func skipSpace() {
    while place < text.count, text[place] == 0x20 || text[place] == 0x0A || text[place] == 0x0D || text[place] == 0x09 {
      place += 1
    }
  }

  private mutating func take(_ octet: UInt8) throws(PacketRefusal) {
    guard next == octet else { throw refusal(.notAnObject) }
    place += 1
  }

  private mutating func take(word: StaticString) throws(PacketRefusal) {
    for index in 0..<word.utf8CodeUnitCount { try take(word.utf8Start[index]) }
  }

  /// Whether these octets are next; they are taken then, and nothing is otherwise.
  mutating func takes(_ octets: StaticString) -> Bool {
    let count = octets.utf8CodeUnitCount
    guard count <= text.count - place else { return false }
    let isNext = text.withUnsafeBufferPointer { text in
      for index in 0..<count where text[place + index] != octets.utf8Start[index] { return false }
      return true
    }
    if isNext { place += count }
    return isNext
  }

  /// Nothing but white space may follow.
  mutating func finish() throws(PacketRefusal) {
    skipSpace()
    if place < text.count { throw refusal(.notAnObject) }
  }

  // MARK: Objects and lists

  /// Reads an object; `member` is called after each key and takes its value.
  mutating func object(
    depth: Int, _ member: (inout JSONReader, Key) throws(PacketRefusal) -> Void
  ) throws(PacketRefusal) {
    if depth > BeamLimits.nesting { throw refusal(.nestedTooDeep) }
    try take(UInt8(ascii: "{"))
    skipSpace()
    if next == UInt8(ascii: "}") { return place += 1 }
    var keys: [Key] = []
    while true {
      let start = place
      let key = try key()
      if keys.count < Self.comparedKeys, keys.contains(where: { isSame($0, key) }) {
        throw PacketRefusal(.keyTwice, at: start)
      }
      keys.append(key)
      skipSpace()
      try take(UInt8(ascii: ":"))
      skipSpace()
      try member(&self, key)
      skipSpace()
      if next == UInt8(ascii: "}") { break }
      try take(UInt8(ascii: ","))
      skipSpace()
    }
    if keys.count > Self.comparedKeys, hasEqual(keys) { throw refusal(.keyTwice) }
    place += 1
  }

  /// Reads a list; `item` takes each value.
  mutating func list(
    depth: Int, _ item: (inout JSONReader) throws(PacketRefusal) -> Void
  ) throws(PacketRefusal) {
    if depth > BeamLimits.nesting { throw refusal(.nestedTooDeep) }
    try take(UInt8(ascii: "["))
    skipSpace()
    if next == UInt8(ascii: "]") { return place += 1 }
    while true {
      try item(&self)
      skipSpace()
      if next == UInt8(ascii: "]") { break }
      try take(UInt8(ascii: ","))
      skipSpace()
    }
    place += 1
  }

  /// Reads a value of any kind that is `depth` deep if it nests.
  mutating func value(depth: Int) throws(PacketRefusal) -> Scalar {
    switch next {
    case UInt8(ascii: "\""): return .text(try string())
    case UInt8(ascii: "t"):
      try take(word: "true")
      return .flag(true)
    case UInt8(ascii: "f"):
      try take(word: "false")
      return .flag(false)
    case UInt8(ascii: "n"): try take(word: "null")
    case UInt8(ascii: "{"):
      try object(depth: depth) { (reader, _) throws(PacketRefusal) in _ = try reader.value(depth: depth + 1) }
    case UInt8(ascii: "["):
      try list(depth: depth) { (reader) throws(PacketRefusal) in _ = try reader.value(depth: depth + 1) }
    default: return .number(try number())
    }
    return .other
  }

  // MARK: Keys

  /// So many keys of an object are compared with each other; where there are more, all are sorted.
  private static let comparedKeys = 16

  func isNamed(_ key: Key, _ name: StaticString) -> Bool {
    guard count(key) == name.utf8CodeUnitCount else { return false }
    for index in 0..<name.utf8CodeUnitCount where octet(key, index) != name.utf8Start[index] { return false }
    return true
  }

  private func count(_ key: Key) -> Int { key.decoded?.count ?? key.range.count }

  private func octet(_ key: Key, _ index: Int) -> UInt8 { key.decoded?[index] ?? text[key.range.lowerBound + index] }

  private func isSame(_ a: Key, _ b: Key) -> Bool {
    guard count(a) == count(b) else { return false }
    for index in 0..<count(a) where octet(a, index) != octet(b, index) { return false }
    return true
  }

  private func hasEqual(_ keys: [Key]) -> Bool {
    let sorted = keys.map { $0.decoded ?? Array(text[$0.range]) }.sorted { $0.lexicographicallyPrecedes($1) }
    return zip(sorted, sorted.dropFirst()).contains { $0 == $1 }
  }

  private mutating func key() throws(PacketRefusal) -> Key {
    let (range, decoded) = try characters()
    return Key(range: range, decoded: decoded)
  }

  // MARK: Strings

  private mutating func string() throws(PacketRefusal) -> String {
    let (range, decoded) = try characters()
    return decoded.map { String(decoding: $0, as: UTF8.self) } ?? String(decoding: text[range], as: UTF8.self)
  }

  /// A string whose octets need not be UTF-8 yet; nil for what is none.
  mutating func validText() -> String? {
    guard let (range, decoded) = try? characters() else { return nil }
    return decoded.map { String(validating: $0, as: UTF8.self) } ?? String(validating: text[range], as: UTF8.self)
  }

  /// A string in quotes: where its octets are, and what they say if there is an escape among them.
  private mutating func characters() throws(PacketRefusal) -> (Range<Int>, [UInt8]?) {
    try take(UInt8(ascii: "\""))
    let start = place
    while place < text.count {
      let octet = text[place]
      if octet == UInt8(ascii: "\"") {
        place += 1
        return (start..<place - 1, nil)
      }
      if octet == UInt8(ascii: "\\") {
        let decoded = try escapedCharacters(from: start)
        return (start..<place - 1, decoded)
      }
      if octet < 0x20 { throw refusal(.notAnObject) }
      place += 1
    }
    throw refusal(.notAnObject)
  }

  /// The rest of a string that has an escape at the place, with what came before it.
  private mutating func escapedCharacters(from start: Int) throws(PacketRefusal) -> [UInt8] {
    // Most texts fit. Octets between escapes are taken together.
    var decoded: [UInt8] = []
    decoded.reserveCapacity(64)
    var plain = start
    while place < text.count {
      let octet = text[place]
      if octet < 0x20 { throw refusal(.notAnObject) }
      place += 1
      if octet != UInt8(ascii: "\""), octet != UInt8(ascii: "\\") { continue }
      decoded.append(contentsOf: text[plain..<place - 1])
      if octet == UInt8(ascii: "\"") { return decoded }
      let escape = next
      place += 1
      switch escape {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(escape)
      case UInt8(ascii: "b"): decoded.append(0x08)
      case UInt8(ascii: "t"): decoded.append(0x09)
      case UInt8(ascii: "n"): decoded.append(0x0A)
      case UInt8(ascii: "f"): decoded.append(0x0C)
      case UInt8(ascii: "r"): decoded.append(0x0D)
      case UInt8(ascii: "u"): decoded.append(contentsOf: UTF8.encode(try scalar()).map { Array($0) } ?? [])
      default:
        place = min(place, text.count) - 1
        throw refusal(.notAnObject)
      }
      plain = place
    }
    throw refusal(.notAnObject)
  }

  /// What follows `\u`: a scalar, or the two halves of one.
  private mutating func scalar() throws(PacketRefusal) -> Unicode.Scalar {
    let start = place
    let unit = try unit()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    guard unit < 0xDC00, next == UInt8(ascii: "\\"), place + 1 < text.count, text[place + 1] == UInt8(ascii: "u") else {
      throw PacketRefusal(.loneSurrogate, at: start)
    }
    place += 2
    let low = try self.unit()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(unit) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
    else { throw PacketRefusal(.loneSurrogate, at: start) }
    return scalar
  }

  private mutating func unit() throws(PacketRefusal) -> UInt16 {
    var unit: UInt16 = 0
    for _ in 0..<4 {
      let digit: UInt8
      switch next {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = next - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = next - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = next - UInt8(ascii: "A") + 10
      default: throw refusal(.notAnObject)
      }
      unit = unit << 4 | UInt16(digit)
      place += 1
    }
    return unit
  }

  // MARK: Numbers

  /// Where the digits of a number are, whichever it is; nil for what is none.
  mutating func plainNumber() -> Range<Int>? { try? number() }

  private mutating func number() throws(PacketRefusal) -> Range<Int> {
    let start = place
    if next == UInt8(ascii: "-") { place += 1 }
    if next == UInt8(ascii: "0") { place += 1 } else { try digits() }
    if next == UInt8(ascii: ".") {
      place += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      place += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { place += 1 }
      try digits()
    }
    return start..<place
  }

  private mutating func digits() throws(PacketRefusal) {
    let start = place
    while (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next) { place += 1 }
    if place == start { throw refusal(.notAnObject) }
  }
}
