package import Judging

/// What the worlds that were played say about a claim.
package struct ClaimResult: Hashable, Sendable {
  package var verdict: Verdict
  package var tally: ClaimTally
  /// The share of all worlds in which it holds, with 95 % certainty; nil for a claim about the worlds that were played
  /// only, and when nothing could be decided.
  package var interval: BinomialInterval?
  /// How many worlds are needed at least to prove it; nil for a claim about the worlds that were played.
  package var needed: Int?

  /// - Parameter looks: how often somebody looks at it, and might stop.
  package init(_ claim: Claim, _ tally: ClaimTally, looks: Int = 1) {
    self.tally = tally
    let decided = tally.holds + tally.fails
    guard let share = claim.share else {
      verdict = tally.fails > 0 ? .fail : decided > 0 ? .pass : .inconclusive
      return
    }
    needed = BinomialInterval.worlds(for: Double(share) / 1_000_000, looks: looks)
    guard decided > 0 else {
      verdict = .inconclusive
      return
    }
    let interval = BinomialInterval(successes: tally.holds, of: decided, looks: looks)
    self.interval = interval
    let bound = Double(share) / 1_000_000
    verdict = interval.low >= bound ? .pass : interval.high < bound ? .fail : .inconclusive
  }
}
