#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What some worlds say about the share of all worlds: the exact interval of Clopper and Pearson (Biometrika 26, 1934),
/// which contains the true share with at least 95 % probability, whatever it is.
///
/// Whoever looks more than once, and stops when he likes what he sees, says how often: each look gets its part of the
/// 5 % (Bonferroni).
package struct BinomialInterval: Hashable, Sendable {
  /// A share of 1.
  package let low: Double
  package let high: Double

  /// The probability on each side outside of it, of all looks together.
  static let tail = 0.025

  /// - Parameters:
  ///   - count: at least 1.
  ///   - looks: at least 1.
  package init(successes: Int, of count: Int, looks: Int = 1) {
    let (k, n) = (Double(successes), Double(count))
    let tail = Self.tail / Double(looks)
    low = successes == 0 ? 0 : Self.root { Self.beta(k, n - k + 1, at: $0) - tail }
    high = successes == count ? 1 : Self.root { Self.beta(k + 1, n - k, at: $0) - (1 - tail) }
  }

  /// How many worlds a claim about a share needs at least: with fewer, not even all of them holding proves it.
  package static func worlds(for share: Double, looks: Int = 1) -> Int {
    Int((log(tail / Double(looks)) / log(share)).rounded(.up))
  }

  /// Where a function that grows from 0 to 1 passes zero.
  private static func root(_ function: (Double) -> Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let middle = (low + high) / 2
      if function(middle) < 0 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The regularised incomplete beta function (DLMF 8.17), by its continued fraction 8.17.22.
  static func beta(_ a: Double, _ b: Double, at x: Double) -> Double {
    if x <= 0 { return 0 }
    if x >= 1 { return 1 }
    if x > (a + 1) / (a + b + 2) { return 1 - beta(b, a, at: 1 - x) }
    let binomial: Double = lgamma(a + b) - lgamma(a) - lgamma(b)
    let powers: Double = a * log(x) + b * log(1 - x)
    return exp(binomial + powers) / a * fraction(a, b, x)
  }

  /// The method of Lentz: numerators and denominators are kept from zero.
  private static func fraction(_ a: Double, _ b: Double, _ x: Double) -> Double {
    let least = 1e-300
    // As after the first step, whose numerator is 1.
    var (value, c, d) = (1.0, 1 / least, 1.0)
    for step in 1..<20_000 {
      let m = Double(step / 2)
      let even = a + 2 * m
      let term: Double =
        step % 2 == 0 ? m * (b - m) * x / ((even - 1) * even) : -(a + m) * (a + b + m) * x / (even * (even + 1))
      d = 1 + term * d
      d = 1 / (abs(d) < least ? least : d)
      c = 1 + term / c
      if abs(c) < least { c = least }
      value *= c * d
      if abs(c * d - 1) < 1e-15 { break }
    }
    return value
  }

  /// The logarithm of the gamma function of a positive number.
  private static func lgamma(_ x: Double) -> Double {
    var sign: Int32 = 0
    return lgamma_r(x, &sign)
  }
}
