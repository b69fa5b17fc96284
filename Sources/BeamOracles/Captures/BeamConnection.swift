import AppSeam
import BeamScribe
import CaptureCheck
import SimKernel

/// A connection of TCP on which BeamScribe is spoken, as all captures show it.
struct BeamConnection {
  let connection: StreamConnection
  /// The side that speaks.
  let host: TrafficStream.Side
  let dialect: DialectName
  /// Multicast DNS announced its port; otherwise its frames tell.
  let isAnnounced: Bool

  var guest: TrafficStream.Side { host.other }
  var format: Frame.Format { dialect == .beamMPC ? .kindAndLength : .length }
  var hostEnd: StreamEnd { host == .server ? connection.server : connection.client }
  var guestEnd: StreamEnd { host == .server ? connection.client : connection.server }

  /// Whether some capture has the segments that opened it, those of both sides.
  var isFromStart: Bool { answeredAt != nil && isHostFromStart && connection.isFromStart(guest) }

  /// Whether the capture that counts for what the host sends has the first octet of it when it was sent.
  var isHostFromStart: Bool {
    let side = connection.side(host, in: view)
    return view.stream.isFromStart(side) && !view.beginsLate(side)
  }

  /// The capture that counts: that where the host is, if there is one.
  private var view: StreamTrack { connection.track(at: host) ?? connection.tracks[0] }

  /// When the host's system accepted it. The app is told a round trip later.
  var answeredAt: SimInstant? {
    host == .server ? connection.tracks.compactMap(\.stream.answeredAt).min() : nil
  }

  /// `answeredAt`, or when the captures begin to show it.
  var begunAt: SimInstant { answeredAt ?? connection.openedAt }

  /// When the host had the guest's answer to its own, as far as the capture that counts shows it: its app cannot have
  /// been told before.
  var takenAt: SimInstant { max(begunAt, view.stream.confirmedAt ?? begunAt) }

  /// Whether the guest has had the answer.
  var isEstablished: Bool {
    connection.tracks.contains { $0.stream.confirmedAt != nil || !$0.stream.isOpenerKnown }
  }

  /// What comes nearest to what the host heard of its guest.
  var guestHeard: StreamHearing {
    view.stream.hearing(connection.side(guest, in: view))
  }

  /// When the guest was heard for the last time, wherever that was.
  var guestHeardAt: SimInstant {
    max(
      begunAt, connection.tracks.compactMap { $0.stream.hearing(connection.side(guest, in: $0)).last }.max() ?? begunAt)
  }

  /// When the host was last seen to have the stream: it heard its guest, or said something itself.
  var hostKnowsUntil: SimInstant {
    max(begunAt, [guestHeard.last, hostHeard.last].compactMap(\.self).max() ?? begunAt)
  }

  /// When the stream ended, as some capture has it, or the host had said all.
  var overAt: SimInstant? {
    let ends = connection.tracks.flatMap { track in
      [track.stream.endedAt, track.finishedAt(connection.side(host, in: track))].compactMap(\.self)
    }
    return ends.min()
  }

  /// When the host was heard, in the same capture.
  var hostHeard: StreamHearing { view.stream.hearing(connection.side(host, in: view)) }

  /// Whether a capture was taken where the host sends.
  var isSeenAtHost: Bool { connection.track(at: host) != nil }

  var openedBy: PacketPlace { connection.tracks[0].stream.openedBy }
}

/// Which connections are BeamScribe's, and who speaks on them: by a service that is announced, or by frames.
struct BeamFinder {
  /// Service types by dialect, as `TrafficService.type` has them.
  private static let types: [(type: String, dialect: DialectName)] = [
    ("_beamscribe._tcp", .beamNetwork), ("_beamscribe-mpc._tcp", .beamMPC),
  ]

  private let given: DialectName?
  private var services: [(service: TrafficService, dialect: DialectName)] = []

  init(given: DialectName?) { self.given = given }

  /// Notes a service; others' are passed over.
  /// - Returns: whether it is BeamScribe's.
  @discardableResult
  mutating func note(_ service: TrafficService) -> Bool {
    guard let dialect = Self.types.first(where: { $0.type == service.type })?.dialect else { return false }
    let known = services.firstIndex {
      $0.service.port == service.port && $0.service.name == service.name && $0.service.file == service.file
        && $0.service.interface == service.interface
    }
    if let known {
      // Streams that were opened to an address which the host had before are still its.
      let before = services[known].service.addresses.filter { !service.addresses.contains($0) }
      services[known].service = service
      services[known].service.addresses += before.prefix(TrafficLimits.addressesOfHost)
    } else {
      services.append((service, dialect))
    }
    return true
  }

  /// The dialect that is announced at an end; an announcement without addresses is for every address.
  func announced(_ end: StreamEnd) -> DialectName? {
    services.last { service, _ in
      service.port == end.port && (service.addresses.isEmpty || service.addresses.contains(end.address))
    }?.dialect
  }

  /// - Parameter octets: what a side sent up to the first gap, at most so many as `FrameFinder.longest`, and whether
  ///   they are its first ones.
  func find(
    _ connection: StreamConnection, octets: (TrafficStream.Side) -> (octets: [UInt8], isStart: Bool)
  ) -> BeamConnection? {
    let isOpenerKnown = connection.tracks.contains { $0.stream.isOpenerKnown }
    let sides: [TrafficStream.Side] = isOpenerKnown ? [.server] : [.server, .client]
    for side in sides {
      let end = side == .server ? connection.server : connection.client
      if let dialect = announced(end) {
        return BeamConnection(connection: connection, host: side, dialect: given ?? dialect, isAnnounced: true)
      }
    }
    for side in sides {
      let said = octets(side)
      // A frame of the older transport without its first octet looks like one of the newer.
      for dialect in given.map({ [$0] }) ?? [.beamMPC, .beamNetwork] {
        let isSpoken =
          said.isStart
          ? FrameFinder.begins(said.octets, dialect) : FrameFinder.find(in: said.octets, dialect, from: 0).isFound
        if isSpoken {
          return BeamConnection(connection: connection, host: side, dialect: dialect, isAnnounced: false)
        }
      }
    }
    return nil
  }
}
