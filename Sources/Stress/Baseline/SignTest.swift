/// Whether pairs changed more often in one direction than chance would have it: the sign test, which asks nothing of
/// how the differences are distributed. Pairs that are equal say nothing.
package struct SignTest: Hashable, Sendable {
  /// The probability of a split at least as uneven when both directions are as likely, two-sided; 1 without pairs.
  package let p: Double

  package init(worse: Int, better: Int) {
    let (more, count) = (max(worse, better), worse + better)
    guard count > 0 else {
      p = 1
      return
    }
    // The upper tail of the binomial distribution is an incomplete beta function (DLMF 8.17.5).
    p = min(1, 2 * BinomialInterval.beta(Double(more), Double(count - more + 1), at: 0.5))
  }
}
