/// Functions of real numbers by series: the C library's differ between processors, and a page must not.
///
/// Made of addition, multiplication, division and square root alone, which IEEE 754 rounds in one way. Relative error
/// below 10⁻¹³ where laws use them.
package enum RealNumbers {
  private static let logarithmOfTwo = 0.693_147_180_559_945_3
  private static let logarithmOfTen = 2.302_585_092_994_045_7

  /// e to the power of a number between −700 and 700.
  package static func exponential(_ number: Double) -> Double {
    let doublings = (number / logarithmOfTwo).rounded()
    let rest = number - doublings * logarithmOfTwo
    var (sum, term) = (1.0, 1.0)
    for index in 1...20 {
      term *= rest / Double(index)
      sum += term
    }
    return sum * Double(sign: .plus, exponent: Int(doublings), significand: 1)
  }

  /// The natural logarithm of a positive number.
  package static func logarithm(_ number: Double) -> Double {
    let part = (number.significand - 1) / (number.significand + 1)
    var (sum, power) = (0.0, part)
    for index in 0..<20 {
      sum += power / Double(2 * index + 1)
      power *= part * part
    }
    return 2 * sum + Double(number.exponent) * logarithmOfTwo
  }

  package static func decimalLogarithm(_ number: Double) -> Double { logarithm(number) / logarithmOfTen }

  /// The ratio of two powers that many decibels apart.
  package static func ratio(decibels: Double) -> Double { exponential(decibels / 10 * logarithmOfTen) }

  /// A number to a whole power.
  package static func power(_ base: Double, _ exponent: Int) -> Double {
    var (result, square, rest) = (1.0, base, exponent)
    while rest > 0 {
      if rest % 2 == 1 { result *= square }
      square *= square
      rest /= 2
    }
    return result
  }

  /// A number with that many decimals, rounded to nearest.
  package static func text(_ number: Double, decimals: Int) -> String {
    let scaled = Int64((number * power(10, decimals)).rounded())
    let digits = String(scaled.magnitude)
    let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.count)) + digits
    let whole = padded.dropLast(decimals)
    return (scaled < 0 ? "−" : "") + whole + (decimals > 0 ? "." + padded.suffix(decimals) : "")
  }
}
