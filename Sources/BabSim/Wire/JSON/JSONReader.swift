/// Pulls a packet out of text as leniently as the published decoder does, and never more.
///
/// The text must be valid UTF-8 (`UTF8Repair`). The reader looks at each octet a bounded number of times, allocates no
/// more than a constant times the text, and refuses with a reason and an offset.
///
/// Spec: BAB 4.30–4.46.
struct JSONReader {
  let base: UnsafePointer<UInt8>
  let end: Int
  var position = 0
  /// Scalars are read as the published decoder reads those of a payload whose discriminator is not the first key: it
  /// takes the whole scalar as text first. Spec: BAB 4.37.
  var readsWholeScalars = false

  /// Where the reader stands among the fields of the innermost object.
  var cursor = FieldCursor()
  private var keyStart = 0
  private var keyCount = 0
  private var keyIsDecoded = false
  /// The text of the last string that had an escape.
  private var decoded: [UInt8] = []

  init(_ text: UnsafeBufferPointer<UInt8>, base: UnsafePointer<UInt8>) {
    self.base = base
    end = text.count
  }

  // MARK: Octets

  @inline(__always)
  mutating func skipSpaces() {
    while position < end {
      let octet = base[position]
      guard octet == 0x20 || octet == 0x0A || octet == 0x0D || octet == 0x09 else { return }
      position += 1
    }
  }

  /// Whether an octet may occur in an unquoted string: no control, space, quote, backslash or structural character.
  @inline(__always)
  static func isPlain(_ octet: UInt8) -> Bool {
    if octet >= 0x40 {
      return octet != 0x5B && octet != 0x5C && octet != 0x5D && octet != 0x7B && octet != 0x7D
    }
    return octet > 0x20 && octet != 0x22 && octet != 0x2C && octet != 0x3A
  }

  @inline(__always)
  mutating func expect(_ octet: UInt8, _ what: StaticString) throws(BabPacketError) {
    skipSpaces()
    guard position < end, base[position] == octet else { throw unexpected(what) }
    position += 1
  }

  @inline(never)
  func unexpected(_ what: StaticString) -> BabPacketError {
    position < end
      ? BabPacketError(.expected(what.description), offset: position) : BabPacketError(.unexpectedEnd, offset: end)
  }

  @inline(__always)
  private mutating func takeComma() -> Bool {
    skipSpaces()
    guard position < end, base[position] == 0x2C else { return false }
    position += 1
    return true
  }

  /// Whether something other than `}`, `]`, `:`, `,` or the end follows.
  @inline(__always)
  private mutating func valueFollows() -> Bool {
    skipSpaces()
    guard position < end else { return false }
    let octet = base[position]
    return octet != 0x7D && octet != 0x5D && octet != 0x3A && octet != 0x2C
  }

  // MARK: Objects, maps and arrays

  mutating func beginObject() throws(BabPacketError) { try begin(0x7B, "{") }

  mutating func beginArray() throws(BabPacketError) { try begin(0x5B, "[") }

  @inline(__always)
  private mutating func begin(_ octet: UInt8, _ what: StaticString) throws(BabPacketError) {
    try expect(octet, what)
    skipSpaces()
    if position < end, base[position] == 0x2C { throw BabPacketError(.leadingComma, offset: position) }
  }

  /// Reads the next key of an object and its colon; false after the closing brace. A comma between members may be
  /// missing, as the published decoder lets it.
  mutating func nextKey() throws(BabPacketError) -> Bool {
    let comma = takeComma()
    guard valueFollows() else {
      if comma { throw BabPacketError(.trailingComma, offset: position) }
      try expect(0x7D, "}")
      return false
    }
    try readKey()
    try expect(0x3A, ":")
    return true
  }

  /// Reads the next key of a map and its colon; nil after the closing brace. Here every comma is needed.
  mutating func nextEntry(isFirst: Bool, allowsNull: Bool = false) throws(BabPacketError) -> String? {
    let comma = takeComma()
    guard valueFollows() else {
      if comma { throw BabPacketError(.trailingComma, offset: position) }
      try expect(0x7D, "}")
      return nil
    }
    if !isFirst, !comma { throw BabPacketError(.missingComma, offset: position) }
    let span = try scanString()
    if span.isNull, !allowsNull { throw BabPacketError(.unexpectedNull, offset: span.start) }
    let key = text(span)
    try expect(0x3A, ":")
    guard valueFollows() else { throw unexpected("value") }
    return key
  }

  /// Whether another element follows; false after the closing bracket.
  mutating func nextElement(isFirst: Bool) throws(BabPacketError) -> Bool {
    let comma = takeComma()
    guard valueFollows() else {
      if comma { throw BabPacketError(.trailingComma, offset: position) }
      try expect(0x5D, "]")
      return false
    }
    if !isFirst, !comma { throw BabPacketError(.missingComma, offset: position) }
    return true
  }

  private mutating func readKey() throws(BabPacketError) {
    let span = try scanString()
    if span.isNull { throw BabPacketError(.unexpectedNull, offset: span.start) }
    keyStart = span.start
    keyCount = span.count
    keyIsDecoded = span.isDecoded
  }

  /// Whether the key that was read last, before any value was, is `name`.
  @inline(__always)
  func key(is name: StaticString) -> Bool {
    if keyIsDecoded { return decoded.withUnsafeBufferPointer { Self.equal($0, name) } }
    return Self.equal(UnsafeBufferPointer(start: base + keyStart, count: keyCount), name)
  }

  /// Whether a text is `name`, octet by octet.
  @inline(__always)
  static func equal(_ text: UnsafeBufferPointer<UInt8>, _ name: StaticString) -> Bool {
    equal(text, UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  @inline(__always)
  static func equal(_ text: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count == other.count else { return false }
    for index in 0..<text.count where text[index] != other[index] { return false }
    return true
  }

  // MARK: Strings

  /// Where the text of a string is: in the input, or in `decoded` when it had an escape.
  struct StringSpan {
    var start: Int
    var count: Int
    var isDecoded = false
    var isQuoted = false
    /// Unquoted `null`.
    var isNull = false
  }

  /// Reads a quoted or unquoted string, unquoted `null` included.
  mutating func scanString() throws(BabPacketError) -> StringSpan {
    skipSpaces()
    guard position < end else { throw BabPacketError(.unexpectedEnd, offset: end) }
    if base[position] == 0x22 { return try scanQuoted() }
    let start = position
    while position < end, Self.isPlain(base[position]) { position += 1 }
    guard position > start else { throw unexpected("string") }
    let isNull = position - start == 4 && Self.isNull(base + start)
    return StringSpan(start: start, count: position - start, isNull: isNull)
  }

  private mutating func scanQuoted() throws(BabPacketError) -> StringSpan {
    let start = position + 1
    var cursor = OctetWord.skip(base, from: start, to: end) { $0.places(of: 0x22) | $0.places(of: 0x5C) }
    while cursor < end {
      let octet = base[cursor]
      if octet == 0x22 {
        position = cursor + 1
        return StringSpan(start: start, count: cursor - start, isQuoted: true)
      }
      if octet == 0x5C {
        try decodeEscapes(from: start, firstEscape: cursor)
        return StringSpan(start: start, count: decoded.count, isDecoded: true, isQuoted: true)
      }
      cursor += 1
    }
    throw BabPacketError(.unexpectedEnd, offset: end)
  }

  @inline(__always)
  private static func isNull(_ text: UnsafePointer<UInt8>) -> Bool {
    text[0] == 0x6E && text[1] == 0x75 && text[2] == 0x6C && text[3] == 0x6C
  }

  /// Decodes a quoted string with escapes into `decoded`. A surrogate without its partner becomes `?`.
  private mutating func decodeEscapes(from start: Int, firstEscape: Int) throws(BabPacketError) {
    decoded.removeAll(keepingCapacity: true)
    var plain = start
    var cursor = firstEscape
    while cursor < end, base[cursor] != 0x22 {
      guard base[cursor] == 0x5C else {
        cursor += 1
        continue
      }
      decoded.append(contentsOf: UnsafeBufferPointer(start: base + plain, count: cursor - plain))
      cursor = try decodeEscape(at: cursor)
      plain = cursor
    }
    guard cursor < end else { throw BabPacketError(.unexpectedEnd, offset: end) }
    decoded.append(contentsOf: UnsafeBufferPointer(start: base + plain, count: cursor - plain))
    position = cursor + 1
  }

  /// Decodes the escape whose backslash stands at `start`; the answer is the place after it.
  private mutating func decodeEscape(at start: Int) throws(BabPacketError) -> Int {
    guard start + 1 < end else { throw BabPacketError(.unexpectedEnd, offset: end) }
    switch base[start + 1] {
    case 0x22, 0x5C, 0x2F: decoded.append(base[start + 1])
    case 0x62: decoded.append(0x08)
    case 0x66: decoded.append(0x0C)
    case 0x6E: decoded.append(0x0A)
    case 0x72: decoded.append(0x0D)
    case 0x74: decoded.append(0x09)
    case 0x75:
      let unit = try codeUnit(at: start)
      var scalar = unit
      var next = start + 6
      if unit & 0xF800 == 0xD800 {
        scalar = 0x3F
        if unit < 0xDC00, next + 1 < end, base[next] == 0x5C, base[next + 1] == 0x75 {
          let low = try codeUnit(at: next)
          if low & 0xFC00 == 0xDC00 {
            scalar = 0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
            next += 6
          }
        }
      }
      appendUTF8(scalar)
      return next
    default: throw BabPacketError(.invalidEscape, offset: start)
    }
    return start + 2
  }

  /// The four hexadecimal digits of the `\u` at `start`.
  private func codeUnit(at start: Int) throws(BabPacketError) -> UInt32 {
    guard start + 6 < end else { throw BabPacketError(.unexpectedEnd, offset: end) }
    var unit: UInt32 = 0
    for index in start + 2..<start + 6 {
      let octet = base[index]
      switch octet {
      case 0x30...0x39: unit = unit << 4 | UInt32(octet - 0x30)
      case 0x41...0x46: unit = unit << 4 | UInt32(octet - 0x37)
      case 0x61...0x66: unit = unit << 4 | UInt32(octet - 0x57)
      default: throw BabPacketError(.invalidEscape, offset: start)
      }
    }
    return unit
  }

  private mutating func appendUTF8(_ scalar: UInt32) {
    func tail(_ shift: UInt32) -> UInt8 { 0x80 | UInt8(scalar >> shift & 0x3F) }
    if scalar < 0x80 {
      decoded.append(UInt8(scalar))
    } else if scalar < 0x800 {
      decoded.append(contentsOf: [0xC0 | UInt8(scalar >> 6), tail(0)])
    } else if scalar < 0x10000 {
      decoded.append(contentsOf: [0xE0 | UInt8(scalar >> 12), tail(6), tail(0)])
    } else {
      decoded.append(contentsOf: [0xF0 | UInt8(scalar >> 18), tail(12), tail(6), tail(0)])
    }
  }

  /// Calls `body` with the text of a span that was scanned last.
  @inline(__always)
  func withText<Result>(_ span: StringSpan, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if span.isDecoded { return decoded.withUnsafeBufferPointer { body($0) } }
    return body(UnsafeBufferPointer(start: base + span.start, count: span.count))
  }

  func text(_ span: StringSpan) -> String { withText(span) { String(decoding: $0, as: UTF8.self) } }

  /// Consumes `null` if exactly that follows.
  mutating func takeNull() -> Bool {
    skipSpaces()
    guard end - position >= 4, Self.isNull(base + position) else { return false }
    if end - position > 4, Self.isPlain(base[position + 4]) { return false }
    position += 4
    return true
  }
}
