package import SimKernel

/// Where what apps said to each other in one timeline left what they said in another: for a run and a capture, which
/// have nothing else in common.
///
/// Between each two devices and in each direction, packets are compared by their kind and order; then by what they say,
/// member by member. Instants do not count. Where a timeline is over earlier, it is compared as far as it goes; what a
/// capture may have missed (`PacketAlignment`) is counted and is no difference.
package struct ConversationDifference: Sendable {
  /// Packets of the first and of the second timeline, by index; nil: nothing more came.
  package struct Place: Sendable {
    /// Lanes of the first timeline.
    package var from: Int
    package var to: Int
    /// Counts those of this direction in the first timeline, from 1.
    package var number: Int
    package var first: Int?
    package var second: Int?
  }

  /// A member that packets of one kind have otherwise.
  package struct Member: Sendable {
    /// What the packets are.
    package var label: String
    package var path: String
    package var first: String
    package var second: String
    /// How many packets have it otherwise, and the first of them.
    package var count: Int
    package var place: Place
  }

  /// What is said later than this before the end of a timeline may be missing there.
  private static let edge = SimDuration.milliseconds(100)

  /// Lanes that are the same device.
  package private(set) var pairs: [(first: Int, second: Int)] = []
  package private(set) var onlyFirst: [Int] = []
  package private(set) var onlySecond: [Int] = []
  /// How much later than the second timeline says it the same thing is in the first.
  package private(set) var shift = SimDuration.zero
  /// Packets that the other one has, and that a capture with missing PDUs may have missed.
  package private(set) var missedByFirst = 0
  package private(set) var missedBySecond = 0
  /// Packets of the same kind and order in both.
  package private(set) var compared = 0
  /// The first packet that is of another kind, or that only one of them has.
  package private(set) var packet: Place?
  /// In the order of their first packets.
  package private(set) var members: [Member] = []
  /// One of them goes on after the other is over.
  package private(set) var goesOn: (side: Side, packets: Int)?

  package enum Side: Sendable { case first, second }

  package var isEmpty: Bool { packet == nil && members.isEmpty }

  package init(_ a: RunTimeline, _ b: RunTimeline) {
    let pairing = LanePairing(a, b)
    (pairs, onlyFirst, onlySecond) = (pairing.pairs, pairing.onlyFirst, pairing.onlySecond)
    let directions = pairs.flatMap { from in pairs.map { to in (from, to) } }
      .map { from, to in
        Direction(
          from: from.first, to: to.first, first: Self.said(a, from.first, to.first),
          second: Self.said(b, from.second, to.second))
      }
    shift = Self.shift(a, b, directions)
    var ends: [(at: SimInstant, place: Place)] = []
    var changed: [(at: SimInstant, members: [PacketMembers.Difference], place: Place)] = []
    for direction in directions {
      let alignment = PacketAlignment(
        direction.first.map { a.packets[$0] }, direction.second.map { b.packets[$0] },
        firstMisses: a.missesPDUs, secondMisses: b.missesPDUs)
      compared += alignment.pairs.count
      missedByFirst += alignment.missedByFirst
      missedBySecond += alignment.missedBySecond
      for (first, second) in alignment.pairs {
        let place = direction.place(first, second)
        let (mine, other) = (direction.first[first], direction.second[second])
        let members = PacketMembers.differences(a.packets[mine].body, b.packets[other].body)
        if !members.isEmpty { changed.append((a.packets[mine].sentAt, members, place)) }
      }
      let place = direction.place(alignment.first, alignment.second)
      let (mine, other) = (place.first.map { a.packets[$0].sentAt }, place.second.map { b.packets[$0].sentAt + shift })
      switch (mine, other) {
      case (nil, nil): continue
      case (let mine?, nil) where b.end + shift < mine + Self.edge:
        isBeyond(.first, direction.first.count - alignment.first)
      case (nil, let other?) where a.end < other + Self.edge:
        isBeyond(.second, direction.second.count - alignment.second)
      default: ends.append(([mine, other].compactMap(\.self).min() ?? .zero, place))
      }
    }
    packet = ends.min { $0.at < $1.at }?.place
    for (_, members, place) in changed.sorted(by: { $0.at < $1.at }) {
      note(members, a.packets[place.first ?? 0].label, place)
    }
  }

  /// What one device said to another, as indices of packets in both timelines.
  private struct Direction {
    var from: Int
    var to: Int
    var first: [Int]
    var second: [Int]

    /// - Parameters: places in the lists, from 0.
    func place(_ mine: Int, _ other: Int) -> Place {
      Place(
        from: from, to: to, number: mine + 1, first: mine < first.count ? first[mine] : nil,
        second: other < second.count ? second[other] : nil)
    }
  }

  private static func said(_ timeline: RunTimeline, _ from: Int, _ to: Int) -> [Int] {
    timeline.packets.indices.filter { index in
      let packet = timeline.packets[index]
      return packet.isOfApp && packet.from == from && packet.to == to
    }.sorted { (timeline.packets[$0].sentAt, $0) < (timeline.packets[$1].sentAt, $1) }
  }

  /// By the first thing that both have.
  private static func shift(_ a: RunTimeline, _ b: RunTimeline, _ directions: [Direction]) -> SimDuration {
    let begins = directions.compactMap { direction -> (SimInstant, SimInstant)? in
      guard let mine = direction.first.first, let other = direction.second.first else { return nil }
      return (a.packets[mine].sentAt, b.packets[other].sentAt)
    }
    return begins.min { $0.0 < $1.0 }.map { $0.0 - $0.1 } ?? .zero
  }

  private mutating func isBeyond(_ side: Side, _ packets: Int) {
    goesOn = goesOn.map { ($0.side, $0.packets + packets) } ?? (side, packets)
  }

  private mutating func note(_ differences: [PacketMembers.Difference], _ label: String, _ place: Place) {
    for difference in differences {
      if let known = members.firstIndex(where: { $0.label == label && $0.path == difference.path }) {
        members[known].count += 1
      } else {
        members.append(
          Member(
            label: label, path: difference.path, first: difference.first, second: difference.second, count: 1,
            place: place))
      }
    }
  }
}
