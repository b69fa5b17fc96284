#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Whether differences of pairs lie to one side of zero: the signed-rank test of Wilcoxon (Biometrics Bulletin 1,
/// 1945), which asks nothing of how they are distributed but that chance would make them as often positive as negative.
///
/// Magnitudes in one bucket of a distribution are ties, and share their rank. The normal approximation, with the
/// variance of ties taken off; below twenty differences the sign test, which is exact.
package struct SignedRankTest: Hashable, Sendable {
  /// The probability of ranks as uneven, two-sided; 1 without differences.
  package let p: Double

  private static let least = 20

  /// - Parameters:
  ///   - worse: magnitudes to one side.
  ///   - better: magnitudes to the other, counted in the same steps.
  package init(worse: Distribution, better: Distribution) {
    let count = Int(worse.count + better.count)
    guard count >= Self.least else {
      p = SignTest(worse: Int(worse.count), better: Int(better.count)).p
      return
    }
    let buckets = Self.joined(worse.buckets, better.buckets)
    let n = Double(count)
    var (sum, ties, rank) = (0.0, 0.0, 0.0)
    for bucket in buckets {
      let tied = Double(bucket.worse + bucket.better)
      sum += Double(bucket.worse) * (rank + (tied + 1) / 2)
      ties += tied * (tied * tied - 1)
      rank += tied
    }
    let variance = n * (n + 1) * (2 * n + 1) / 24 - ties / 48
    let distance = abs(sum - n * (n + 1) / 4)
    p = variance > 0 ? erfc(distance / (2 * variance).squareRoot()) : 1
  }

  /// By magnitude, in ascending order.
  private static func joined(
    _ worse: [(value: UInt64, count: UInt64)], _ better: [(value: UInt64, count: UInt64)]
  ) -> [(worse: UInt64, better: UInt64)] {
    var joined: [(worse: UInt64, better: UInt64)] = []
    var (a, b) = (worse[...], better[...])
    while let first = [a.first?.value, b.first?.value].compactMap(\.self).min() {
      let bad = a.first?.value == first ? a.removeFirst().count : 0
      let good = b.first?.value == first ? b.removeFirst().count : 0
      joined.append((bad, good))
    }
    return joined
  }
}
