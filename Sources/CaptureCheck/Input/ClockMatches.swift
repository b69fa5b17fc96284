/// The packets that two captures have in common.
///
/// The same octets may be another packet: a server tells several clients the same, and a client says the same to its
/// server on every connection. So packets count by the connections that they were on. Two connections of which the
/// captures name other ends are two; of the rest a connection has at most one counterpart at each controller, the one
/// with most packets in common. What is left and far from what nearly all others allow is left out.
enum ClockMatches {
  typealias Match = ClockAlignment.Match

  /// Clocks of real captures jitter: what bounds contradict each other by that is no contradiction.
  private static let jitter: Int64 = 50_000_000
  /// One in so many may be another packet with the same octets.
  private static let strays = 8

  /// - Parameter kind: index into `WitnessedCapture.sightings`.
  static func find(_ a: WitnessedCapture, _ b: WitnessedCapture, kind: Int) -> [Match] {
    let counterparts = counterparts(matches(a, b, kind: kind), a, b)
    let least = min(a.sightings[kind].count, b.sightings[kind].count)
    return agreeing(plausible(sameSession(counterparts, of: least)))
  }

  private static func matches(_ one: WitnessedCapture, _ other: WitnessedCapture, kind: Int) -> [Match] {
    let (a, b) = (one.sightings[kind], other.sightings[kind])
    var matches: [Match] = []
    var i = 0
    var j = 0
    while i < a.count, j < b.count {
      if a[i].key < b[j].key {
        i += 1
      } else if a[i].key > b[j].key {
        j += 1
      } else {
        if let match = match(a[i], b[j], one.link(a[i].link), other.link(b[j].link)) { matches.append(match) }
        i += 1
        j += 1
      }
    }
    return matches
  }

  private static func match(
    _ a: ClockSightings.Sighting, _ b: ClockSightings.Sighting, _ own: LinkIdentity?, _ theirs: LinkIdentity?
  ) -> Match? {
    let (difference, overflows) = a.nanoseconds.subtractingReportingOverflow(b.nanoseconds)
    if overflows { return nil }
    var match = Match(
      nanoseconds: b.nanoseconds, difference: difference, order: a.stage - b.stage,
      isOnAir: a.stage == 1 && b.stage == 1)
    guard let own, let theirs else { return match }
    if own.isAnother(than: theirs) { return nil }
    match.hasEnds = own.hasEnds(of: theirs)
    (match.first, match.second) = (a.link, b.link)
    return match
  }

  // MARK: Counterparts

  private struct Pair {
    var first: Int32
    var second: Int32
    /// Controllers at which they were captured.
    var firstAdapter: Int
    var secondAdapter: Int
    var count = 0
  }

  /// The matches of connections that are each other's best counterpart.
  private static func counterparts(_ matches: [Match], _ a: WitnessedCapture, _ b: WitnessedCapture) -> [Match] {
    var pairs: [Pair] = []
    var newest = 0
    for match in matches.sorted(by: { ($0.first, $0.second) < ($1.first, $1.second) }) {
      if newest < pairs.count, pairs[newest].first == match.first, pairs[newest].second == match.second {
        pairs[newest].count += 1
        continue
      }
      newest = pairs.count
      pairs.append(
        Pair(
          first: match.first, second: match.second, firstAdapter: a.link(match.first)?.adapter ?? -1,
          secondAdapter: b.link(match.second)?.adapter ?? -1, count: 1))
    }
    // By connection: the most packets that it has in common with one of each controller, and whether two have as many.
    let firsts = best(pairs, \.first, \.secondAdapter)
    let seconds = best(pairs, \.second, \.firstAdapter)
    let kept = pairs.filter { pair in
      pair.first < 0
        || firsts(pair.first, pair.secondAdapter) == pair.count
          && seconds(pair.second, pair.firstAdapter) == pair.count
    }
    let known = Dictionary(uniqueKeysWithValues: kept.map { (Int64($0.first) << 32 | Int64($0.second), true) })
    return matches.filter { known[Int64($0.first) << 32 | Int64($0.second)] != nil }
  }

  /// The count of the one best pair of a connection at a controller; 0 where two are equally good.
  private static func best(
    _ pairs: [Pair], _ link: KeyPath<Pair, Int32>, _ adapter: KeyPath<Pair, Int>
  ) -> (Int32, Int) -> Int {
    var counts: [Int64: Int] = [:]
    var ties: [Int64: Bool] = [:]
    for pair in pairs {
      let key = Int64(pair[keyPath: link]) << 20 | Int64(pair[keyPath: adapter] + 1)
      let count = counts[key] ?? 0
      if pair.count >= count {
        ties[key] = pair.count == count
        counts[key] = pair.count
      }
    }
    return { link, adapter in
      let key = Int64(link) << 20 | Int64(adapter + 1)
      return ties[key] ?? false ? 0 : counts[key] ?? 0
    }
  }

  // MARK: What they say together

  /// Two hosts that received the same octets, or sent them, had packets of their own: a broadcast to several peers.
  /// Only captures of one and the same HCI have most packets in common that way: nearly all, where the captures do not
  /// name both ends.
  private static func sameSession(_ matches: [Match], of all: Int) -> [Match] {
    let alike = matches.filter { $0.order == 0 && !$0.isOnAir }
    let isSame =
      alike.count * 2 > matches.count
      && (alike.allSatisfy(\.hasEnds) ? alike.count * 4 >= all : alike.count * 10 >= all * 9)
    return isSame ? matches : matches.filter { $0.order != 0 || $0.isOnAir }
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

  /// Without the few that no offset allows together with all others. When they are not few, all are kept: what they
  /// allow together is wide then, and nothing is certain.
  private static func agreeing(_ matches: [Match]) -> [Match] {
    let lower = matches.filter(\.isLowerBound).map(\.difference).sorted()
    let upper = matches.filter(\.isUpperBound).map(\.difference).sorted()
    guard let highest = lower.last, let lowest = upper.first,
      exceeds(highest, lowest)
    else { return matches }
    var best: (offset: Int64, kept: Int)?
    var above = 0
    // The offset that fewest bounds exclude, among those that lower bounds name.
    for (below, offset) in lower.enumerated() {
      while above < upper.count, upper[above] < offset { above += 1 }
      let kept = below + 1 + upper.count - above
      if kept > best?.kept ?? 0 { best = (offset, kept) }
    }
    guard let offset = best?.offset else { return matches }
    let agreed = matches.filter { match in
      !(match.isLowerBound && exceeds(match.difference, offset))
        && !(match.isUpperBound && exceeds(offset, match.difference))
    }
    return (matches.count - agreed.count) * strays <= matches.count ? agreed : matches
  }

  /// Whether one is greater by more than clocks jitter.
  private static func exceeds(_ a: Int64, _ b: Int64) -> Bool {
    let (difference, overflows) = a.subtractingReportingOverflow(b)
    return overflows ? a > b : difference > jitter
  }
}
