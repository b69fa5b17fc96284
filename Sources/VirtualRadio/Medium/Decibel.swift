/// Integer decibel arithmetic, in hundredths of a decibel: libm differs between processors, tables do not.
enum Decibel {
  /// Ten times the decimal logarithm of a distance in metres, in hundredths, from the distance's square in cm²
  /// (so that no root is needed). With 16 binary digits after the point the error is below 0.02 dB; with fewer the
  /// result is no larger.
  static func tenLogOfDistance(squaredCentimetres: UInt64, digits: Int = 16) -> Int {
    // 500 × log10(2) = 150.515 a binary digit; one metre is 10 000 cm², whose share is 500 × 4.
    (binaryLogarithm(max(squaredCentimetres, 1), digits: digits) << (16 - digits)) * 150_515 / 65_536_000 - 2_000
  }

  /// The binary logarithm of a number that is not zero, rounded down to so many digits after the point.
  static func binaryLogarithm(_ value: UInt64, digits: Int) -> Int {
    let whole = 63 - value.leadingZeroBitCount
    // Mantissa in 1 ..< 2 as Q32; each squaring gives one binary digit of its logarithm.
    var mantissa = whole >= 32 ? value >> UInt64(whole - 32) : value << UInt64(32 - whole)
    var fraction = 0
    for _ in 0..<digits {
      mantissa = (mantissa.multipliedFullWidth(by: mantissa).high << 32) | ((mantissa &* mantissa) >> 32)
      fraction <<= 1
      if mantissa >= 1 << 33 {
        fraction |= 1
        mantissa >>= 1
      }
    }
    return whole << digits | fraction
  }

  /// The level of two uncorrelated signals together; what is 20.5 dB weaker adds nothing.
  static func sum(_ a: Int, _ b: Int) -> Int {
    let difference = abs(a - b)
    let (step, part) = (difference / 50, difference % 50)
    if step >= excess.count { return max(a, b) }
    let next = step + 1 < excess.count ? Int(excess[step + 1]) : 0
    return max(a, b) + (Int(excess[step]) * (50 - part) + next * part) / 50
  }

  /// 10·log10(1 + 10^(−d/10)) for d in steps of half a decibel.
  private static let excess: [Int16] = [
    301, 277, 254, 232, 212, 194, 176, 160, 146, 132, 119, 108, 97, 88, 79, 71, 64, 57, 51, 46, 41, 37, 33, 30, 27, 24,
    21, 19, 17, 15, 14, 12, 11, 10, 9, 8, 7, 6, 5, 5, 4,
  ]
}
