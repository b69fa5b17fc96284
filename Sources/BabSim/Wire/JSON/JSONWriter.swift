/// Writes JSON text into one growing buffer, piece by piece.
///
/// Pieces are whole names and whole values, so that the cost is a few memory copies per field.
struct JSONWriter: ~Copyable {
  private var base: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  private var count = 0

  init(capacity: Int) {
    self.capacity = max(capacity, 64)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// The text so far.
  var octets: [UInt8] { Array(UnsafeBufferPointer(start: base, count: count)) }

  @inline(__always)
  private mutating func ensure(_ more: Int) {
    if capacity - count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    let larger = max(capacity * 2, count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.moveInitialize(from: base, count: count)
    base.deallocate()
    base = moved
    capacity = larger
  }

  /// Fixed text, at least two octets long, written as it is.
  @inline(__always)
  mutating func raw(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    ensure(length)
    (base + count).initialize(from: text.utf8Start, count: length)
    count += length
  }

  /// A key and its colon, after a comma unless the key is the object's first.
  @inline(__always)
  mutating func name(_ key: StaticString) {
    let length = key.utf8CodeUnitCount
    ensure(length + 4)
    if base[count - 1] != 0x7B {
      base[count] = 0x2C
      count += 1
    }
    base[count] = 0x22
    (base + count + 1).initialize(from: key.utf8Start, count: length)
    base[count + length + 1] = 0x22
    base[count + length + 2] = 0x3A
    count += length + 3
  }

  @inline(__always)
  mutating func octet(_ value: UInt8) {
    ensure(1)
    base[count] = value
    count += 1
  }

  /// Octets written as they are.
  mutating func raw(_ octets: UnsafeBufferPointer<UInt8>) {
    guard let start = octets.baseAddress else { return }
    ensure(octets.count)
    (base + count).initialize(from: start, count: octets.count)
    count += octets.count
  }

  /// Text written as it is, for words that need no escape.
  mutating func word(_ text: String) {
    var text = text
    text.withUTF8 { raw($0) }
  }

  /// A quoted string; only `"`, `\` and U+0000–001F are escaped.
  mutating func string(_ text: String) {
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { quoted($0) }
    if done == nil {
      var text = text
      text.withUTF8 { quoted($0) }
    }
  }

  private mutating func quoted(_ text: UnsafeBufferPointer<UInt8>) {
    ensure(text.count + 2)
    base[count] = 0x22
    count += 1
    if let start = text.baseAddress {
      var plain = OctetWord.skip(start, from: 0, to: text.count) {
        $0.places(of: 0x22) | $0.places(of: 0x5C) | $0.places(below: 0x20)
      }
      while plain < text.count, !Self.needsEscape(start[plain]) { plain += 1 }
      (base + count).initialize(from: start, count: plain)
      count += plain
      if plain < text.count { escaped(UnsafeBufferPointer(rebasing: text[plain...])) }
    }
    octet(0x22)
  }

  @inline(__always)
  private static func needsEscape(_ value: UInt8) -> Bool { value < 0x20 || value == 0x22 || value == 0x5C }

  private mutating func escaped(_ text: UnsafeBufferPointer<UInt8>) {
    ensure(text.count * 6)
    for value in text {
      guard Self.needsEscape(value) else {
        base[count] = value
        count += 1
        continue
      }
      base[count] = 0x5C
      count += 1
      switch value {
      case 0x08: octet(0x62)
      case 0x09: octet(0x74)
      case 0x0A: octet(0x6E)
      case 0x0C: octet(0x66)
      case 0x0D: octet(0x72)
      case 0x22, 0x5C: octet(value)
      default:
        raw("u00")
        octet(Self.hexDigit(value >> 4))
        octet(Self.hexDigit(value & 0xF))
      }
    }
  }

  private static func hexDigit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

  mutating func boolean(_ value: Bool) {
    if value { raw("true") } else { raw("false") }
  }

  mutating func integer(_ value: Int64) {
    ensure(20)
    var rest = value.magnitude
    if rest < 10, value >= 0 {
      base[count] = 0x30 + UInt8(rest)
      count += 1
      return
    }
    if value < 0 {
      base[count] = 0x2D
      count += 1
    }
    var digits = 1
    var bound: UInt64 = 10
    while digits < 19, rest >= bound {
      digits += 1
      bound &*= 10
    }
    var place = count + digits
    count = place
    repeat {
      place -= 1
      let (quotient, remainder) = rest.quotientAndRemainder(dividingBy: 10)
      base[place] = 0x30 + UInt8(remainder)
      rest = quotient
    } while rest > 0
  }
}
