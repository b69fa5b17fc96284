/// Eight octets looked at together, so that long texts are scanned a word at a time.
struct OctetWord {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080
  private let word: UInt64

  /// The high bit of every octet that equals `value`; only the lowest set bit is exact.
  @inline(__always)
  func places(of value: UInt8) -> UInt64 {
    let difference = word ^ (Self.ones &* UInt64(value))
    return (difference &- Self.ones) & ~difference & Self.highBits
  }

  /// The high bit of every octet below `bound`, at most 0x80; only the lowest set bit is exact.
  @inline(__always)
  func places(below bound: UInt8) -> UInt64 { (word &- Self.ones &* UInt64(bound)) & ~word & Self.highBits }

  /// The first place from `start` on that `search` finds, or where fewer than eight octets are left.
  @inline(__always)
  static func skip(
    _ base: UnsafePointer<UInt8>, from start: Int, to end: Int, _ search: (OctetWord) -> UInt64
  ) -> Int {
    var cursor = start
    while cursor + 8 <= end {
      let loaded = UnsafeRawPointer(base + cursor).loadUnaligned(as: UInt64.self)
      let places = search(OctetWord(word: UInt64(littleEndian: loaded)))
      if places != 0 { return cursor + places.trailingZeroBitCount / 8 }
      cursor += 8
    }
    return cursor
  }
}
