/// A 128-bit running digest over what a run showed: same scenario and seed, same digest, on every machine.
///
/// Not cryptographic. Order matters; a word goes into both lanes before the next one, blocks of octets see below.
public struct TraceDigest: Hashable, Sendable {
  @usableFromInline var high: UInt64 = 0x6A09_E667_F3BC_C908
  @usableFromInline var low: UInt64 = 0xBB67_AE85_84CA_A73B

  public init() {}

  /// A digest that goes on where another one stood, from the digits of that one; nil for anything else.
  public init?(hexadecimal digits: String) {
    guard digits.utf8.count == 32, let high = UInt64(digits.prefix(16), radix: 16),
      let low = UInt64(digits.suffix(16), radix: 16)
    else { return nil }
    (self.high, self.low) = (high, low)
  }

  /// Mixes one word in.
  @inlinable public mutating func combine(_ word: UInt64) {
    high = (high ^ word) &* 0x9E37_79B9_7F4A_7C15
    high ^= high >> 29
    low = (low &+ word) &* 0xC2B2_AE3D_27D4_EB4F
    low ^= (low >> 31) ^ high
  }

  /// Mixes a length and then the octets in.
  ///
  /// Blocks of sixteen octets go eight to a lane, so that neither lane waits for the other; the lanes meet after the
  /// last block. The rest is mixed in word by word.
  @inlinable public mutating func combine(octets: [UInt8]) {
    combine(UInt64(octets.count))
    if octets.isEmpty { return }
    octets.withUnsafeBytes { combine($0.baseAddress!, count: $0.count) }
  }

  @usableFromInline
  mutating func combine(_ octets: UnsafeRawPointer, count: Int) {
    func word(_ offset: Int) -> UInt64 {
      UInt64(littleEndian: (octets + offset).loadUnaligned(as: UInt64.self))
    }
    // In registers as long as blocks come.
    var (first, second) = (high, low)
    let blocks = count / 16
    for block in 0..<blocks {
      first = (first ^ word(block &* 16)) &* 0x9E37_79B9_7F4A_7C15
      first ^= first >> 29
      second = (second &+ word(block &* 16 &+ 8)) &* 0xC2B2_AE3D_27D4_EB4F
      second ^= second >> 31
    }
    (high, low) = (first, second)
    if blocks > 0 {
      high ^= low
      combine(UInt64(blocks))
    }
    var offset = blocks * 16
    if offset + 8 <= count {
      combine(word(offset))
      offset += 8
    }
    if offset == count { return }
    var rest: UInt64 = 0
    for index in offset..<count {
      rest |= UInt64((octets + index).load(as: UInt8.self)) << UInt64(8 &* (index &- offset))
    }
    combine(rest)
  }

  /// Mixes a length and then the UTF-8 of a text in.
  public mutating func combine(text: String) {
    // Nearly every text has its octets in one place; an array of them would be an allocation for each text.
    let isMixed: Void? = text.utf8.withContiguousStorageIfAvailable { octets in
      combine(UInt64(octets.count))
      if let start = octets.baseAddress, !octets.isEmpty { combine(UnsafeRawPointer(start), count: octets.count) }
    }
    if isMixed == nil { combine(octets: Array(text.utf8)) }
  }

  /// The lower half, where 64 bits are enough.
  public var word: UInt64 { low }

  /// 32 lower-case hexadecimal digits.
  public var hexadecimal: String {
    [high, low].map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

/// As its digits.
extension TraceDigest: Codable {
  public init(from decoder: any Decoder) throws {
    let box = try decoder.singleValueContainer()
    guard let digest = Self(hexadecimal: try box.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(in: box, debugDescription: "a digest has 32 hexadecimal digits")
    }
    self = digest
  }

  public func encode(to encoder: any Encoder) throws {
    var box = encoder.singleValueContainer()
    try box.encode(hexadecimal)
  }
}
