import SimKernel

/// Finds captures that were taken at one place: a capture and its copy, two logs of one controller, two sniffers of one
/// connection.
///
/// What both have is not merely the same packet but the same record, at one distance in time: so their clocks are known
/// record by record, and what one lacks the other may have. Hosts that hear the same advertisers, and sniffers that
/// follow other connections, have no such records in common, or not at one distance.
enum ClockTwins {
  /// Fewer records in common may be chance.
  private static let leastMatches = 8
  /// How far the distances of neighbouring records may be apart: what clocks drift, and what a sniffer's time jitters.
  private static let jitter: Int64 = 1_000_000
  /// On each side of a record: its neighbours say what the distance is there.
  private static let neighbours = 4
  /// So many of ten records must have the distance of their neighbours.
  private static let agreeing = 9
  private static let anchorLimit = 1_024

  /// The clock of `b` as that of `a`; nil: they are not of one place.
  static func clock(_ a: WitnessedCapture, _ b: WitnessedCapture) -> ClockOffset? {
    if areOthers(a, b) { return nil }
    for kind in a.records.indices where b.records.indices.contains(kind) {
      let (one, other) = (a.records[kind], b.records[kind])
      // A connection that both followed says more than advertisers that both heard.
      if one.isEmpty && other.isEmpty { continue }
      return clock(one, other)
    }
    return nil
  }

  /// Whether the controllers of two hosts have other addresses. Hosts of one make begin with the same commands, and
  /// hear
  /// the same advertisers.
  private static func areOthers(_ a: WitnessedCapture, _ b: WitnessedCapture) -> Bool {
    a.adapters.contains { own in
      b.adapters.contains { theirs in
        own.number == theirs.number && !own.addresses.isEmpty && !theirs.addresses.isEmpty
          && !own.addresses.contains(where: theirs.addresses.contains)
      }
    }
  }

  private static func clock(
    _ one: [ClockSightings.Sighting], _ other: [ClockSightings.Sighting]
  ) -> ClockOffset? {
    let matches = matches(one, other).sorted { $0.at < $1.at }
    guard matches.count >= leastMatches else { return nil }
    let kept = matches.indices.filter { index in
      let near = matches[max(0, index - neighbours)...min(matches.count - 1, index + neighbours)].map(\.difference)
      return distance(matches[index].difference, near.sorted()[near.count / 2]) <= jitter
    }.map { matches[$0] }
    guard kept.count * 10 >= matches.count * agreeing else { return nil }
    // Most of what both could have must be in both.
    let (found, difference) = (kept.count, kept[kept.count / 2].difference)
    let ofOne = one.map { sum($0.nanoseconds, 0 &- difference) }
    let ofOther = other.map(\.nanoseconds)
    let start = max(ofOne.min() ?? 0, ofOther.min() ?? 0)
    let end = min(ofOne.max() ?? 0, ofOther.max() ?? 0)
    guard start <= end else { return nil }
    let counts = [ofOne, ofOther].map { times in times.count { (start...end).contains($0) } }
    guard found * 2 >= counts.min() ?? 0 else { return nil }
    return clock(kept)
  }

  private static func clock(_ matches: [ClockAnchor]) -> ClockOffset {
    let differences = matches.map(\.difference).sorted()
    let middle = differences[differences.count / 2]
    let steps = zip(matches, matches.dropFirst()).map { distance($0.difference, $1.difference) }.sorted()
    let spread = steps.isEmpty ? 0 : steps[steps.count * 9 / 10]
    var clock = ClockOffset(
      offset: SimDuration(nanoseconds: middle), uncertainty: SimDuration(nanoseconds: max(1_000, spread)),
      matches: matches.count)
    let stride = (matches.count + anchorLimit - 1) / anchorLimit
    clock.anchors = matches.indices.filter { $0.isMultiple(of: stride) || $0 == matches.count - 1 }.map { matches[$0] }
    return clock
  }

  private static func matches(
    _ a: [ClockSightings.Sighting], _ b: [ClockSightings.Sighting]
  ) -> [ClockAnchor] {
    var matches: [ClockAnchor] = []
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      if a[i].key != b[j].key {
        if a[i].key < b[j].key { i += 1 } else { j += 1 }
        continue
      }
      let (difference, overflows) = a[i].nanoseconds.subtractingReportingOverflow(b[j].nanoseconds)
      if !overflows { matches.append(ClockAnchor(at: b[j].nanoseconds, difference: difference)) }
      i += 1
      j += 1
    }
    return matches
  }

  private static func distance(_ a: Int64, _ b: Int64) -> Int64 {
    Int64(clamping: a.subtractingReportingOverflow(b).partialValue.magnitude)
  }

  private static func sum(_ a: Int64, _ b: Int64) -> Int64 {
    let (sum, overflows) = a.addingReportingOverflow(b)
    return overflows ? (a < 0 ? .min : .max) : sum
  }
}

/// What a clock was off by at one of its times.
struct ClockAnchor: Hashable, Sendable {
  /// Nanoseconds, by the capture's own clock.
  var at: Int64
  /// What is to be added then.
  var difference: Int64
}
