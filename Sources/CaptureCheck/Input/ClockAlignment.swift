import SimKernel

/// How far the clocks of several captures of one session are apart, from the packets that they have in common.
///
/// A packet is sent before it is on the air, and is on the air before it is received. Each one that two captures have
/// bounds the offset from one side: from below when the first capture is nearer to its sender, from above when the
/// second one is. The offset is the middle of what all of them allow, its uncertainty half of that width, as in NTP
/// (RFC 5905, section 8, without its assumption that both ways take the same time). Captures at the same place bound it
/// from both sides; what is left then is the jitter of their clocks. Clocks that may be equal by all bounds are taken
/// for equal: then the uncertainty is the distance to the farther bound.
///
/// Which packets are the same is decided by `ClockMatches`. Every pair of captures is compared: what another pair
/// contradicts is not certain.
///
/// Costs one more pass over every capture. Memory: `ClockSightings.limit` sightings of each.
enum ClockAlignment {
  /// Fewer packets in common may be chance.
  static let leastMatches = 3
  private static let windows = 8
  /// With packets of one direction only, clocks are taken for equal when the quickest packet took at most this long
  /// then.
  private static let longestWay: Int64 = 1_000_000_000

  /// What is added to the times of each capture; nil for one that keeps its own clock: the first of all, and the first
  /// of those that have nothing in common with it.
  /// - Parameters:
  ///   - given: offsets that somebody knows, by capture.
  ///   - keys: for what is encrypted on the air.
  static func clocks(
    _ paths: [String], given: [SimDuration?], keys: [CaptureKey] = []
  ) throws(CaptureRefusal) -> [ClockOffset?] {
    var clocks: [ClockOffset?] = paths.indices.map { index in
      guard given.indices.contains(index), let offset = given[index] else { return nil }
      return ClockOffset(offset: offset, uncertainty: .zero, matches: 0)
    }
    guard paths.count > 1 else { return clocks }
    var isSettled = clocks.map { $0 != nil }
    isSettled[0] = true
    if isSettled.allSatisfy({ $0 }) { return clocks }
    var captures: [WitnessedCapture] = []
    for path in paths { captures.append(try ClockWitness.read(path, keys)) }
    // By capture that is not settled: what each settled one says of its clock.
    var views: [[ClockOffset]] = Array(repeating: [], count: paths.count)
    func settle(_ old: Int) {
      isSettled[old] = true
      for new in isSettled.indices where !isSettled[new] {
        if var found = ClockTwins.clock(captures[old], captures[new]) {
          found.twin = old
          views[new].append(through(clocks[old], found))
        } else if let found = estimate(captures[old], captures[new]) {
          views[new].append(through(clocks[old], found))
        }
      }
    }
    for index in isSettled.indices where isSettled[index] { settle(index) }
    while let next = isSettled.firstIndex(of: false) {
      if let (index, clock) = best(views, isSettled) {
        clocks[index] = clock
        settle(index)
      } else {
        settle(next)
      }
    }
    return clocks
  }

  /// The capture whose clock is known best through those that are settled.
  private static func best(_ views: [[ClockOffset]], _ isSettled: [Bool]) -> (Int, ClockOffset)? {
    var best: (Int, ClockOffset)?
    for new in isSettled.indices where !isSettled[new] {
      guard var clock = views[new].reduce(nil, { $1.isBetter(than: $0) ? $1 : $0 }) else { continue }
      clock.isDisputed = views[new].contains { !$0.isOneSided && !clock.isOneSided && !$0.agrees(with: clock) }
      if clock.isBetter(than: best?.1) { best = (new, clock) }
    }
    return best
  }

  /// An offset to another capture, as one to the common clock.
  private static func through(_ other: ClockOffset?, _ estimate: ClockOffset) -> ClockOffset {
    guard let other else { return estimate }
    var clock = estimate
    let there = clock.middle.addingReportingOverflow(clock.offset.nanoseconds).partialValue
    clock.offset += SimDuration(nanoseconds: other.correction(at: there))
    clock.anchors = clock.anchors.map { anchor in
      let time = anchor.at.addingReportingOverflow(anchor.difference).partialValue
      return ClockAnchor(at: anchor.at, difference: anchor.difference &+ other.correction(at: time))
    }
    clock.uncertainty += other.uncertainty
    clock.driftPPB += other.driftPPB
    clock.isOneSided = clock.isOneSided || other.isOneSided
    return clock
  }

  /// What is to be added to the times of `b` to have those of `a`.
  private static func estimate(_ a: WitnessedCapture, _ b: WitnessedCapture) -> ClockOffset? {
    for kind in a.sightings.indices {
      let matches = ClockMatches.find(a, b, kind: kind)
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
    /// Both captures name both ends of its connection.
    var hasEnds = false
    /// `Sighting.link` in the first capture and in the second.
    var first: Int32 = -1
    var second: Int32 = -1

    var isLowerBound: Bool { order <= 0 }
    var isUpperBound: Bool { order >= 0 }
  }

  /// The offset that matches allow.
  static func estimate(_ matches: [Match]) -> ClockOffset? {
    guard matches.count >= leastMatches, let start = matches.map(\.nanoseconds).min(),
      let end = matches.map(\.nanoseconds).max()
    else { return nil }
    if let clock = equalClocks(matches) { return clock }
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

  /// Clocks that are the same as far as all matches say; nil when one of them contradicts it.
  private static func equalClocks(_ matches: [Match]) -> ClockOffset? {
    let lower = matches.filter(\.isLowerBound).map(\.difference).max()
    let upper = matches.filter(\.isUpperBound).map(\.difference).min()
    guard lower ?? 0 <= 0, upper ?? 0 >= 0 else { return nil }
    let width = max((lower ?? 0).magnitude, (upper ?? 0).magnitude).clamped
    let isOneSided = lower == nil || upper == nil
    // Nothing bounds clocks that are apart the other way.
    if isOneSided, width > longestWay { return nil }
    var clock = ClockOffset(
      offset: .zero, uncertainty: SimDuration(nanoseconds: max(1_000, width)), matches: matches.count)
    clock.isOneSided = isOneSided
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
