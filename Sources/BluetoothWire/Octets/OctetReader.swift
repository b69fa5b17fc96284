/// Takes little-endian fields from the front of an octet array, and refuses instead of reading past the end.
///
/// Offsets count from the start of `octets`, so that a nested structure reports the position in the whole PDU.
public struct OctetReader: Sendable {
  public let octets: [UInt8]
  /// Index of the next octet.
  public private(set) var offset: Int
  /// Index after the last octet that may be read.
  public let end: Int
  /// A value is one that the typed values cannot hold, though the specification may have it.
  var isStrange = false

  public init(_ octets: [UInt8]) {
    self.init(octets, from: 0, to: octets.count)
  }

  /// Reads from `start` up to `end`; both are clamped to the array.
  public init(_ octets: [UInt8], from start: Int, to end: Int) {
    self.octets = octets
    self.end = min(max(end, 0), octets.count)
    offset = min(max(start, 0), self.end)
  }

  public var remaining: Int { end - offset }
  public var isAtEnd: Bool { offset == end }

  /// - Throws: `truncated` at the end of the octets when fewer than `count` are left.
  public func require(_ count: Int) throws(WireError) {
    if count < 0 || count > end - offset { throw WireError(.truncated, at: end) }
  }

  public mutating func u8() throws(WireError) -> UInt8 {
    try require(1)
    defer { offset += 1 }
    return octets[offset]
  }

  public mutating func u16() throws(WireError) -> UInt16 {
    try require(2)
    defer { offset += 2 }
    return UInt16(octets[offset]) | UInt16(octets[offset + 1]) << 8
  }

  /// Three octets, as CRC values and clock fields have them.
  public mutating func u24() throws(WireError) -> UInt32 { UInt32(truncatingIfNeeded: try unsigned(3)) }

  public mutating func u32() throws(WireError) -> UInt32 { UInt32(truncatingIfNeeded: try unsigned(4)) }

  public mutating func u64() throws(WireError) -> UInt64 { try unsigned(8) }

  /// `count` octets as one number, least significant first; `count` is 0 … 8.
  public mutating func unsigned(_ count: Int) throws(WireError) -> UInt64 {
    if count > 8 { throw WireError(.valueOutOfRange, at: offset) }
    try require(count)
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(octets[offset + index]) << (8 * UInt64(index)) }
    offset += count
    return value
  }

  /// The next `count` octets as they are.
  public mutating func take(_ count: Int) throws(WireError) -> [UInt8] {
    try require(count)
    defer { offset += count }
    return Array(octets[offset..<offset + count])
  }

  /// Everything that is left.
  public mutating func rest() -> [UInt8] {
    defer { offset = end }
    return offset == 0 && end == octets.count ? octets : Array(octets[offset..<end])
  }

  /// - Throws: `trailingOctets` at the first octet that was not read.
  public func finish() throws(WireError) {
    if offset != end { throw WireError(.trailingOctets, at: offset) }
  }
}
