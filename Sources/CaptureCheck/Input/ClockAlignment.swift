import SimKernel

/// How far the clocks of several captures of one session are apart, from the packets that they have in common.
///
/// A packet is sent before it is on the air, and is on the air before it is received. Each one that two captures have
/// bounds the offset from one side: from below when the first capture is nearer to its sender, from above when the
/// second one is. The offset is the middle of what all of them allow, its uncertainty half of that width, as in NTP
/// (RFC 5905, section 8, without its assumption that both ways take the same time). Captures at the same place bound it
/// from both sides; what is left then is the jitter of their clocks.
///
/// Costs one more pass over every capture. Memory: `ClockSightings.limit` sightings of each.
enum ClockAlignment {
  /// Fewer packets in common may be chance.
  static let leastMatches = 3
  private static let windows = 8

  /// What is added to the times of each capture; nil for one that keeps its own clock: the first of all, and the first
  /// of those that have nothing in common with it.
  /// - Parameter given: offsets that somebody knows, by capture.
  static func clocks(_ paths: [String], given: [SimDuration?]) throws(CaptureRefusal) -> [ClockOffset?] {
    var clocks: [ClockOffset?] = paths.indices.map { index in
      guard given.indices.contains(index), let offset = given[index] else { return nil }
      return ClockOffset(offset: offset, uncertainty: .zero, matches: 0)
    }
    guard paths.count > 1 else { return clocks }
    var isSettled = clocks.map { $0 != nil }
    isSettled[0] = true
    if isSettled.allSatisfy({ $0 }) { return clocks }
    var sightings: [[[ClockSightings.Sighting]]] = []
    for path in paths { sightings.append(try ClockWitness.sightings(path)) }
    while let next = isSettled.firstIndex(of: false) {
      if let (index, clock) = best(sightings, clocks, isSettled) {
        clocks[index] = clock
        isSettled[index] = true
      } else {
        isSettled[next] = true
      }
    }
    return clocks
  }

  /// The capture whose clock is known best through those that are settled.
  private static func best(
    _ sightings: [[[ClockSightings.Sighting]]], _ clocks: [ClockOffset?], _ isSettled: [Bool]
  ) -> (Int, ClockOffset)? {
    var best: (Int, ClockOffset)?
    for new in isSettled.indices where !isSettled[new] {
      for old in isSettled.indices where isSettled[old] {
        guard var clock = estimate(sightings[old], sightings[new]) else { continue }
        if let other = clocks[old] {
          let there = clock.middle.addingReportingOverflow(clock.offset.nanoseconds).partialValue
          clock.offset += SimDuration(nanoseconds: other.correction(at: there))
          clock.uncertainty += other.uncertainty
          clock.driftPPB += other.driftPPB
        }
        // What bounds from one side only comes last.
        let isBetter = best.map { best in
          clock.isOneSided == best.1.isOneSided
            ? clock.uncertainty < best.1.uncertainty : best.1.isOneSided
        }
        if isBetter ?? true { best = (new, clock) }
      }
    }
    return best
  }

  /// What is to be added to the times of `b` to have those of `a`.
  private static func estimate(
    _ a: [[ClockSightings.Sighting]], _ b: [[ClockSightings.Sighting]]
  ) -> ClockOffset? {
    for (a, b) in zip(a, b) {
      let matches = plausible(sameSession(matches(a, b), of: min(a.count, b.count)))
      if matches.count >= leastMatches { return estimate(matches) }
    }
    return nil
  }

  /// A packet that both captures have.
  struct Match {
    /// By the clock of the second capture.
    var nanoseconds: Int64
    /// How far the first capture's time is from the second one's.
    var difference: Int64
    /// Which of them was nearer to the sender: negative the first, positive the second, 0 neither.
    var order: Int
    /// Both were sniffers.
    var isOnAir = false

    var isLowerBound: Bool { order <= 0 }
    var isUpperBound: Bool { order >= 0 }
  }

  private static func matches(_ a: [ClockSightings.Sighting], _ b: [ClockSightings.Sighting]) -> [Match] {
    var matches: [Match] = []
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      if a[i].key < b[j].key {
        i += 1
      } else if a[i].key > b[j].key {
        j += 1
      } else {
        let (difference, overflows) = a[i].nanoseconds.subtractingReportingOverflow(b[j].nanoseconds)
        if !overflows {
          matches.append(
            Match(
              nanoseconds: b[j].nanoseconds, difference: difference, order: a[i].stage - b[j].stage,
              isOnAir: a[i].stage == 1 && b[j].stage == 1))
        }
        i += 1
        j += 1
      }
    }
    return matches
  }

  /// Two hosts that received the same octets, or sent them, had packets of their own: a broadcast to several peers.
  /// Only captures of one and the same HCI have most packets in common that way.
  private static func sameSession(_ matches: [Match], of all: Int) -> [Match] {
    let alike = matches.count { $0.order == 0 && !$0.isOnAir }
    return alike * 4 >= all && alike * 2 > matches.count ? matches : matches.filter { $0.order != 0 || $0.isOnAir }
  }

  /// Without those whose difference is far from that of most: other packets with the same octets.
  private static func plausible(_ matches: [Match]) -> [Match] {
    guard let middle = median(matches.map(\.difference)) else { return [] }
    func distance(_ match: Match) -> Int64 {
      Int64(clamping: match.difference.subtractingReportingOverflow(middle).partialValue.magnitude)
    }
    let spread = median(matches.map(distance)) ?? 0
    let limit = max(2_000_000_000, spread.multipliedReportingOverflow(by: 8).partialValue)
    return matches.filter { distance($0) <= limit }
  }

  private static func median(_ values: [Int64]) -> Int64? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }

  /// The offset that matches allow.
  static func estimate(_ matches: [Match]) -> ClockOffset? {
    guard matches.count >= leastMatches, let start = matches.map(\.nanoseconds).min(),
      let end = matches.map(\.nanoseconds).max()
    else { return nil }
    let drift = driftPPB(matches, from: start, to: end)
    let middle = start + (end - start) / 2
    let corrected = matches.map { match in
      var match = match
      match.difference -= ClockOffset.drift(drift, over: match.nanoseconds - middle)
      return match
    }
    guard let (offset, uncertainty, isOneSided) = middleOfBounds(corrected) else { return nil }
    var clock = ClockOffset(
      offset: SimDuration(nanoseconds: offset), uncertainty: SimDuration(nanoseconds: max(1_000, uncertainty)),
      matches: matches.count)
    clock.driftPPB = drift
    clock.isOneSided = isOneSided
    clock.middle = middle
    return clock
  }

  private static func middleOfBounds(_ matches: [Match]) -> (offset: Int64, uncertainty: Int64, isOneSided: Bool)? {
    let lower = matches.filter(\.isLowerBound).map(\.difference).max()
    let upper = matches.filter(\.isUpperBound).map(\.difference).min()
    if let lower, let upper {
      // The bounds cross by what clocks jitter; half of that is what is not known then.
      return (lower + (upper - lower) / 2, ((upper - lower).magnitude / 2).clamped, false)
    }
    // One way only: the quickest packet took some time that nobody knows. No more than the packets differ, says
    // experience.
    let all = matches.map(\.difference)
    guard let bound = lower ?? upper, let least = all.min(), let most = all.max() else { return nil }
    return (bound, max(most - least, 50_000_000), true)
  }

  /// How much faster the first clock is, in parts per 10⁹: 0 unless what the first and the last windows of time allow
  /// excludes one constant offset.
  private static func driftPPB(_ matches: [Match], from start: Int64, to end: Int64) -> Int {
    let width = (end - start) / Int64(windows) + 1
    var bounds: [(lower: Int64?, upper: Int64?, matches: Int)] = Array(repeating: (nil, nil, 0), count: windows)
    for match in matches {
      let window = Int((match.nanoseconds - start) / width)
      bounds[window].matches += 1
      if match.isLowerBound { bounds[window].lower = max(bounds[window].lower ?? .min, match.difference) }
      if match.isUpperBound { bounds[window].upper = min(bounds[window].upper ?? .max, match.difference) }
    }
    let known = bounds.indices.filter {
      bounds[$0].lower != nil && bounds[$0].upper != nil && bounds[$0].matches >= leastMatches
    }
    guard let first = known.first, let last = known.last, last > first,
      let (a, aUncertainty) = middle(bounds[first]), let (b, bUncertainty) = middle(bounds[last])
    else { return 0 }
    let change = b - a
    if change.magnitude <= (aUncertainty + bUncertainty).magnitude { return 0 }
    let rate = change.scaled(by: 1_000_000_000, over: Int64(last - first) * width)
    // No clock of a computer is off by more than a tenth of a per cent; a step of the clock is no drift.
    return rate.magnitude < 1_000_000 ? Int(rate) : 0
  }

  private static func middle(_ bounds: (lower: Int64?, upper: Int64?, matches: Int)) -> (Int64, Int64)? {
    guard let lower = bounds.lower, let upper = bounds.upper else { return nil }
    return (lower + (upper - lower) / 2, ((upper - lower).magnitude / 2).clamped)
  }
}

extension Int64 {
  /// Times a factor, over a divisor, towards zero; cut to the range, without overflow in between.
  func scaled(by factor: Int64, over divisor: Int64) -> Int64 {
    let product = magnitude.multipliedFullWidth(by: factor.magnitude)
    let isNegative = (self < 0) != ((factor < 0) != (divisor < 0))
    guard divisor.magnitude > product.high else { return isNegative ? .min : .max }
    let quotient = Int64(clamping: divisor.magnitude.dividingFullWidth(product).quotient)
    return isNegative ? -quotient : quotient
  }
}

extension UInt64 {
  fileprivate var clamped: Int64 { Int64(clamping: self) }
}
