package import SimKernel

/// One thing that happened at one end of a connection.
package struct StreamEndEvent {
  package enum Kind {
    /// As the capture at that end shows it; nil: one between the two.
    case opened(at: TrafficStream.Side?)
    /// Octets leave their sender; the offset counts from the first that any capture has.
    case sent(from: TrafficStream.Side, at: Int, [UInt8])
    /// Everything of a side before this offset is at the other end.
    case arrived(from: TrafficStream.Side, upTo: Int)
    /// Octets that no capture has. `missing` is nil when nobody knows how many.
    case gap(from: TrafficStream.Side, at: Int, missing: Int?, StreamGap)
    /// A side has sent all that it has to say.
    case finished(from: TrafficStream.Side)
    case ended(at: TrafficStream.Side?, StreamEnding)
  }

  package var instant: SimInstant
  package var place: PacketPlace
  package var connection: Int
  package var kind: Kind
}

/// Puts what several captures show of the same connections into one order: what leaves an end, and what gets to the
/// other.
///
/// What was sent is what the sender's own capture has; where that has gaps, others fill them. What arrived is what the
/// receiver's own capture has; without one, what its acknowledgements say, which is that octets came, not when. When
/// only the receiver was captured, what arrives has been sent. Nothing arrives before it was sent, whatever the clocks
/// say.
package struct StreamTimeline {
  /// In the order of their instants; what one side does is in its order in any case.
  package private(set) var events: [StreamEndEvent] = []

  package init(_ pairing: StreamPairing) {
    for connection in pairing.connections {
      for track in connection.tracks {
        add(connection, track.opened, .opened(at: connection.viewpoint(of: track)))
      }
      for side in TrafficStream.Side.allCases { read(connection, side) }
      for track in connection.tracks {
        guard let ended = track.ended else { continue }
        add(connection, ended.moment, .ended(at: connection.viewpoint(of: track), ended.ending))
      }
    }
    let order = events.indices.sorted { (events[$0].instant, $0) < (events[$1].instant, $1) }
    events = order.map { events[$0] }
  }

  private mutating func add(_ connection: StreamConnection, _ moment: TrafficMoment, _ kind: StreamEndEvent.Kind) {
    events.append(
      StreamEndEvent(instant: moment.instant, place: moment.place, connection: connection.index, kind: kind))
  }

  /// A capture's view of what one side sent, with what brings its offsets to those of all.
  private struct View {
    var direction: StreamTrack.Direction
    var shift: Int
    /// Offsets from here on cannot be compared: some number of octets is not known.
    var comparable: Int {
      direction.gaps.first { $0.missing == nil }.map { $0.offset + shift } ?? .max
    }
    var chunks: [StreamTrack.Chunk] {
      direction.chunks.map { StreamTrack.Chunk(offset: $0.offset + shift, octets: $0.octets, moment: $0.moment) }
    }

    /// The same with the times at which they had been sent: a capture that lacks a segment shows a repetition of it
    /// after those that follow it, and a side sends its octets in order.
    var sent: [StreamTrack.Chunk] {
      var chunks = chunks
      // Both are in the order of their offsets.
      var aheads = direction.aheads[...]
      for place in chunks.indices {
        aheads = aheads.drop { $0.upTo < chunks[place].end - shift }
        guard let ahead = aheads.first else { break }
        chunks[place].moment.instant = min(chunks[place].moment.instant, ahead.instant)
      }
      return chunks
    }
  }

  private mutating func read(_ connection: StreamConnection, _ side: TrafficStream.Side) {
    let sender = connection.track(at: side)
    let receiver = connection.track(at: side.other)
    let between = connection.tracks.filter { connection.viewpoint(of: $0) == nil }
    let tracks = [sender].compactMap(\.self) + between + [receiver].compactMap(\.self)
    let views = Self.views(connection, side, tracks)
    guard let primary = views.first else { return }
    var pieces = primary.sent
    for view in views.dropFirst() {
      let limit = min(primary.comparable, view.comparable)
      pieces = Self.merge(pieces, view.sent.filter { $0.end <= limit })
    }
    var story: [(moment: TrafficMoment, offset: Int, kind: StreamEndEvent.Kind)] = pieces.map {
      ($0.moment, $0.offset, .sent(from: side, at: $0.offset, $0.octets))
    }
    for gap in primary.direction.gaps {
      let start = gap.offset + primary.shift
      guard let missing = gap.missing else {
        story.append((gap.moment, start, .gap(from: side, at: start, missing: nil, gap.why)))
        continue
      }
      for rest in Self.rest(of: start..<start + missing, without: pieces) {
        story.append(
          (gap.moment, rest.lowerBound, .gap(from: side, at: rest.lowerBound, missing: rest.count, gap.why)))
      }
    }
    let order = story.indices.sorted { (story[$0].offset, $0) < (story[$1].offset, $1) }
    var latest: SimInstant?
    var sentAt: [(end: Int, instant: SimInstant)] = []
    for index in order {
      var moment = story[index].moment
      moment.instant = max(latest ?? moment.instant, moment.instant)
      latest = moment.instant
      add(connection, moment, story[index].kind)
      if case .sent(_, let offset, let octets) = story[index].kind {
        sentAt.append((offset + octets.count, moment.instant))
      }
    }
    if var finished = tracks.lazy.compactMap({ $0.directions[connection.side(side, in: $0)].finished }).first {
      finished.instant = max(latest ?? finished.instant, finished.instant)
      add(connection, finished, .finished(from: side))
    }
    if let receiver {
      // A capture at the receiver that has nothing of this side shows that nothing came.
      let isViewed = receiver.stream[firstSequenceOf: connection.side(side, in: receiver)] != nil
      if isViewed, let view = views.last { readArrivals(connection, side, Self.arrivals(at: view), sentAt) }
    } else {
      let acknowledged = primary.direction.acknowledgements.map { ($0.upTo + primary.shift, $0.moment) }
      readArrivals(connection, side, acknowledged, sentAt)
    }
  }

  private static func views(
    _ connection: StreamConnection, _ side: TrafficStream.Side, _ tracks: [StreamTrack]
  ) -> [View] {
    let known = tracks.compactMap { track -> (StreamTrack.Direction, UInt32)? in
      let own = connection.side(side, in: track)
      return track.stream[firstSequenceOf: own].map { (track.directions[own], $0) }
    }
    guard let base = known.first?.1 else { return [] }
    let shifts = known.map { Int(Int32(bitPattern: $0.1 &- base)) }
    let least = shifts.min() ?? 0
    return zip(known, shifts).map { View(direction: $0.0, shift: $1 - least) }
  }

  /// What came to a receiver, as its own capture shows it, up to the first octets that may never have come.
  private static func arrivals(at view: View) -> [(upTo: Int, moment: TrafficMoment)] {
    let doubt = view.direction.gaps.first { $0.why != .missed && $0.why != .snapped }?.offset ?? .max
    return view.direction.chunks.filter { $0.offset < doubt }.map { ($0.end + view.shift, $0.moment) }
  }

  private mutating func readArrivals(
    _ connection: StreamConnection, _ side: TrafficStream.Side, _ arrivals: [(upTo: Int, moment: TrafficMoment)],
    _ sentAt: [(end: Int, instant: SimInstant)]
  ) {
    var place = 0
    var latest: SimInstant?
    var upTo = 0
    for arrival in arrivals where arrival.upTo > upTo {
      upTo = arrival.upTo
      var moment = arrival.moment
      moment.instant = max(latest ?? moment.instant, moment.instant)
      while place < sentAt.count, sentAt[place].end <= upTo {
        moment.instant = max(moment.instant, sentAt[place].instant)
        place += 1
      }
      // A piece that is here in part has been sent.
      if place < sentAt.count, place == 0 || sentAt[place - 1].end < upTo {
        moment.instant = max(moment.instant, sentAt[place].instant)
      }
      latest = moment.instant
      add(connection, moment, .arrived(from: side, upTo: upTo))
    }
  }

  /// Both in one, by their offsets; where they overlap, the first ones stay.
  private static func merge(_ kept: [StreamTrack.Chunk], _ more: [StreamTrack.Chunk]) -> [StreamTrack.Chunk] {
    var added: [StreamTrack.Chunk] = []
    var place = 0
    for chunk in more {
      while place < kept.count, kept[place].end <= chunk.offset { place += 1 }
      var start = chunk.offset
      var next = place
      while start < chunk.end {
        let wall = next < kept.count ? kept[next].offset : .max
        let end = min(chunk.end, wall)
        if start < end {
          added.append(
            StreamTrack.Chunk(
              offset: start, octets: Array(chunk.octets[start - chunk.offset..<end - chunk.offset]),
              moment: chunk.moment))
        }
        guard next < kept.count else { break }
        start = max(start, kept[next].end)
        next += 1
      }
    }
    if added.isEmpty { return kept }
    return (kept + added).sorted { $0.offset < $1.offset }
  }

  /// What pieces leave open of a range.
  private static func rest(of range: Range<Int>, without pieces: [StreamTrack.Chunk]) -> [Range<Int>] {
    var rest: [Range<Int>] = []
    var start = range.lowerBound
    for piece in pieces where piece.end > range.lowerBound && piece.offset < range.upperBound {
      if piece.offset > start { rest.append(start..<piece.offset) }
      start = max(start, piece.end)
    }
    if start < range.upperBound { rest.append(start..<range.upperBound) }
    return rest
  }
}
