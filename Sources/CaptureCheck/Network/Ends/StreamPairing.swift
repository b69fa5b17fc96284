package import SimKernel

/// One connection of TCP, whichever captures show it: at the machine of one end or of both, or between them.
package final class StreamConnection {
  package let index: Int
  package let client: StreamEnd
  package let server: StreamEnd
  /// In the order in which the captures show them.
  package private(set) var tracks: [StreamTrack]

  init(index: Int, _ first: StreamTrack) {
    self.index = index
    client = first.stream.client
    server = first.stream.server
    tracks = [first]
  }

  package var openedAt: SimInstant { tracks.map(\.stream.openedAt).min() ?? .zero }
  package func isFromStart(_ side: TrafficStream.Side) -> Bool {
    tracks.contains { $0.stream.isFromStart(self.side(side, in: $0)) }
  }

  /// What a track calls a side: two captures that begin in the middle may disagree.
  package func side(_ side: TrafficStream.Side, in track: StreamTrack) -> TrafficStream.Side {
    track.stream.client == client ? side : side.other
  }

  /// The end at whose machine a track was captured; nil: between the two, or unknown.
  package func viewpoint(of track: StreamTrack) -> TrafficStream.Side? {
    track.stream.viewpoint.map { side($0, in: track) }
  }

  package func track(at side: TrafficStream.Side) -> StreamTrack? { tracks.first { viewpoint(of: $0) == side } }

  func add(_ track: StreamTrack) { tracks.append(track) }
}

/// Finds which streams of several captures, or of several interfaces of one, are the same connection: the ends are the
/// same, and the initial sequence numbers; in captures that begin in the middle, sequence numbers that are near, at the
/// same time. Not modelled: ends that are called otherwise on the way (NAT).
package struct StreamPairing {
  package private(set) var connections: [StreamConnection] = []

  package init(_ recorder: StreamRecorder) {
    let tracks = recorder.tracks
    // Candidates by their ends, so that an hour of short connections does not take the square of their number.
    var byEnds: [Set<StreamEnd>: [Int]] = [:]
    let order = tracks.indices.sorted {
      (tracks[$0].stream.openedAt, $0) < (tracks[$1].stream.openedAt, $1)
    }
    for place in order {
      let track = tracks[place]
      let ends: Set = [track.stream.client, track.stream.server]
      let match = byEnds[ends]?.last { Self.isSame(connections[$0], track) }
      if let match {
        connections[match].add(track)
      } else {
        byEnds[ends, default: []].append(connections.count)
        connections.append(StreamConnection(index: connections.count, track))
      }
    }
  }

  private static func isSame(_ connection: StreamConnection, _ track: StreamTrack) -> Bool {
    let stream = track.stream
    if stream.client != connection.client, stream.isOpenerKnown, connection.tracks[0].stream.isOpenerKnown {
      return false
    }
    if let side = connection.viewpoint(of: track), connection.track(at: side) != nil { return false }
    return connection.tracks.allSatisfy { other in
      (other.stream.file, other.stream.interface) != (stream.file, stream.interface)
        && haveEqualSequences(connection, other, track)
    }
  }

  private static func haveEqualSequences(
    _ connection: StreamConnection, _ a: StreamTrack, _ b: StreamTrack
  ) -> Bool {
    var areProven = false
    var areNear = false
    for side in TrafficStream.Side.allCases {
      let (one, other) = (connection.side(side, in: a), connection.side(side, in: b))
      if let first = a.stream[initialSequenceOf: one], let second = b.stream[initialSequenceOf: other] {
        if first != second { return false }
        areProven = true
      } else if let first = a.stream[firstSequenceOf: one], let second = b.stream[firstSequenceOf: other] {
        if Int32(bitPattern: first &- second).magnitude > UInt32(StreamAssembly.longestJump) { return false }
        areNear = true
      }
    }
    return areProven || areNear && areTogether(a, b)
  }

  private static func areTogether(_ a: StreamTrack, _ b: StreamTrack) -> Bool {
    let endsBefore = a.stream.endedAt.map { $0 < b.stream.openedAt } ?? false
    let beginsAfter = b.stream.endedAt.map { $0 < a.stream.openedAt } ?? false
    return !endsBefore && !beginsAfter
  }
}
