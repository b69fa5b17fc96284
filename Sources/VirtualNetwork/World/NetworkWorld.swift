import AppSeam
package import SimKernel

/// The network beside the radio, by the laws of Docs/virtual-network-laws.md (NET): interfaces, packets, TCP, names.
///
/// Single-threaded; its owner hands it the events of its kinds, then drains what waits for apps.
package final class NetworkWorld {
  /// Kinds of events from here on are its own.
  package static let firstKind: UInt32 = 128
  /// The access point, where stations are meant.
  package static let accessPointStation = -1

  enum Kind: UInt32 {
    /// A packet is there; argument: its place in `packets`.
    case arrival = 128
    /// A packet is at the access point; has left its device; both by its place.
    case relay, sent
    /// A packet has left an interface without success, for captures; argument: its place.
    case loss
    /// The deadline of a leg, the target.
    case leg
    /// The deadline of a service of names; target: device, argument: interface.
    case names
    /// A device, the target, says its names again from peer to peer.
    case greeting
    /// Somebody may send on a channel, the target.
    case turn
    /// A connection, the target: the app's limit, the second interface, the end of patience with an interface.
    case timeout, race, grace
    /// A question for an address, of the target, was not answered; argument: whose it is, and the interface.
    case resolution
    /// A device, the target: has joined; has missed its access point for too long; is not primed any more; has been
    /// suspended for too long.
    case joined, beaconLoss, unprimed, reclaim
    /// Two devices, the target and the argument: see each other; have lost each other.
    case neighbour, neighbourLoss
    /// The access point's beacon; a device's synchronisation frame.
    case beacon, synchronisation
    /// A device, the target: its last words from peer to peer had their time.
    case lingered
  }

  let timeline: Timeline
  let room: NetworkRoom
  let seed: UInt64
  unowned let surroundings: any NetworkSurroundings
  let wantsPackets: Bool
  let devices = Roster<NetworkDevice>()
  let connections = Roster<NetworkConnection>()
  let legs = Roster<NetworkLeg>()
  let packets = PacketStore()
  let paths: PathTable
  let waiting = Fifo<Int>()
  let draws: RandomField
  /// nil: the air delays and does nothing else.
  let air: WiFiAir?
  let neighbours: Neighbourhood
  let resolver: Resolver
  /// Who hears whom by place, the access point last.
  var reach: [Bool] = []
  private let deviceOfHost: [String: Int]

  /// Addresses of a room end where IPv4 has no more (NET 5.3).
  package static let mostStations = 200

  /// - Precondition: names of stations are unique and have 1 … 63 octets, and there are at most `mostStations`. Readers
  ///   of scenarios refuse what breaks it.
  package init(
    timeline: Timeline, room: NetworkRoom, stations: [NetworkStation], seed: UInt64,
    surroundings: any NetworkSurroundings, wantsPackets: Bool
  ) {
    self.timeline = timeline
    self.room = room
    self.seed = seed
    self.surroundings = surroundings
    self.wantsPackets = wantsPackets
    precondition(stations.count <= Self.mostStations && stations.allSatisfy { (1...63).contains($0.name.utf8.count) })
    paths = PathTable(room, stations, seed: seed)
    draws = RandomField(seed: seed, component: "network", purpose: "draws")
    neighbours = Neighbourhood(count: stations.count)
    resolver = Resolver(count: stations.count)
    for (index, station) in stations.enumerated() {
      devices.append(NetworkDevice(index, station, hasAccessPoint: room.accessPoint != nil))
    }
    deviceOfHost = Dictionary(uniqueKeysWithValues: devices.map { ($0.hostName, $0.index) })
    air = room.air == .shared ? WiFiAir(room, stations, seed: seed, timeline: timeline) : nil
    air?.owner = self
    begin()
  }

  private func begin() {
    askForReach()
    for device in devices {
      device.isJoined = device.wantsInfrastructure && reaches(device.index, devices.count)
      device.isAwake = device.station.hasPeerToPeer && !sleeps
    }
    for device in devices { reviewNames(device) }
    retune()
    reviewNeighbours(isStart: true)
    if air != nil, room.accessPoint != nil { _ = schedule(.beacon, 0, after: Self.beaconInterval) }
  }

  /// Whether interfaces from peer to peer are off until somebody asks.
  var sleeps: Bool { air != nil && room.peerToPeer.sleeps }

  func device(ofHost name: String) -> Int? { deviceOfHost[name] }

  // MARK: Time

  /// Handles an event of one of its kinds.
  package func handle(_ event: SimEvent) {
    let target = Int(event.target)
    guard let kind = Kind(rawValue: event.kind) else { preconditionFailure("event kind \(event.kind) is nobody's") }
    switch kind {
    case .arrival: arrive(Int(event.argument))
    case .relay: relay(Int(event.argument))
    case .sent: noteSent(packets.take(Int(event.argument)))
    case .loss: noteLoss(packets.take(Int(event.argument)))
    case .leg: legs.with(target) { legIsDue($0) }
    case .names: namesAreDue(target, NetworkInterface.allCases[Int(event.argument)])
    case .greeting: greet(devices[target])
    case .turn: air?.turn(target)
    case .resolution:
      resolutionIsDue(target, Int(event.argument >> 8), NetworkInterface.allCases[Int(event.argument & 0xFF)])
    case .timeout: fail(connections[target], .timedOut)
    case .race: raceIsOn(connections[target])
    case .grace: graceIsOver(connections[target])
    case .joined: join(devices[target])
    case .beaconLoss: beaconsAreMissed(devices[target])
    case .unprimed: primeIsOver(devices[target])
    case .lingered: lingeringIsOver(devices[target])
    case .reclaim: reclaim(devices[target])
    case .neighbour: neighbourIsThere(target, Int(event.argument))
    case .neighbourLoss: neighbourIsGone(target, Int(event.argument))
    case .beacon: sendBeacon()
    case .synchronisation: sendSynchronisation(devices[target])
    }
  }

  /// Times that apps ask for are not longer than this one: 31 years.
  static let longestTime = SimDuration.seconds(1_000_000_000)

  func schedule(_ kind: Kind, _ target: Int, _ argument: Int = 0, after delay: SimDuration) -> EventHandle {
    timeline.schedule(
      SimEvent(kind: kind.rawValue, target: UInt32(target), argument: UInt64(argument)),
      at: timeline.now + min(max(delay, .zero), Self.longestTime))
  }

  func cancel(_ handle: inout EventHandle?) {
    if let event = handle { timeline.cancel(event) }
    handle = nil
  }

  /// A draw for a device, for one purpose and occasion: evenly from a range, both ends included.
  func draw(
    _ range: ClosedRange<SimDuration>, _ purpose: Purpose, _ device: UInt64, _ occasion: UInt64
  ) -> SimDuration {
    let span = UInt64((range.upperBound - range.lowerBound).nanoseconds) + 1
    let word = draws.words(purpose.rawValue, device, occasion)[0]
    return range.lowerBound + .nanoseconds(Int64(word.multipliedFullWidth(by: span).high))
  }

  enum Purpose: UInt64 {
    case join, search, synchronisation, sequence, piece, greeting
  }

  // MARK: What came of it

  package var statistics: NetworkStatistics { NetworkStatistics(devices: devices.map(\.statistics)) }

  /// Over what apps were told, each device for itself, in the order of their names: so that their order in the room
  /// decides nothing.
  package var digest: TraceDigest {
    var joined = TraceDigest()
    for device in devices.sorted(by: { $0.station.name < $1.station.name }) {
      joined.combine(text: device.digest.hexadecimal)
    }
    return joined
  }
}
