package import Judging

/// Looks for the value of a key at which a claim ceases to hold, by bisection.
///
/// It assumes that the claim holds on one side of the limit and fails on the other. What comes next depends
/// on what was found so far, and on nothing else.
package struct LimitSearch: Hashable, Sendable {
  package let key: String
  package let range: MagnitudeRange

  /// A value that was tried.
  package struct Point: Hashable, Sendable {
    package var value: Int64
    /// The claim's: inconclusive when all seeds were too few.
    package var verdict: Verdict

    package init(value: Int64, verdict: Verdict) {
      self.value = value
      self.verdict = verdict
    }
  }

  /// What is known.
  package enum Outcome: Hashable, Sendable {
    case searching
    /// It holds at both ends of the range.
    case holdsEverywhere
    /// It fails at both ends.
    case failsEverywhere
    /// An end of the range is undecided.
    case undecidedEnd(Int64)
    /// The last value at which it holds, and the first one at which it fails, as far as was decided; between them every
    /// value was too close to the limit for so many seeds, or is finer than the range.
    case limit(holds: Int64, fails: Int64)
  }

  /// - Throws: `Variation.Refusal` for what is no `key=lo..hi`.
  package init(_ text: String) throws(Variation.Refusal) {
    let variation = try Variation(text)
    guard case .range(let range) = variation.choice else {
      throw Variation.Refusal(description: "--limit takes a range, \(variation.key)=lo..hi, not a list")
    }
    key = variation.key
    self.range = range
  }

  package func setting(_ value: Int64) -> String { range.text(value) }

  /// Nil: there is nothing more to try.
  package func next(after points: [Point]) -> Int64? {
    for end in [range.low, range.high] where !points.contains(where: { $0.value == end }) { return end }
    guard case .limit(let holds, let fails) = outcome(of: points) else { return nil }
    // What is beyond the limit was undecided by too few seeds, and no longer matters.
    let between = min(holds, fails)...max(holds, fails)
    let open = points.filter { $0.verdict == .inconclusive && between.contains($0.value) }.map(\.value)
    // The undecided values lie together; what is between them and the decided ones may still be decided.
    let gaps =
      open.isEmpty
      ? [(holds, fails)]
      : holds < fails
        ? [(holds, open.min() ?? fails), (open.max() ?? holds, fails)]
        : [(fails, open.min() ?? holds), (open.max() ?? fails, holds)]
    // A claim that holds again beyond its limit would have a value tried twice.
    return gaps.filter { abs($0.1 - $0.0) > 1 }.map { min($0.0, $0.1) + abs($0.1 - $0.0) / 2 }.first { value in
      !points.contains { $0.value == value }
    }
  }

  package func outcome(of points: [Point]) -> Outcome {
    guard let low = points.first(where: { $0.value == range.low }),
      let high = points.first(where: { $0.value == range.high })
    else { return .searching }
    if low.verdict == .inconclusive { return .undecidedEnd(low.value) }
    if high.verdict == .inconclusive { return .undecidedEnd(high.value) }
    let (holding, failing) = (
      points.filter { $0.verdict == .pass }, points.filter { $0.verdict != .pass && $0.verdict != .inconclusive }
    )
    guard let first = holding.map(\.value).min(), let last = holding.map(\.value).max() else { return .failsEverywhere }
    guard let least = failing.map(\.value).min(), let most = failing.map(\.value).max() else { return .holdsEverywhere }
    return low.verdict == .pass ? .limit(holds: last, fails: least) : .limit(holds: first, fails: most)
  }

  /// For people.
  package func sentence(_ outcome: Outcome, claim: String) -> String {
    switch outcome {
    case .searching: "limit: not found, the search was ended before its end"
    case .holdsEverywhere:
      "limit: none, “\(claim)” holds at \(key)=\(setting(range.low)) and at \(key)=\(setting(range.high))"
    case .failsEverywhere:
      "limit: none, “\(claim)” fails at \(key)=\(setting(range.low)) and at \(key)=\(setting(range.high))"
    case .undecidedEnd(let value): "limit: unknown, too few seeds to decide “\(claim)” at \(key)=\(setting(value))"
    case .limit(let holds, let fails) where fails < holds:
      "limit: “\(claim)” fails up to \(key)=\(setting(fails)) and holds from \(key)=\(setting(holds)) on"
    case .limit(let holds, let fails):
      "limit: “\(claim)” holds up to \(key)=\(setting(holds)) and fails from \(key)=\(setting(fails)) on"
    }
  }
}
