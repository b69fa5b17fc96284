package import SimKernel

/// What one capture shows of one stream, kept until both ends can be put together.
package final class StreamTrack {
  package struct Chunk {
    package var offset: Int
    package var octets: [UInt8]
    package var moment: TrafficMoment
    var end: Int { offset + octets.count }
  }

  struct Gap {
    var offset: Int
    var missing: Int?
    var why: StreamGap
    var moment: TrafficMoment
  }

  /// What one side sent, as this capture has it.
  struct Direction {
    var chunks: [Chunk] = []
    var gaps: [Gap] = []
    var acknowledgements: [(upTo: Int, moment: TrafficMoment)] = []
    /// When octets were seen before others that they follow.
    var aheads: [(upTo: Int, instant: SimInstant)] = []
    var finished: TrafficMoment?
    /// The offset from which on the recorder had no room.
    var isCut = false
    /// The offset at which the next octet is expected.
    var offset = 0
  }

  package let stream: TrafficStream
  let opened: TrafficMoment
  var ended: (ending: StreamEnding, moment: TrafficMoment)?
  var directions = PerStreamSide(Direction())
  var isForgotten = false

  /// Whether the capture has octets of a side.
  package func hasOctets(from side: TrafficStream.Side) -> Bool { !directions[side].chunks.isEmpty }

  /// Whether the first octets of a side were seen only after others that follow them, so that nothing says when they
  /// were sent.
  package func beginsLate(_ side: TrafficStream.Side) -> Bool {
    let direction = directions[side]
    guard let first = direction.chunks.first, let ahead = direction.aheads.first else { return false }
    return ahead.instant < first.moment.instant
  }

  /// When a side had sent all, as far as the capture has it.
  package func finishedAt(_ side: TrafficStream.Side) -> SimInstant? { directions[side].finished?.instant }

  init(_ stream: TrafficStream, _ moment: TrafficMoment) {
    self.stream = stream
    opened = moment
  }
}

/// Keeps what streams show, for an app's protocol that reads both ends of them. What it keeps takes at most `limit`
/// octets; what comes after that is a gap (`beyondLimits`).
package final class StreamRecorder: TrafficObserver {
  /// Octets of streams, `cost` for each piece in addition.
  package static let limit = 256 << 20
  private static let cost = 64

  /// In the order of their opening.
  package var tracks: [StreamTrack] { all.filter { !$0.isForgotten } }
  private var all: [StreamTrack] = []
  /// There was no room for something.
  package private(set) var isFull = false
  /// What was announced and taken back, in the order of the packets.
  package private(set) var services: [(service: TrafficService, isThere: Bool, moment: TrafficMoment)] = []
  /// The instant of the last packet.
  package private(set) var end = SimInstant.zero
  /// Looked up only, never gone through.
  private var places: [Int: Int] = [:]
  private var kept = 0
  private let limit: Int
  private let isWanted: (TrafficStream) -> Bool

  /// - Parameter isWanted: asked once of each stream, when it opens; others are not kept.
  package init(limit: Int = limit, isWanted: @escaping (TrafficStream) -> Bool = { _ in true }) {
    self.limit = limit
    self.isWanted = isWanted
  }

  package let interests: TrafficEvent.Interests = .network

  package func finish(at end: SimInstant) { self.end = end }

  package func observe(network event: TrafficNetworkEvent) {
    let moment = event.moment
    switch event.kind {
    case .streamOpened(let stream):
      guard isWanted(stream), makeRoom(0) else { return }
      places[stream.index] = all.count
      all.append(StreamTrack(stream, moment))
    case .octets(let stream, let side, let offset, let octets):
      keep(stream, side, octets.count, at: offset, moment) { direction in
        direction.chunks.append(StreamTrack.Chunk(offset: offset, octets: Array(octets), moment: moment))
        direction.offset = offset + octets.count
      }
    case .acknowledged(let stream, let side, let upTo):
      keep(stream, side, 0, at: nil, moment) { $0.acknowledgements.append((upTo, moment)) }
    case .ahead(let stream, let side, let upTo):
      keep(stream, side, 0, at: nil, moment) { $0.aheads.append((upTo, moment.instant)) }
    case .gap(let stream, let side, let offset, let missing, let why):
      keep(stream, side, 0, at: offset, moment) { direction in
        direction.gaps.append(StreamTrack.Gap(offset: offset, missing: missing, why: why, moment: moment))
        direction.offset = offset + (missing ?? 0)
      }
    case .finished(let stream, let side): track(stream)?.directions[side].finished = moment
    case .streamEnded(let stream, let ending): track(stream)?.ended = (ending, moment)
    case .serviceAnnounced(let service): if makeRoom(0) { services.append((service, true, moment)) }
    case .serviceWithdrawn(let service): if makeRoom(0) { services.append((service, false, moment)) }
    case .packet: break
    }
  }

  /// Keeps nothing of a stream that is none of the protocol's, and gives its room back.
  package func forget(_ stream: TrafficStream) {
    guard let place = places.removeValue(forKey: stream.index) else { return }
    let track = all[place]
    for side in TrafficStream.Side.allCases {
      let direction = track.directions[side]
      let pieces =
        direction.chunks.count + direction.gaps.count + direction.acknowledgements.count + direction.aheads.count
      kept -= direction.chunks.reduce(pieces * Self.cost) { $0 + $1.octets.count }
    }
    kept = max(0, kept)
    track.directions = PerStreamSide(StreamTrack.Direction())
    track.isForgotten = true
  }

  private func track(_ stream: TrafficStream) -> StreamTrack? {
    guard let place = places[stream.index] else { return nil }
    return all[place]
  }

  private func makeRoom(_ octets: Int) -> Bool {
    guard kept + octets + Self.cost <= limit else {
      isFull = true
      return false
    }
    kept += octets + Self.cost
    return true
  }

  private func keep(
    _ stream: TrafficStream, _ side: TrafficStream.Side, _ octets: Int, at offset: Int?, _ moment: TrafficMoment,
    _ body: (inout StreamTrack.Direction) -> Void
  ) {
    guard let track = track(stream), !track.directions[side].isCut else { return }
    if makeRoom(octets) { return body(&track.directions[side]) }
    track.directions[side].isCut = true
    track.directions[side].gaps.append(
      StreamTrack.Gap(
        offset: offset ?? track.directions[side].offset, missing: nil, why: .beyondLimits, moment: moment))
  }
}
