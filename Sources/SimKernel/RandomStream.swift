/// One named stream of pseudo-random draws (xoshiro256**, seeded through SplitMix64).
///
/// A stream belongs to a (seed, component, purpose) triple, so a new device, capture or oracle never shifts the
/// draws of another. Bounded draws are our own: the standard library does not promise to keep its algorithm.
public struct RandomStream: Sendable {
  @usableFromInline var s0: UInt64
  @usableFromInline var s1: UInt64
  @usableFromInline var s2: UInt64
  @usableFromInline var s3: UInt64

  /// - Parameters:
  ///   - seed: the seed of the run.
  ///   - component: who draws, for example `"radio/host"`.
  ///   - purpose: what for, for example `"advDelay"`.
  public init(seed: UInt64, component: String, purpose: String) {
    var key = Self.mix(seed &+ 0x9E37_79B9_7F4A_7C15)
    for octet in component.utf8 { key = Self.mix(key ^ UInt64(octet)) }
    key = Self.mix(key ^ 0x100)
    for octet in purpose.utf8 { key = Self.mix(key ^ UInt64(octet)) }
    func next() -> UInt64 {
      key &+= 0x9E37_79B9_7F4A_7C15
      return Self.mix(key)
    }
    s0 = next()
    s1 = next()
    s2 = next()
    s3 = next()
  }

  /// The finaliser of SplitMix64: a bijection of 64-bit words.
  @inlinable public static func mix(_ word: UInt64) -> UInt64 {
    var z = word
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// The next 64 bits.
  @inlinable public mutating func next() -> UInt64 {
    let scrambled = s1 &* 5
    let result = ((scrambled << 7) | (scrambled >> 57)) &* 9
    let shifted = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = (s3 << 45) | (s3 >> 19)
    return result
  }

  /// A uniform draw from `0 ..< bound`, by multiplication (bias below 2⁻⁴⁰ for every bound used here).
  /// - Precondition: `bound` is positive.
  @inlinable public mutating func below(_ bound: UInt64) -> UInt64 {
    precondition(bound > 0, "a draw needs a positive bound")
    return next().multipliedFullWidth(by: bound).high
  }

  /// A uniform draw from `range`, both ends included.
  @inlinable public mutating func within(_ range: ClosedRange<Int64>) -> Int64 {
    range.lowerBound + Int64(below(UInt64(range.upperBound - range.lowerBound) + 1))
  }

  /// Whether an event of the given probability happens; certain and impossible events draw nothing.
  @inlinable public mutating func happens(_ probability: Ratio) -> Bool {
    if probability.numerator == 0 { return false }
    if probability.numerator >= probability.denominator { return true }
    return below(probability.denominator) < probability.numerator
  }
}
