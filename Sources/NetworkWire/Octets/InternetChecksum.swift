/// The one's complement sum of 16-bit words that IP, TCP and UDP carry (RFC 1071).
public struct InternetChecksum: Hashable, Sendable {
  private var sum: UInt64 = 0

  public init() {}

  /// Adds octets as words, most significant first; an odd last octet is padded with zero, so only the last piece may
  /// have one.
  public mutating func add(_ octets: some Sequence<UInt8>) {
    var isUpper = true
    for octet in octets {
      sum += isUpper ? UInt64(octet) << 8 : UInt64(octet)
      isUpper.toggle()
    }
  }

  public mutating func add(_ word: UInt16) { sum += UInt64(word) }
  public mutating func add(_ word: UInt32) { sum += UInt64(word >> 16) + UInt64(word & 0xFFFF) }

  /// The complement of the sum: what the field holds. Over octets that contain a right checksum it is zero.
  public var value: UInt16 {
    var folded = sum
    while folded > 0xFFFF { folded = folded & 0xFFFF + folded >> 16 }
    return ~UInt16(truncatingIfNeeded: folded)
  }
}
