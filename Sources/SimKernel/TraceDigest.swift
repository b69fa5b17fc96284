/// A 128-bit running digest over what a run showed: same scenario and seed, same digest, on every machine.
///
/// Not cryptographic. Order matters; every word is mixed into both lanes before the next one.
public struct TraceDigest: Hashable, Sendable {
  @usableFromInline var high: UInt64 = 0x6A09_E667_F3BC_C908
  @usableFromInline var low: UInt64 = 0xBB67_AE85_84CA_A73B

  public init() {}

  /// Mixes one word in.
  @inlinable public mutating func combine(_ word: UInt64) {
    high = (high ^ word) &* 0x9E37_79B9_7F4A_7C15
    high ^= high >> 29
    low = (low &+ word) &* 0xC2B2_AE3D_27D4_EB4F
    low ^= (low >> 31) ^ high
  }

  /// Mixes a length and then the octets in, eight at a time.
  @inlinable public mutating func combine(octets: [UInt8]) {
    combine(UInt64(octets.count))
    octets.withUnsafeBytes { buffer in
      var offset = 0
      while offset + 8 <= buffer.count {
        combine(UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        offset += 8
      }
      var rest: UInt64 = 0
      var shift: UInt64 = 0
      while offset < buffer.count {
        rest |= UInt64(buffer[offset]) << shift
        shift += 8
        offset += 1
      }
      if shift > 0 { combine(rest) }
    }
  }

  /// Mixes a length and then the UTF-8 of a text in.
  public mutating func combine(text: String) { combine(octets: Array(text.utf8)) }

  /// 32 lower-case hexadecimal digits.
  public var hexadecimal: String {
    [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
