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
  package private(set) var tracks: [StreamTrack] = []
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

  package func observe(_ event: TrafficEvent) {}
  package func observe(event: TrafficHCIEvent) {}
  package func observe(att pdu: TrafficPDU) {}
  package func observe(fragment pdu: TrafficPDU, _ header: LinkFragment) {}
  package func finish(at end: SimInstant) { self.end = end }

  package func observe(network event: TrafficNetworkEvent) {
    let moment = event.moment
    switch event.kind {
    case .streamOpened(let stream):
      guard isWanted(stream), makeRoom(0) else { return }
      places[stream.index] = tracks.count
      tracks.append(StreamTrack(stream, moment))
    case .octets(let stream, let side, let offset, let octets):
      keep(stream, side, octets.count, at: offset, moment) { direction in
        direction.chunks.append(StreamTrack.Chunk(offset: offset, octets: Array(octets), moment: moment))
        direction.offset = offset + octets.count
      }
    case .acknowledged(let stream, let side, let upTo):
      keep(stream, side, 0, at: nil, moment) { $0.acknowledgements.append((upTo, moment)) }
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

  private func track(_ stream: TrafficStream) -> StreamTrack? {
    guard let place = places[stream.index] else { return nil }
    return tracks[place]
  }

  private func makeRoom(_ octets: Int) -> Bool {
    guard kept + octets + Self.cost <= limit else { return false }
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
