import SimKernel

/// Writes JSON straight into octets: keys in the order they are given, no reflection, no intermediate tree.
///
/// Text is UTF-8; `"`, `\` and what must not be shown (`ShownText`) are escaped and nothing else, so every line of
/// output is one value, and can be looked at.
package struct JSONText {
  package private(set) var octets: [UInt8] = []
  /// Whether the next value or key of the open container is its first.
  private var isFirst = true
  private var depth = 0
  /// Indents by two spaces per level when set; else everything is on one line.
  private let isIndented: Bool
  private var isAfterKey = false

  package init(isIndented: Bool = false, capacity: Int = 0) {
    self.isIndented = isIndented
    octets.reserveCapacity(capacity)
  }

  package mutating func removeAll() { octets.removeAll(keepingCapacity: true) }

  /// Ends a document with the only member that depends on a clock.
  package mutating func end(wallMilliseconds: Int) {
    key("wallTimes")
    beginObject()
    member("totalMilliseconds", wallMilliseconds)
    endObject()
    endObject()
    endLine()
  }

  /// Ends a line and makes ready for the next value.
  package mutating func endLine() {
    octets.append(0x0A)
    isFirst = true
    depth = 0
  }

  package mutating func beginObject() { open(0x7B) }
  package mutating func endObject() { close(0x7D) }
  package mutating func beginArray() { open(0x5B) }
  package mutating func endArray() { close(0x5D) }

  package mutating func key(_ name: StaticString) {
    separate()
    octets.append(0x22)
    octets.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    octets.append(0x22)
    octets.append(0x3A)
    if isIndented { octets.append(0x20) }
    isAfterKey = true
  }

  /// As above, where the name is known at run time only: letters and digits.
  package mutating func key(named name: String) {
    value(name)
    octets.append(0x3A)
    if isIndented { octets.append(0x20) }
    isAfterKey = true
  }

  package mutating func value(_ text: String) {
    separate()
    octets.append(0x22)
    if text.utf8.contains(where: Self.needsEscape) {
      for scalar in text.unicodeScalars { escape(scalar) }
    } else {
      octets.append(contentsOf: text.utf8)
    }
    octets.append(0x22)
  }

  package mutating func value(_ word: StaticString) {
    separate()
    octets.append(0x22)
    octets.append(contentsOf: UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount))
    octets.append(0x22)
  }

  /// Larger numbers lose digits where a reader takes all numbers for floating-point ones (RFC 8259, 6).
  package static let largestNumber: Int64 = 1 << 53

  /// A number that readers would change is written as a text.
  package mutating func value(_ number: some FixedWidthInteger) {
    separate()
    let isExact = number.magnitude <= Self.largestNumber
    if !isExact { octets.append(0x22) }
    octets.append(contentsOf: String(number).utf8)
    if !isExact { octets.append(0x22) }
  }

  /// Nanoseconds as microseconds with three decimals, so that none is lost.
  package mutating func value(microsecondsOf nanoseconds: Int64) {
    separate()
    let fraction = String(nanoseconds.magnitude % 1_000)
    let zeros = String(repeating: "0", count: 3 - fraction.count)
    let sign = nanoseconds < 0 ? "-" : ""
    octets += "\(sign)\(nanoseconds.magnitude / 1_000).\(zeros)\(fraction)".utf8
  }

  package mutating func value(_ flag: Bool) {
    separate()
    octets.append(contentsOf: (flag ? "true" : "false").utf8)
  }

  package mutating func null() {
    separate()
    octets.append(contentsOf: "null".utf8)
  }

  /// Octets as a string of lower-case hexadecimal digits, two per octet.
  package mutating func hexadecimal(_ value: [UInt8]) {
    separate()
    octets.append(0x22)
    octets.reserveCapacity(octets.count + value.count * 2 + 1)
    for octet in value {
      octets.append(Self.digit(octet >> 4))
      octets.append(Self.digit(octet & 0x0F))
    }
    octets.append(0x22)
  }

  private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

  /// Whether a scalar with this octet may have to be escaped; the larger ones are looked at one by one.
  private static func needsEscape(_ octet: UInt8) -> Bool {
    octet < 0x20 || octet == 0x22 || octet == 0x5C || octet >= 0x7F
  }

  private mutating func escape(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"", "\\": octets.append(contentsOf: [0x5C, UInt8(scalar.value)])
    case "\n": octets.append(contentsOf: "\\n".utf8)
    case "\r": octets.append(contentsOf: "\\r".utf8)
    case "\t": octets.append(contentsOf: "\\t".utf8)
    case _ where ShownText.isShown(scalar): octets.append(contentsOf: UTF8.encode(scalar)!)
    default:
      // None of them is beyond U+FFFF, where JSON needs two of these.
      octets.append(contentsOf: "\\u".utf8)
      for shift in [12, 8, 4, 0] { octets.append(Self.digit(UInt8(scalar.value >> UInt32(shift) & 0x0F))) }
    }
  }

  private mutating func separate() {
    if isAfterKey {
      isAfterKey = false
      return
    }
    if !isFirst { octets.append(0x2C) }
    isFirst = false
    if isIndented, depth > 0 { indent() }
  }

  private mutating func indent() {
    octets.append(0x0A)
    octets.append(contentsOf: repeatElement(0x20, count: depth * 2))
  }

  private mutating func open(_ bracket: UInt8) {
    separate()
    octets.append(bracket)
    depth += 1
    isFirst = true
  }

  private mutating func close(_ bracket: UInt8) {
    depth -= 1
    if isIndented, !isFirst { indent() }
    octets.append(bracket)
    isFirst = false
  }
}

extension JSONText {
  package mutating func member(_ name: StaticString, _ text: String) {
    key(name)
    value(text)
  }

  package mutating func member(_ name: StaticString, _ text: String?) {
    key(name)
    if let text { value(text) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ number: some FixedWidthInteger) {
    key(name)
    value(number)
  }

  package mutating func member(_ name: StaticString, _ number: (some FixedWidthInteger)?) {
    key(name)
    if let number { value(number) } else { null() }
  }

  package mutating func member(_ name: StaticString, _ flag: Bool) {
    key(name)
    value(flag)
  }

  package mutating func member(_ name: StaticString, _ flag: Bool?) {
    key(name)
    if let flag { value(flag) } else { null() }
  }

  package mutating func member(_ name: StaticString, octets: [UInt8]) {
    key(name)
    hexadecimal(octets)
  }

  package mutating func member(_ name: StaticString, _ texts: [String]) {
    key(name)
    beginArray()
    for text in texts { value(text) }
    endArray()
  }

  /// A member that is an array, with one value written for each element.
  package mutating func list<Element>(
    _ name: StaticString, _ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void
  ) {
    key(name)
    beginArray()
    for element in elements { write(&self, element) }
    endArray()
  }

  /// A member that is an array of objects, with the members written for each element.
  package mutating func objects<Element>(
    _ name: StaticString, _ elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void
  ) {
    list(name, elements) { json, element in
      json.beginObject()
      write(&json, element)
      json.endObject()
    }
  }
}
