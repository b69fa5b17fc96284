package import BluetoothWire
package import SimKernel

/// One connection between two devices, whichever captures show it: at the HCI of one end or of both, on the air.
package final class EndConnection {
  package fileprivate(set) var index: Int
  /// At the HCI of the end that is the GATT server, of the client, and on the air.
  package private(set) var server: LinkTrack?
  private(set) var client: LinkTrack?
  private(set) var air: LinkTrack?
  /// What the ends are called: identity addresses and what was on the air; none when no capture shows one.
  private var serverAddresses: [BluetoothAddress] = []
  private var clientAddresses: [BluetoothAddress] = []

  init(index: Int, _ first: LinkTrack) {
    self.index = index
    add(first)
  }

  package var tracks: [LinkTrack] { [server, client, air].compactMap { $0 } }
  /// Whether a capture has its beginning.
  package var isFromStart: Bool { tracks.contains { $0.link.isFromStart } }
  package var openedAt: SimInstant { tracks.map(\.link.openedAt).min() ?? .zero }
  /// Nil while it is up at the end of all captures.
  package var closedAt: SimInstant? {
    tracks.contains { $0.closedAt == nil } ? nil : tracks.compactMap(\.closedAt).max()
  }

  /// When the air showed for the last time that both ends hear one another; nil: no capture of the air does.
  package var contactAt: SimInstant? { air?.contactAt }

  package func addresses(ofServer: Bool) -> [BluetoothAddress] { ofServer ? serverAddresses : clientAddresses }
  package func track(ofServer: Bool) -> LinkTrack? { ofServer ? server : client }

  func isUp(at instant: SimInstant) -> Bool { openedAt <= instant && (closedAt.map { instant < $0 } ?? true) }

  /// Another view of the same connection.
  func add(_ track: LinkTrack) {
    if track.link.viewpoint == .air {
      air = air ?? track
    } else if track.isLocalServer {
      server = server ?? track
    } else {
      client = client ?? track
    }
    serverAddresses += track.addresses(ofServer: true).filter { !serverAddresses.contains($0) }
    clientAddresses += track.addresses(ofServer: false).filter { !clientAddresses.contains($0) }
  }

  /// Whether there is no such view yet.
  func lacks(_ track: LinkTrack) -> Bool {
    if track.link.viewpoint == .air { return air == nil }
    let adapter = track.link.adapter
    if tracks.contains(where: { $0.link.adapter != nil && $0.link.adapter === adapter }) { return false }
    return track.isLocalServer ? server == nil : client == nil
  }
}

/// Finds which links of several captures are the same connection.
///
/// By the addresses of both ends and overlapping times; where a capture does not show an address, or shows another one
/// (resolved at one end, random on the air), by the first values that both captures have. Two links whose captures name
/// other ends are two connections whatever is said on them: a host says the same to all.
package struct EndPairing {
  /// Both captures show the beginning of one connection at most this far apart.
  static let openingSpread = SimDuration.seconds(2)
  private static let comparedValues = 12

  /// The first values of a link, by sender.
  private struct FirstValues {
    var server: [[UInt8]] = []
    var client: [[UInt8]] = []

    mutating func add(_ value: TrafficValue) {
      if value.isFromServer {
        if server.count < EndPairing.comparedValues { server.append([UInt8](value.octets)) }
      } else if client.count < EndPairing.comparedValues {
        client.append([UInt8](value.octets))
      }
    }
  }

  private(set) package var connections: [EndConnection] = []
  /// By link index; nil for links of others.
  private(set) var connectionOfLink: [Int?]
  private var firstValues: [FirstValues]

  package init(_ recorder: EndRecorder) {
    let tracks = recorder.tracks
    connectionOfLink = Array(repeating: nil, count: tracks.count)
    firstValues = Array(repeating: FirstValues(), count: tracks.count)
    for entry in recorder.entries {
      if case .value(let value, _) = entry.kind { firstValues[entry.link].add(value) }
    }
    // The fewer ends of a link are named, the later it looks for the others.
    let ours = tracks.filter(\.isOurs).sorted { one, other in
      let (key, otherKey) = (Self.unnamedEnds(one), Self.unnamedEnds(other))
      return (key, one.link.openedAt, one.link.index) < (otherKey, other.link.openedAt, other.link.index)
    }
    for track in ours {
      // Known addresses say more than values. The nearest of several is taken, because a client that comes and goes
      // opens several within the spread.
      let places = connections.indices.filter { mayBeSame(connections[$0], track) }
      let named = places.filter { hasEnds(connections[$0], track) }
      let alike = named.isEmpty ? mostAlike(places, track) : named
      // If two come close, the one on which something else was said first is not taken.
      let probable = alike.filter { !beginsOtherwise(connections[$0], track) }
      let place = (probable.isEmpty ? alike : probable).min {
        distance(connections[$0], track) < distance(connections[$1], track)
      }
      if let place {
        connections[place].add(track)
      } else {
        connections.append(EndConnection(index: connections.count, track))
      }
    }
    connections.sort { ($0.openedAt, $0.tracks[0].link.index) < ($1.openedAt, $1.tracks[0].link.index) }
    for (index, connection) in connections.enumerated() {
      connection.index = index
      for track in connection.tracks { connectionOfLink[track.link.index] = index }
    }
  }

  private static func unnamedEnds(_ track: LinkTrack) -> Int {
    [true, false].count { track.addresses(ofServer: $0).isEmpty }
  }

  private func distance(_ connection: EndConnection, _ track: LinkTrack) -> SimDuration {
    let (a, b) = (connection.openedAt, track.link.openedAt)
    // What was up when its capture began does not begin later.
    if a > b, !track.link.isFromStart { return (a - b) + Self.openingSpread }
    return a < b ? b - a : a - b
  }

  /// Whether nothing says that the connection is another one.
  private func mayBeSame(_ connection: EndConnection, _ track: LinkTrack) -> Bool {
    connection.lacks(track)
      && connection.tracks.allSatisfy { other in
        areTogether(other, track) && !LinkIdentity(other.link).isAnother(than: LinkIdentity(track.link))
      }
  }

  private func hasEnds(_ connection: EndConnection, _ track: LinkTrack) -> Bool {
    [true, false].allSatisfy { ofServer in
      track.addresses(ofServer: ofServer).contains { connection.addresses(ofServer: ofServer).contains($0) }
    }
  }

  private func areTogether(_ a: LinkTrack, _ b: LinkTrack) -> Bool {
    if a.link.isFromStart, b.link.isFromStart {
      let (early, late) = (min(a.link.openedAt, b.link.openedAt), max(a.link.openedAt, b.link.openedAt))
      if late - early > Self.openingSpread { return false }
    }
    let endsBefore = a.closedAt.map { $0 < b.link.openedAt } ?? false
    let beginsBehind = b.closedAt.map { $0 < a.link.openedAt } ?? false
    return !endsBefore && !beginsBehind
  }

  /// Whether two hosts that have it whole did not hear of the same first value: links are reliable from the start.
  private func beginsOtherwise(_ connection: EndConnection, _ track: LinkTrack) -> Bool {
    connection.tracks.contains { other in
      guard other.isWhole, track.isWhole, other.link.adapter != nil, track.link.adapter != nil else { return false }
      let (first, second) = (firstValues[other.link.index], firstValues[track.link.index])
      let pairs = [(first.client.first, second.client.first), (first.server.first, second.server.first)]
      return pairs.contains { one, other in one != nil && other != nil && one != other }
    }
  }

  /// Those with the most first values in common with a link, from some place on.
  private func mostAlike(_ places: [Int], _ track: LinkTrack) -> [Int] {
    let counts = places.map { equalValues(connections[$0], track) }
    guard let most = counts.max(), most > 0 else { return [] }
    return zip(places, counts).filter { $1 == most }.map(\.0)
  }

  /// How many of the first values are the same in both, if the first of one is among those of the other. What clients
  /// say counts where there is any, because it has their names in it.
  private func equalValues(_ connection: EndConnection, _ track: LinkTrack) -> Int {
    let own = firstValues[track.link.index]
    let counts = connection.tracks.map { other in
      let theirs = firstValues[other.link.index]
      let isOfClients = !own.client.isEmpty && !theirs.client.isEmpty
      return isOfClients ? Self.overlap(own.client, theirs.client) : Self.overlap(own.server, theirs.server)
    }
    return counts.max() ?? 0
  }

  private static func overlap(_ a: [[UInt8]], _ b: [[UInt8]]) -> Int {
    guard let one = a.first, let other = b.first, b.contains(one) || a.contains(other) else { return 0 }
    return a.count { b.contains($0) }
  }
}
