import BluetoothWire
import SimKernel

/// Finds which links of several captures are the same connection.
///
/// By the addresses of both ends and overlapping times; where a capture does not show an address, or shows another one
/// (resolved at one end, random on the air), by the first values that both captures have. Two links whose captures name
/// other ends are two connections whatever is said on them: a host says the same to all. The two links that are most
/// alike come together first, whichever of them the captures show first: a link whose other view is there as well does
/// not get a neighbour's.
package struct EndPairing {
  /// Both captures show the beginning of one connection at most this far apart.
  static let openingSpread = SimDuration.seconds(2)
  private static let comparedValues = 12
  /// What a client configures with this few octets, it writes as all clients do (Core v5.4, Vol 3, Part G, 3.3.3.3).
  private static let leastOctets = 3

  /// The first values of a link, by sender.
  private struct FirstValues {
    var server: [UInt64] = []
    var client: [UInt64] = []

    mutating func add(_ value: TrafficValue) {
      guard value.octets.count >= EndPairing.leastOctets else { return }
      if value.isFromServer {
        if server.count < EndPairing.comparedValues { server.append(FNV1a.hash(value.octets)) }
      } else if client.count < EndPairing.comparedValues {
        client.append(FNV1a.hash(value.octets))
      }
    }
  }

  /// How much says that two links are one connection. Known addresses say more than values. The nearest of several is
  /// taken, because a client that comes and goes opens several within the spread; if two come close, the one on which
  /// something else was said first is not.
  private struct Likeness {
    var one: Int
    var other: Int
    var hasEnds: Bool
    var equalValues: Int
    var beginsOtherwise: Bool
    var distance: SimDuration

    func isBefore(_ rival: Likeness) -> Bool {
      if hasEnds != rival.hasEnds { return hasEnds }
      if !hasEnds, equalValues != rival.equalValues { return equalValues > rival.equalValues }
      if beginsOtherwise != rival.beginsOtherwise { return rival.beginsOtherwise }
      return (distance, one, other) < (rival.distance, rival.one, rival.other)
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
    let ours = tracks.filter(\.isOurs)
    var connectionOf = ours.indices.map { EndConnection(index: 0, ours[$0]) }
    for likeness in likenesses(ours) {
      let (one, other) = (connectionOf[likeness.one], connectionOf[likeness.other])
      guard one !== other, mayBeSame(one, other) else { continue }
      one.take(other)
      for index in connectionOf.indices where connectionOf[index] === other { connectionOf[index] = one }
    }
    for connection in connectionOf where !connections.contains(where: { $0 === connection }) {
      connections.append(connection)
    }
    connections.sort { ($0.openedAt, $0.tracks[0].link.index) < ($1.openedAt, $1.tracks[0].link.index) }
    for (index, connection) in connections.enumerated() {
      connection.index = index
      for track in connection.tracks { connectionOfLink[track.link.index] = index }
    }
  }

  /// Which two links may be views of one connection and have something in common, the most alike first.
  private func likenesses(_ tracks: [LinkTrack]) -> [Likeness] {
    var found: [Likeness] = []
    for (one, track) in tracks.enumerated() {
      for (other, second) in tracks.enumerated().dropFirst(one + 1)
      where EndConnection(index: 0, track).lacks(second) && mayBeSame(track, second) {
        let hasEnds = Self.hasEnds(track, second)
        let equalValues = equalValues(track, second)
        if !hasEnds, equalValues == 0 { continue }
        found.append(
          Likeness(
            one: one, other: other, hasEnds: hasEnds, equalValues: equalValues,
            beginsOtherwise: beginsOtherwise(track, second), distance: Self.distance(track, second)))
      }
    }
    return found.sorted { $0.isBefore($1) }
  }

  /// Whether nothing says that two links, each with its views, are two connections.
  private func mayBeSame(_ one: EndConnection, _ other: EndConnection) -> Bool {
    other.tracks.allSatisfy { track in one.lacks(track) && one.tracks.allSatisfy { mayBeSame($0, track) } }
  }

  private func mayBeSame(_ one: LinkTrack, _ other: LinkTrack) -> Bool {
    Self.areTogether(one, other) && !LinkIdentity(one.link).isAnother(than: LinkIdentity(other.link))
  }

  private static func hasEnds(_ one: LinkTrack, _ other: LinkTrack) -> Bool {
    [true, false].allSatisfy { ofServer in
      one.addresses(ofServer: ofServer).contains { other.addresses(ofServer: ofServer).contains($0) }
    }
  }

  private static func distance(_ one: LinkTrack, _ other: LinkTrack) -> SimDuration {
    let (first, second) = one.link.openedAt < other.link.openedAt ? (one, other) : (other, one)
    let distance = second.link.openedAt - first.link.openedAt
    // What was up when its capture began does not begin later.
    return !first.link.isFromStart && second.link.isFromStart ? distance + openingSpread : distance
  }

  private static func areTogether(_ a: LinkTrack, _ b: LinkTrack) -> Bool {
    if a.link.isFromStart, b.link.isFromStart, distance(a, b) > openingSpread { return false }
    let endsBefore = a.closedAt.map { $0 < b.link.openedAt } ?? false
    let beginsAfter = b.closedAt.map { $0 < a.link.openedAt } ?? false
    return !endsBefore && !beginsAfter
  }

  /// Whether two hosts that have it whole did not hear of the same first value: links are reliable from the start.
  private func beginsOtherwise(_ one: LinkTrack, _ other: LinkTrack) -> Bool {
    guard one.isWhole, other.isWhole, one.link.adapter != nil, other.link.adapter != nil else { return false }
    let (first, second) = (firstValues[one.link.index], firstValues[other.link.index])
    let pairs = [(first.client.first, second.client.first), (first.server.first, second.server.first)]
    return pairs.contains { one, other in one != nil && other != nil && one != other }
  }

  /// How many of the first values are the same in both, if the first of one is among those of the other. What clients
  /// say counts where there is any, because it has their names in it.
  private func equalValues(_ one: LinkTrack, _ other: LinkTrack) -> Int {
    let (own, theirs) = (firstValues[one.link.index], firstValues[other.link.index])
    let isOfClients = !own.client.isEmpty && !theirs.client.isEmpty
    return isOfClients ? Self.overlap(own.client, theirs.client) : Self.overlap(own.server, theirs.server)
  }

  private static func overlap(_ a: [UInt64], _ b: [UInt64]) -> Int {
    guard let one = a.first, let other = b.first, b.contains(one) || a.contains(other) else { return 0 }
    return a.count { b.contains($0) }
  }
}
