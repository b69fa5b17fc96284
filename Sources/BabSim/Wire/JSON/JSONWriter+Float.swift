extension JSONWriter {
  /// A 32-bit number as the JVM prints it: the shortest digits that read back to it, at least one on each side of the
  /// point, `E` notation below 10⁻³ and from 10⁷ on.
  ///
  /// A value that is not finite has no text and is written `0.0`. Spec: BAB 4.12.
  mutating func float(_ value: Float) {
    guard value.isFinite else { return raw("0.0") }
    if value.sign == .minus { octet(0x2D) }
    let magnitude = value.magnitude
    if magnitude == 0 { return raw("0.0") }
    if magnitude == 1 { return raw("1.0") }
    var decimal = DecimalDigits(shortest: magnitude)
    if decimal.count == 1, magnitude.isSubnormal { decimal = DecimalDigits(twoDigitsOf: magnitude) }
    // The value is 0.d₁d₂d₃… × 10^point.
    if decimal.point >= -2, decimal.point <= 7 {
      plain(decimal)
    } else {
      scientific(decimal)
    }
  }

  private mutating func plain(_ decimal: DecimalDigits) {
    if decimal.point <= 0 {
      raw("0.")
      for _ in decimal.point..<0 { octet(0x30) }
      for index in 0..<decimal.count { octet(decimal[index]) }
      return
    }
    for index in 0..<decimal.point { octet(index < decimal.count ? decimal[index] : 0x30) }
    octet(0x2E)
    if decimal.point >= decimal.count { return octet(0x30) }
    for index in decimal.point..<decimal.count { octet(decimal[index]) }
  }

  private mutating func scientific(_ decimal: DecimalDigits) {
    octet(decimal[0])
    octet(0x2E)
    if decimal.count == 1 { octet(0x30) }
    for index in 1..<max(decimal.count, 1) { octet(decimal[index]) }
    octet(0x45)
    integer(Int64(decimal.point - 1))
  }
}

/// Significant decimal digits of a positive 32-bit number, without leading or trailing zeros.
struct DecimalDigits {
  /// Digit `i` in bits 4i …; nine digits are enough for every 32-bit number.
  private var digits: UInt64 = 0
  private(set) var count = 0
  /// Power of ten of the point before the first digit.
  private(set) var point = 0

  /// The ASCII digit at an index.
  subscript(index: Int) -> UInt8 { 0x30 + UInt8(truncatingIfNeeded: (digits >> (4 * UInt64(index))) & 0xF) }

  /// The shortest digits that read back to `value`, the closest of them. The standard library finds them; only the
  /// notation is ours.
  init(shortest value: Float) {
    var seenPoint = false
    var exponent = 0
    var exponentIsNegative = false
    var inExponent = false
    var leadingZeros = 0
    var integerDigits = 0
    var pendingZeros = 0
    for character in value.description.utf8 {
      switch character {
      case 0x2E: seenPoint = true
      case 0x65: inExponent = true
      case 0x2D: exponentIsNegative = true
      case 0x30...0x39 where inExponent: exponent = exponent * 10 + Int(character - 0x30)
      case 0x30:
        if count == 0 {
          if seenPoint { leadingZeros += 1 }
        } else {
          pendingZeros += 1
          if !seenPoint { integerDigits += 1 }
        }
      case 0x31...0x39:
        count += pendingZeros
        pendingZeros = 0
        digits |= UInt64(character - 0x30) << (4 * UInt64(count))
        count += 1
        if !seenPoint { integerDigits += 1 }
      default: break
      }
    }
    point = integerDigits - leadingZeros + (exponentIsNegative ? -exponent : exponent)
  }

  /// The two digits nearest to a subnormal number: where one digit would do, the JVM looks for the nearest two.
  init(twoDigitsOf value: Float) {
    // 10⁴⁶ and the significand are small enough for the product to be right to far more than two digits.
    var scaled = Double(value) * 1e46
    point = -44
    while scaled >= 99.5 {
      scaled /= 10
      point += 1
    }
    let pair = UInt64(scaled.rounded())
    digits = pair / 10 | (pair % 10) << 4
    count = pair % 10 == 0 ? 1 : 2
  }
}
