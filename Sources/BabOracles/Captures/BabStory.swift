import AppSeam
import BabSim
import Bench
import BluetoothWire
import CaptureCheck
import Conformance
import Platform
import SimKernel

/// Tells what captures show as the records that oracles read.
///
/// What leaves an end and what comes to the other are inputs and effects; what apps show is inferred from what packets
/// say, by the rules of `BabHost` and `BabClient`. A shadow of an engine is not run: a judge must not depend on what it
/// judges.
final class BabStory {
  private struct Wire {
    var isUpAtServer = false
    var isUpAtClient = false
    /// Where the client was last heard of.
    var heard: BabRecords.Anchor?
    /// At the receivers.
    var fromServer: Reassembler
    var fromClient: Reassembler
    /// Values of the client that have left and of which nothing shows yet that they came, with their ordinals.
    var underWay: [(value: TrafficValue, ordinal: Int)] = []
    /// Values of which a later packet of the host has shown that they came before it.
    var proven: [TrafficValue] = []
  }

  let cast: BabCast
  private let connections: [EndConnection]
  private let timeline: EndTimeline
  private let speech: BabSpeech
  private let dialects: BabDialects
  private(set) var records = BabRecords()
  private var wires: [Wire]
  private var claims: BabClaims
  private var hosts: [BabHost]
  /// By device: what a host has yet to be told to have said.
  private var orders: [BabOrder]
  private var clients: [BabClient]
  private var isLaunched: [Bool]
  private var isWatched: [Bool]
  private var searches: BabSearches
  private var memory = PacketMemory()
  /// Ends of links of which their hosts hear later.
  private var losses: [EndEvent] = []
  private var offered: [(device: Int, at: SimInstant)] = []
  /// Packets in which a host accepts a line of a player whose link no capture shows: whoever completed it is not known.
  private(set) var unseenPlayers: [Int] = []
  /// Packets in which a host tells points of a player who read lines while nobody was told of it.
  private(set) var uncountedScores: [Int] = []
  /// By connection: since when something of it is missing.
  private(set) var missingSince: [SimInstant?]

  init(
    _ timeline: EndTimeline, _ connections: [EndConnection], _ speech: BabSpeech, _ cast: BabCast,
    _ dialects: BabDialects, end: SimInstant
  ) {
    self.timeline = timeline
    self.connections = connections
    self.speech = speech
    self.cast = cast
    self.dialects = dialects
    wires = connections.map { connection in
      Wire(
        fromServer: Reassembler(framing: speech.fromServer[connection.index].framing),
        fromClient: Reassembler(framing: speech.fromClient[connection.index].framing))
    }
    claims = BabClaims(connections: connections.count)
    let devices = cast.header.devices.indices
    hosts = devices.map { BabHost(device: $0) }
    clients = devices.map { BabClient(device: $0) }
    orders = devices.map { _ in BabOrder() }
    isLaunched = Array(repeating: false, count: devices.count)
    isWatched = Array(repeating: true, count: devices.count)
    searches = BabSearches(devices: devices.count)
    missingSince = Array(repeating: nil, count: connections.count)
    for event in timeline.events {
      tellSearches(before: event.instant, event.place)
      loseLate(before: event.instant)
      tell(event)
    }
    loseLate(before: end)
    if let last = timeline.events.last { tellSearches(before: end + .nanoseconds(1), last.place) }
  }

  /// Clients of which nothing shows whether they gave up looking for their host.
  var undecidedSearches: Int { searches.undecided }

  private func tell(_ event: EndEvent) {
    switch event.kind {
    case .opened(let atServer): opened(event, atServer: atServer)
    case .closed(let atServer, let reason, let isByServer):
      if atServer, isByServer != true, hearsLate(event) { return losses.append(event) }
      closed(event, atServer: atServer, reason: reason, isByServer: isByServer)
    case .attMTU(let atServer, let size):
      add(.input(.attMTU(link(event), size)), device(event, atServer: atServer), event)
    case .departed(let value, let ordinal): departed(value, ordinal, event)
    case .arrived(let value): arrived(value, event)
    case .answered(let error): answered(error, event)
    case .gap: missed(event)
    case .offered(let address, let adapter, let data): offers(address, adapter, data, event)
    case .looking(let adapter, let isLooking): searches.looks(adapter, isLooking, at: event.instant)
    case .unwatched(let adapter):
      for device in cast.member(address: nil, adapter: adapter) { add(.fault(.background), device, event) }
    case .unseen:
      let client = cast.clients[event.connection]
      isWatched[client] = false
      add(.fault(.background), client, event)
    }
  }

  /// Whether only the client's own capture says that a link is over: its host hears of it when the supervision timeout
  /// is over, unless the client has told it.
  private func hearsLate(_ event: EndEvent) -> Bool {
    let connection = connections[event.connection]
    return !timeline.isWatched(connection, atServer: true, at: event.instant)
      && timeline.isWatched(connection, atServer: false, at: event.instant)
  }

  private func loseLate(before now: SimInstant) {
    while let place = losses.indices.min(by: { heardAt(losses[$0]) < heardAt(losses[$1]) }),
      heardAt(losses[place]) < now
    {
      var event = losses.remove(at: place)
      event.instant = heardAt(event)
      guard case .closed(_, let reason, let isByServer) = event.kind else { continue }
      closed(event, atServer: true, reason: reason, isByServer: isByServer)
    }
  }

  /// When a host knows at the latest that a link is over.
  private func heardAt(_ event: EndEvent) -> SimInstant {
    let timeout = connections[event.connection].tracks.compactMap(\.link.supervisionTimeout).max()
    return event.instant + (timeout.map { .milliseconds(Int64($0) * 10) } ?? Bounds.supervisionTimeout)
  }

  private func link(_ event: EndEvent) -> LinkID { LinkID(event.connection) }

  private func device(_ event: EndEvent, atServer: Bool) -> Int {
    atServer ? cast.hosts[event.connection] : cast.clients[event.connection]
  }

  private func address(_ device: Int) -> BluetoothAddress { cast.header.devices[device].address }

  private func add(_ event: TraceEvent, _ device: Int, _ cause: EndEvent) {
    records.add(event, device: device, at: cause.instant, cause.place)
  }

  private func characteristic(_ event: EndEvent, fromServer: Bool) -> BluetoothUUID {
    let dialect = dialects.dialect(of: connections[event.connection])?.dialect ?? .sdk
    return fromServer ? dialect.state.uuid : dialect.command.uuid
  }

  // MARK: Links

  private func launch(_ device: Int, _ event: EndEvent) {
    isLaunched[device] = true
    // No link outlives the run of its app, even if nothing shows yet that it is over.
    for index in wires.indices {
      if cast.hosts[index] == device { wires[index].isUpAtServer = false }
      if cast.clients[index] == device { wires[index].isUpAtClient = false }
    }
    orders[device].clear()
    hosts[device].relaunch()
    clients[device].relaunch()
    add(.input(.launched), device, event)
    add(.report(.phase("LOBBY")), device, event)
  }

  /// A sender's own count that starts over on a new link is a new run of its app, as far as a capture can show
  /// (BAB 5.6.3): within one run it only grows, and what is said on a link was made after it came up. So is another
  /// count that starts over, once nothing more is said on older links: a new run learns its own count from its peers.
  private func launchIfNew(_ device: Int, _ event: EndEvent, atServer: Bool) {
    let first = speech.firstPacket(event.connection, fromServer: atServer)
    let known = atServer ? hosts[device].clock : clients[device].clock
    let startsOver =
      first.map { first in
        first.vectorClock[first.senderID] < known[first.senderID]
          || known.timestamps.entries.contains { first.vectorClock[$0.key] < $0.value }
            && isSilentOnOthers(device, event, atServer: atServer)
      } ?? false
    if !isLaunched[device] || startsOver { launch(device, event) }
  }

  /// Whether a device says nothing more on links that are older than one that comes up.
  private func isSilentOnOthers(_ device: Int, _ event: EndEvent, atServer: Bool) -> Bool {
    connections.allSatisfy { other in
      guard (atServer ? cast.hosts : cast.clients)[other.index] == device, other.index != event.connection else {
        return true
      }
      return other.openedAt > event.instant || speech.lastSaid(other.index, fromServer: atServer) <= event.instant
    }
  }

  /// A device has one link to another one at a time: where no capture shows how the client lost the one before, it has
  /// lost it by now.
  private func loseStaleLink(of event: EndEvent) {
    let (client, host) = (device(event, atServer: false), device(event, atServer: true))
    for index in wires.indices where index != event.connection && wires[index].isUpAtClient {
      guard cast.clients[index] == client, cast.hosts[index] == host,
        !timeline.isWatched(connections[index], atServer: false, at: event.instant)
      else { continue }
      var end = event
      end.connection = index
      closed(end, atServer: false, reason: nil, isByServer: nil)
    }
  }

  private func opened(_ event: EndEvent, atServer: Bool) {
    let device = device(event, atServer: atServer)
    launchIfNew(device, event, atServer: atServer)
    if atServer { orders[device].add(speech.packetsOfServer(event.connection)) } else { loseStaleLink(of: event) }
    let peer = address(self.device(event, atServer: !atServer))
    if !isWatched[device] { add(.fault(.foreground), device, event) }
    isWatched[device] = true
    if atServer {
      wires[event.connection].isUpAtServer = true
    } else {
      wires[event.connection].isUpAtClient = true
      searches.linked(device)
      clients[device].linked()
      add(.effect(.connect(peer)), device, event)
      // A phone that hosts at the same time must not join.
      for host in cast.member(address: address(device), adapter: cast.adapter(device)) where hosts(host) {
        add(.effect(.connect(peer)), host, event)
      }
    }
    add(.input(.connected(link(event), peer: peer)), device, event)
    if !connections[event.connection].isFromStart {
      // No exchange is in the capture, and no attribute value is longer than fits this (Core v5.4, Vol 3, Part F,
      // 3.2.9).
      add(.input(.attMTU(link(event), 517)), device, event)
    }
    if atServer, let name = speech.sender(event.connection, fromServer: true) { identify(device, name, event) }
  }

  private func isLinked(_ client: Int) -> Bool {
    wires.indices.contains { cast.clients[$0] == client && wires[$0].isUpAtClient }
  }

  private func hosts(_ device: Int) -> Bool {
    wires.indices.contains { cast.hosts[$0] == device && wires[$0].isUpAtServer }
  }

  private func identify(_ device: Int, _ peerID: String, _ event: EndEvent) {
    let role = cast.header.devices[device].role
    let isKnown = (role == .host ? hosts[device].peerID : clients[device].peerID) == peerID
    hosts[device].identify(peerID)
    clients[device].identify(peerID)
    if !isKnown { add(.report(.identity(role: role, peerID: peerID, displayName: "")), device, event) }
  }

  private func closed(_ event: EndEvent, atServer: Bool, reason: HCI.ErrorCode?, isByServer: Bool?) {
    let client = device(event, atServer: false)
    // A new run of the app, or a new link, has ended it already.
    guard atServer ? wires[event.connection].isUpAtServer : wires[event.connection].isUpAtClient else { return }
    if isByServer == nil { wasSilent(client, event) }
    if atServer {
      wires[event.connection].isUpAtServer = false
      let host = device(event, atServer: true)
      add(.input(.disconnected(link(event), reason: reason ?? .connectionTimeout)), host, event)
      if !canTellAnybody(host, event) {
        for shown in hosts[host].isAlone() { add(shown, host, event) }
        isWatched[host] = false
        add(.fault(.background), host, event)
      }
      return
    }
    wires[event.connection].isUpAtClient = false
    let wasSeated = clients[client].isSeated
    clients[client].unlinked()
    if isByServer == false, !returns(client, behind: event) {
      // Who ends the link leaves (BAB 5.1.14).
      add(.report(.sessionEnded("left")), client, event)
    }
    add(.input(.disconnected(link(event), reason: reason ?? .connectionTimeout)), client, event)
    guard clients[client].hasBeenSeated else { return }
    if wasSeated, clients[client].phase != "FINISHED" { add(.report(.linkState("RECONNECTING")), client, event) }
    guard isByServer != false else { return }
    if let adapter = cast.adapter(client) {
      searches.lost(client, adapter, at: event.instant, returns: returns(client, behind: event))
    } else if isWatched[client] {
      // What a client does without a link cannot be seen from elsewhere.
      isWatched[client] = false
      add(.fault(.background), client, event)
    }
  }

  /// Whether a client is linked again within its window.
  private func returns(_ client: Int, behind event: EndEvent) -> Bool {
    connections.contains { other in
      other.index != event.connection && cast.clients[other.index] == client && other.openedAt > event.instant
        && other.openedAt - event.instant <= Bounds.reconnectWindow
    }
  }

  /// Whether a client is linked to the host that will still be heard of.
  private func canTellAnybody(_ host: Int, _ event: EndEvent) -> Bool {
    wires.indices.contains { index in
      cast.hosts[index] == host && wires[index].isUpAtServer && speech.clientHeardAt[index] > event.instant
    }
  }

  /// A link fell silent: nothing was asked of its client from when it was last heard.
  private func wasSilent(_ client: Int, _ event: EndEvent) {
    guard let heard = wires[event.connection].heard else { return }
    wires[event.connection].heard = nil
    records.add(.fault(.background), device: client, at: heard, event.place)
    add(.fault(.foreground), client, event)
  }

  // MARK: Values

  private func departed(_ value: TrafficValue, _ ordinal: Int, _ event: EndEvent) {
    let isFromServer = value.isFromServer
    let sender = device(event, atServer: isFromServer)
    let characteristic = characteristic(event, fromServer: isFromServer)
    var octets = [UInt8](value.octets)
    let direction = speech.direction(event.connection, fromServer: isFromServer)
    if direction.isCut.indices.contains(ordinal), direction.isCut[ordinal] {
      // How much its platform has cut off nobody knows; it was one octet at least.
      octets.append(0)
    }
    let unfinished = claims.begin(octets, event.connection, isFromServer: isFromServer)
    if missingSince[event.connection] == nil { report(unfinished, event, sender) }
    switch value.carrier {
    case .notification, .indication:
      add(.effect(.notify(link(event), characteristic: characteristic, octets: octets)), sender, event)
    case .writeRequest: add(.effect(.write(link(event), characteristic: characteristic, octets: octets)), sender, event)
    case .writeCommand:
      add(.effect(.writeWithoutResponse(link(event), characteristic: characteristic, octets: octets)), sender, event)
    }
    if value.carrier != .writeRequest {
      add(.input(.submitted(link(event), characteristic: characteristic, accepted: true)), sender, event)
    }
    if !isFromServer {
      wires[event.connection].heard = records.anchor
      wires[event.connection].underWay.append((value, ordinal))
    }
    let utterance = speech.completed(by: ordinal, event.connection, fromServer: isFromServer)
    if let utterance { say(utterance, sender, event) }
    guard direction.framing != .raw else { return }
    let claim = claims.leave(octets, value.carrier, utterance, event.connection, isFromServer: isFromServer)
    report(claim, event, sender)
  }

  /// What a whole packet shows of its sender, now that all of it has left.
  private func say(_ utterance: BabSpeech.Utterance, _ sender: Int, _ event: EndEvent) {
    guard let packet = utterance.packet else { return }
    if utterance.isFromServer {
      for earlier in orders[sender].take(before: utterance) {
        if let packet = earlier.packet { tell(packet, earlier.place, host: sender, event) }
      }
      tell(packet, utterance.place, host: sender, event)
    } else {
      if case .handshake(let participant) = packet.payload { identify(sender, participant.id, event) }
      for shown in clients[sender].say(packet) { add(shown, sender, event) }
    }
  }

  private func tell(_ packet: BabPacket, _ place: PacketPlace, host: Int, _ event: EndEvent) {
    if hosts[host].peerID == nil { identify(host, packet.senderID, event) }
    for line in packet.committedLines where !hosts[host].history.contains(line) { prove(line, host, event) }
    for (shown, anchor) in hosts[host].say(packet) {
      switch shown.bab {
      case .lineAccepted(_, let player, _, _)?:
        if !isSeen(player, host: host, at: event.instant) { unseenPlayers.append(place.record) }
      case .score(let player, _)?:
        if hosts[host].uncountedPlayers.contains(player) { uncountedScores.append(place.record) }
      default: break
      }
      records.add(shown, device: host, at: anchor ?? records.anchor(at: event.instant), place)
    }
  }

  /// A host that tells a line as read has heard of it: what its player said of it has come, even if nothing else shows
  /// it yet.
  private func prove(_ lineID: String, _ host: Int, _ event: EndEvent) {
    for connection in connections where cast.hosts[connection.index] == host {
      let underWay = wires[connection.index].underWay
      guard !underWay.isEmpty, !timeline.isWatched(connection, atServer: true, at: event.instant) else { continue }
      let place = underWay.lastIndex { _, ordinal in
        speech.completed(by: ordinal, connection.index, fromServer: false)?.packet?.payload.readLine == lineID
      }
      guard let place else { continue }
      for (value, _) in underWay[...place] {
        var arrival = event
        arrival.connection = connection.index
        arrived(value, arrival)
        wires[connection.index].proven.append(value)
      }
    }
  }

  private func isSeen(_ player: String, host: Int, at instant: SimInstant) -> Bool {
    player == hosts[host].peerID
      || connections.contains {
        cast.hosts[$0.index] == host && speech.sender($0.index, fromServer: false) == player
          && timeline.isSeen($0, at: instant)
      }
  }

  private func arrived(_ value: TrafficValue, _ event: EndEvent) {
    let isFromServer = value.isFromServer
    if !isFromServer {
      if let place = wires[event.connection].proven.firstIndex(of: value) {
        wires[event.connection].proven.remove(at: place)
        return
      }
      let place = wires[event.connection].underWay.firstIndex { $0.value == value }
      if let place { wires[event.connection].underWay.remove(at: place) }
    }
    let receiver = device(event, atServer: !isFromServer)
    let octets = [UInt8](value.octets)
    add(
      .input(
        .valueReceived(
          link(event), characteristic: characteristic(event, fromServer: isFromServer), octets: octets)), receiver,
      event)
    let reception =
      isFromServer
      ? wires[event.connection].fromServer.receive(octets, at: event.instant)
      : wires[event.connection].fromClient.receive(octets, at: event.instant)
    for drop in reception.drops {
      add(.report(.refused(link(event), reason: drop.reason.rawValue)), receiver, event)
    }
    if isFromServer { wires[event.connection].heard = records.anchor }
    guard let text = reception.packet else { return }
    guard let packet = memory.packet(text) else {
      add(.report(.refused(link(event), reason: "not a packet")), receiver, event)
      return
    }
    add(
      .report(
        .packetReceived(link(event), type: packet.payload.type.rawValue, senderID: packet.senderID, json: "")),
      receiver, event)
    if isFromServer {
      for shown in clients[receiver].hear(packet) { add(shown, receiver, event) }
    } else {
      hosts[receiver].hear(packet.payload, from: packet.senderID, at: records.anchor)
    }
  }

  private func answered(_ error: UInt8?, _ event: EndEvent) {
    let client = device(event, atServer: false)
    add(
      .input(
        .writeCompleted(link(event), characteristic: characteristic(event, fromServer: false), error: error)), client,
      event)
    report(claims.answer(event.connection, isSuccess: error == nil), event, client)
  }

  private func report(_ claim: BabClaims.Claim?, _ event: EndEvent, _ sender: Int) {
    guard let claim else { return }
    add(
      .report(
        .packetSent(link(event), type: claim.type, sequence: claim.sequence, fragments: claim.fragments)), sender, event)
  }

  // MARK: What is missing

  /// Something was said that no capture has: what the two ends show from now on may rightly differ.
  private func missed(_ event: EndEvent) {
    if missingSince[event.connection] == nil { missingSince[event.connection] = event.instant }
    claims.forget(event.connection)
    let characteristic = characteristic(event, fromServer: true)
    add(
      .fault(.message(.drop, link(event), characteristic: characteristic, octets: [])),
      device(event, atServer: false), event)
  }

  // MARK: Offers and searches

  private func offers(
    _ address: BluetoothAddress?, _ adapter: TrafficAdapter?, _ data: ArraySlice<UInt8>, _ event: EndEvent
  ) {
    guard let dialect = dialects.offered(data) else { return }
    for device in cast.member(address: address, adapter: adapter) {
      // A client only while it is with a host: it may have hosted another lobby before.
      if cast.header.devices[device].role == .client, !isLinked(device) { continue }
      if cast.header.devices[device].role == .host, !isLaunched[device] { continue }
      if let last = offered.lastIndex(where: { $0.device == device }) {
        if event.instant - offered[last].at < EndRecorder.offerSpacing { continue }
        offered[last].at = event.instant
      } else {
        offered.append((device, event.instant))
      }
      let request = AdvertisementRequest(localName: "", serviceUUIDs: [dialect.service])
      add(.effect(.advertise(request)), device, event)
    }
  }

  private func tellSearches(before instant: SimInstant, _ place: PacketPlace) {
    for news in searches.due(at: instant) {
      switch news.kind {
      case .givenUp:
        records.add(.report(.sessionEnded("no longer looks")), device: news.device, at: news.instant, place)
      case .undecided:
        isWatched[news.device] = false
        records.add(.fault(.background), device: news.device, at: news.instant, place)
      }
    }
  }
}
