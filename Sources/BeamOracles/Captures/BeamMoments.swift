import CaptureCheck
import SimKernel

/// What captures show of BeamScribe, in the order of its instants: the events of streams, and between them what
/// follows from when somebody was heard.
struct BeamMoment {
  enum Kind {
    /// A guest asks for the connection.
    case attempt
    /// Nobody answered, or another attempt took its place.
    case attemptOver
    /// Host and guest have it.
    case ready
    /// The guest was heard for the last time: unless something else says so, it has not had the stream since.
    case guestSilent
    /// Nothing is seen after it of which the host's system would know that the stream is up.
    case hostSilent
    case event(StreamEndEvent.Kind)
    /// A browser may have found something, or lost it.
    case news
  }

  var instant: SimInstant
  var place: PacketPlace
  /// Place among BeamScribe's connections; −1 for news.
  var connection: Int
  var kind: Kind
}

extension BeamMoment {
  /// An attempt that is not ready is cancelled (BEAM 8.4).
  private static let attemptTime = SimDuration.seconds(10)

  /// In order; those of one instant in the order of their causes.
  static func all(
    _ timeline: StreamTimeline, _ connections: [BeamConnection], _ cast: BeamCast,
    services: [(service: TrafficService, isThere: Bool, moment: TrafficMoment)]
  ) -> [BeamMoment] {
    var moments = services.map {
      BeamMoment(instant: $0.moment.instant, place: $0.moment.place, connection: -1, kind: .news)
    }
    moments += attempts(connections, cast)
    var places: [Int: Int] = [:]
    for (place, connection) in connections.enumerated() {
      places[connection.connection.index] = place
      moments.append(
        BeamMoment(
          instant: connection.begunAt, place: connection.openedBy, connection: place, kind: .ready))
    }
    moments.removeAll { $0.kind.isReady && !connections[$0.connection].isEstablished }
    for event in timeline.events {
      guard let place = places[event.connection] else { continue }
      moments.append(
        BeamMoment(instant: event.instant, place: event.place, connection: place, kind: .event(event.kind)))
    }
    for (place, connection) in connections.enumerated() {
      for (instant, kind) in [(connection.guestHeardAt, Kind.guestSilent), (connection.hostKnowsUntil, .hostSilent)] {
        moments.append(
          BeamMoment(instant: instant, place: connection.openedBy, connection: place, kind: kind))
      }
    }
    let order = moments.indices.sorted { (moments[$0].instant, $0) < (moments[$1].instant, $1) }
    return order.map { moments[$0] }
  }

  /// Attempts of guests, as their first segments show them. A system may try several addresses for one attempt
  /// (RFC 8305): only what two of them share, the same two addresses, makes it two.
  private static func attempts(_ connections: [BeamConnection], _ cast: BeamCast) -> [BeamMoment] {
    var moments: [BeamMoment] = []
    /// The newest attempt of each guest that is under way: its place, until when, and where its end is among the
    /// moments; nil for one that comes to be ready.
    var pending: [Int: (place: Int, until: SimInstant, over: Int?)] = [:]
    for (place, connection) in connections.enumerated() {
      let begun = connection.connection.openedAt
      let guest = cast.guests[place]
      func add(_ kind: Kind, _ instant: SimInstant) {
        moments.append(
          BeamMoment(instant: instant, place: connection.openedBy, connection: place, kind: kind))
      }
      let earlier = pending[guest].flatMap { $0.until > begun ? $0 : nil }
      let isRace = earlier.map { connections[$0.place].guestEnd.address != connection.guestEnd.address } ?? false
      if let over = earlier?.over { moments[over].instant = begun }
      guard connection.isEstablished else {
        // It lost against the one before it, which was answered.
        if isRace, earlier?.over == nil { continue }
        let end = connection.connection.tracks.compactMap(\.stream.endedAt).min() ?? begun + attemptTime
        let over = min(max(end, begun), begun + attemptTime)
        add(.attempt, begun)
        add(.attemptOver, over)
        pending[guest] = (place, over, moments.count - 1)
        continue
      }
      let ready = connection.begunAt
      add(.attempt, isRace ? ready : begun)
      pending[guest] = (place, ready, nil)
    }
    return moments
  }
}

extension BeamMoment.Kind {
  fileprivate var isReady: Bool { if case .ready = self { true } else { false } }
}
