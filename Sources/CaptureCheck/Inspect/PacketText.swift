import BluetoothWire
import Judging
import SimKernel

/// Text as UTF-8, put together without a string for each part: a listing has millions of lines.
///
/// Literals and numbers go in as they are. A `String` may come from a packet, so control characters and marks of
/// direction in it become escapes, as `ConsoleTable.oneLine` writes them; `append(verbatim:)` leaves them.
public struct PacketText: Sendable {
  public private(set) var octets: [UInt8]

  public init() { octets = [] }

  /// With room for so many octets.
  init(capacity: Int) {
    octets = []
    octets.reserveCapacity(capacity)
  }

  public mutating func append(_ other: PacketText) { octets.append(contentsOf: other.octets) }

  mutating func append(verbatim text: String) { octets.append(contentsOf: text.utf8) }

  /// Left-aligned in so many columns; each scalar takes one.
  mutating func append(width: Int, _ append: (inout PacketText) -> Void) {
    let start = octets.count
    append(&self)
    pad(width - octets[start...].count { $0 & 0xC0 != 0x80 })
  }

  /// Right-aligned.
  mutating func append(_ number: Int, width: Int) {
    append(backwards: width) { $0.put(UInt64(number.magnitude), isNegative: number < 0) }
  }

  /// Seconds with six decimals, right-aligned.
  mutating func append(_ instant: SimInstant, width: Int) {
    let microseconds = instant.nanoseconds.magnitude / 1_000
    append(backwards: width) { characters in
      characters.put(digits: 6, of: microseconds % 1_000_000)
      characters.put(UInt8(ascii: "."))
      characters.put(microseconds / 1_000_000, isNegative: instant.nanoseconds < 0)
    }
  }

  mutating func pad(_ count: Int) {
    if count > 0 { octets.append(contentsOf: repeatElement(UInt8(ascii: " "), count: count)) }
  }

  /// Takes away all spaces at the end.
  mutating func trim() {
    while octets.last == UInt8(ascii: " ") { octets.removeLast() }
  }

  /// Keeps the memory for the next text.
  public mutating func clear() { octets.removeAll(keepingCapacity: true) }

  /// What `put` writes from its end to its front, with spaces before it up to `width` characters.
  private mutating func append(backwards width: Int = 0, _ put: (inout BackwardCharacters) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: BackwardCharacters.limit) { buffer in
      var characters = BackwardCharacters(buffer: buffer)
      put(&characters)
      while characters.count < width { characters.put(UInt8(ascii: " ")) }
      octets.append(contentsOf: characters.buffer[characters.start...])
    }
  }
}

/// A number is written from its last digit to its first.
private struct BackwardCharacters {
  /// A number of 64 bits has 20 digits; a sign, a point and six decimals come to it.
  static let limit = 32

  let buffer: UnsafeMutableBufferPointer<UInt8>
  private(set) var start: Int

  init(buffer: UnsafeMutableBufferPointer<UInt8>) {
    self.buffer = buffer
    start = buffer.count
  }

  var count: Int { buffer.count - start }

  mutating func put(_ character: UInt8) {
    start -= 1
    buffer[start] = character
  }

  mutating func put(_ number: UInt64, isNegative: Bool) {
    var rest = number
    repeat {
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    if isNegative { put(UInt8(ascii: "-")) }
  }

  /// The last `count` digits.
  mutating func put(digits count: Int, of number: UInt64) {
    var rest = number
    for _ in 0..<count {
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
  }

  /// At least `digits` of them.
  mutating func put(hexadecimal number: UInt64, digits: Int) {
    var rest = number
    var written = 0
    while written < digits || rest > 0 {
      let nibble = UInt8(truncatingIfNeeded: rest) & 0xF
      put(nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "A") + nibble - 10)
      rest >>= 4
      written += 1
    }
  }
}

/// `"handle \(hex: handle, digits: 4), \(count) octets"`
extension PacketText: ExpressibleByStringInterpolation, StringInterpolationProtocol {
  public init(stringLiteral literal: StaticString) {
    octets = []
    appendLiteral(literal)
  }

  public init(stringInterpolation text: PacketText) { self = text }

  public init(literalCapacity: Int, interpolationCount: Int) {
    self.init(capacity: literalCapacity + 16 * interpolationCount)
  }

  public mutating func appendLiteral(_ literal: StaticString) {
    literal.withUTF8Buffer { octets.append(contentsOf: $0) }
  }

  mutating func appendInterpolation(_ literal: StaticString) { appendLiteral(literal) }

  public mutating func appendInterpolation(_ text: PacketText) { append(text) }

  public mutating func appendInterpolation(_ number: some BinaryInteger) {
    append { $0.put(UInt64(number.magnitude), isNegative: number < 0) }
  }

  /// `1 octet`, `2 octets`.
  mutating func appendInterpolation(_ count: Int, _ noun: StaticString) {
    appendInterpolation(count)
    appendLiteral(" ")
    appendLiteral(noun)
    if count != 1 { appendLiteral("s") }
  }

  /// `0x0013`, as `hexNumber` writes it.
  mutating func appendInterpolation(hex number: some BinaryInteger, digits: Int) {
    append { characters in
      characters.put(hexadecimal: UInt64(number), digits: digits)
      characters.put(UInt8(ascii: "x"))
      characters.put(UInt8(ascii: "0"))
    }
  }

  mutating func appendInterpolation(_ uuid: BluetoothUUID) {
    if let short = uuid.short {
      append { $0.put(hexadecimal: UInt64(short), digits: 4) }
    } else {
      append(verbatim: uuid.description)
    }
  }

  mutating func appendInterpolation(_ address: BluetoothAddress) { append(verbatim: address.description) }

  public mutating func appendInterpolation(_ text: String) { append(verbatim: Self.shown(text)) }

  /// The text as it may be shown in a line; most texts are looked at once, and are as they were.
  static func shown(_ text: String) -> String {
    var text = text
    return text.withUTF8 { !$0.contains(where: mayBeHidden) } ? text : ConsoleTable.oneLine(text)
  }

  /// Controls are below 0x20, 0x7F, or begin with C2 in UTF-8; marks of direction begin with D8, E2 or EF. So do some
  /// characters that are shown.
  private static func mayBeHidden(_ octet: UInt8) -> Bool {
    switch octet {
    case 0..<0x20, 0x7F, 0xC2, 0xD8, 0xE2, 0xEF: true
    default: false
    }
  }
}

extension PacketText: CustomStringConvertible {
  public var description: String { String(decoding: octets, as: UTF8.self) }
}
