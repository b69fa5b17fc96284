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
  struct Wire {
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
    /// The server's, and the client's.
    var outgoing = [Outgoing(), Outgoing()]
  }

  /// Values without an answer that one end has said, as far as its phone still has them.
  struct Outgoing {
    /// By value: whether the sender's HCI shows when its controller has done with it.
    var waitsForCompletion: [Bool] = []
    var arrived = 0
    var completed = 0

    /// Takes out those that no phone has any more.
    /// - Returns: how many.
    mutating func release() -> Int {
      var count = 0
      while let waits = waitsForCompletion.first, arrived > 0, !waits || completed > 0 {
        waitsForCompletion.removeFirst()
        arrived -= 1
        if waits { completed -= 1 }
        count += 1
      }
      return count
    }
  }

  let cast: BabCast
  let connections: [EndConnection]
  let timeline: EndTimeline
  let speech: BabSpeech
  let dialects: BabDialects
  var records = BabRecords()
  var wires: [Wire]
  var claims: BabClaims
  var hosts: [BabHost]
  /// By device: what a host has yet to be told to have said.
  var orders: [BabOrder]
  var clients: [BabClient]
  var isLaunched: [Bool]
  var isWatched: [Bool]
  var searches: BabSearches
  var memory = PacketMemory()
  /// Ends of links of which their hosts hear later.
  var losses: [EndEvent] = []
  var offered: [(device: Int, at: SimInstant)] = []
  /// By device: when a host told each line that it has not accepted yet.
  var toldLines: [[String: SimInstant]]
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
    toldLines = devices.map { _ in [:] }
    isLaunched = Array(repeating: false, count: devices.count)
    isWatched = Array(repeating: true, count: devices.count)
    searches = BabSearches(devices: devices.count)
    missingSince = Array(repeating: nil, count: connections.count)
    let holes = BabHoles(timeline.events, connections: connections.count)
    for (place, event) in timeline.events.enumerated() {
      tellSearches(before: event.instant, event.place)
      loseLate(before: event.instant)
      tell(event)
      for hole in holes.begin(after: place) { missed(hole) }
    }
    loseLate(before: end)
    if let last = timeline.events.last { tellSearches(before: end + .nanoseconds(1), last.place) }
  }

  /// Clients of which nothing shows whether they gave up looking for their host.
  var undecidedSearches: Int { searches.undecided }

  func tell(_ event: EndEvent) {
    switch event.kind {
    case .opened(let atServer):
      if atServer { endOlder(event) }
      opened(event, atServer: atServer)
    case .closed(let atServer, let reason, let isByServer):
      if atServer, hearsLate(event, isByServer: isByServer == true) { return losses.append(event) }
      closed(event, atServer: atServer, reason: reason, isByServer: isByServer)
    case .ending(let atServer): ending(event, atServer: atServer)
    case .attMTU(let atServer, let size):
      add(.input(.attMTU(link(event), size)), device(event, atServer: atServer), event)
    case .departed(let value, let ordinal): departed(value, ordinal, event)
    case .frame(let fromServer, let isOpen): piece(event, fromServer: fromServer, isOpen: isOpen)
    case .arrived(let value): arrived(value, event)
    case .completed(let fromServer): release(event, fromServer: fromServer) { $0.completed += 1 }
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

  func link(_ event: EndEvent) -> LinkID { LinkID(event.connection) }

  func device(_ event: EndEvent, atServer: Bool) -> Int {
    atServer ? cast.hosts[event.connection] : cast.clients[event.connection]
  }

  func address(_ device: Int) -> BluetoothAddress { cast.header.devices[device].address }

  func add(_ event: TraceEvent, _ device: Int, _ cause: EndEvent) {
    records.add(event, device: device, at: cause.instant, cause.place)
  }

  func characteristic(_ event: EndEvent, fromServer: Bool) -> BluetoothUUID {
    let dialect = dialects.dialect(of: connections[event.connection])?.dialect ?? .sdk
    return fromServer ? dialect.state.uuid : dialect.command.uuid
  }

  // MARK: Values

  func departed(_ value: TrafficValue, _ ordinal: Int, _ event: EndEvent) {
    let isFromServer = value.isFromServer
    let sender = device(event, atServer: isFromServer)
    let characteristic = characteristic(event, fromServer: isFromServer)
    var octets = [UInt8](value.octets)
    let direction = speech.direction(event.connection, fromServer: isFromServer)
    if direction.isCut.indices.contains(ordinal), direction.isCut[ordinal] {
      // How much its platform has cut off nobody knows; it was one octet at least.
      octets.append(0)
    }
    let isLeftOver = direction.isLeftOver(ordinal)
    let unfinished = claims.begin(octets, event.connection, isFromServer: isFromServer)
    if missingSince[event.connection] == nil, !isLeftOver { report(unfinished, event, sender) }
    let utterance = speech.completed(by: ordinal, event.connection, fromServer: isFromServer)
    if isFromServer, !isLeftOver, let packet = utterance?.packet { prove(packet, sender, event) }
    switch value.carrier {
    case .notification, .indication:
      add(.effect(.notify(link(event), characteristic: characteristic, octets: octets)), sender, event)
    case .writeRequest: add(.effect(.write(link(event), characteristic: characteristic, octets: octets)), sender, event)
    case .writeCommand:
      add(.effect(.writeWithoutResponse(link(event), characteristic: characteristic, octets: octets)), sender, event)
    }
    if value.carrier != .writeRequest {
      add(.input(.submitted(link(event), characteristic: characteristic, accepted: true)), sender, event)
      let isWatched = timeline.isWatched(connections[event.connection], atServer: isFromServer, at: event.instant)
      release(event, fromServer: isFromServer) { $0.waitsForCompletion.append(isWatched) }
    }
    if !isFromServer {
      wires[event.connection].heard = records.anchor
      wires[event.connection].underWay.append((value, ordinal))
    }
    if let utterance, !isLeftOver { say(utterance, sender, event) }
    guard direction.framing != .raw, !isLeftOver else { return }
    let claim = claims.leave(octets, value.carrier, utterance, event.connection, isFromServer: isFromServer)
    report(claim, event, sender)
  }

  /// What a whole packet shows of its sender, now that all of it has left.
  func say(_ utterance: BabSpeech.Utterance, _ sender: Int, _ event: EndEvent) {
    guard let packet = utterance.packet else { return }
    if utterance.isFromServer {
      for earlier in orders[sender].take(before: utterance) {
        if let packet = earlier.packet { tell(packet, earlier.place, host: sender, event) }
      }
      tell(packet, utterance.place, host: sender, event)
    } else {
      if case .handshake(let participant) = packet.payload {
        identify(sender, participant.id, event)
      } else if clients[sender].peerID == nil {
        // Its HANDSHAKE was never whole, or left before the file begins.
        identify(sender, packet.senderID, event)
      }
      for shown in clients[sender].say(packet) { add(shown, sender, event) }
    }
  }

  func tell(_ packet: BabPacket, _ place: PacketPlace, host: Int, _ event: EndEvent) {
    if hosts[host].peerID == nil { identify(host, packet.senderID, event) }
    prove(packet, host, event)
    var told: [String] = []
    for (shown, anchor) in hosts[host].say(packet) {
      switch shown.bab {
      case .lineGenerated(let lineID, _, _)?: told.append(lineID)
      case .lineAccepted(let lineID, let player, _, _)?:
        // Nobody knows since when a line could be read that is told only now.
        told.removeAll { $0 == lineID }
        let start = toldLines[host].removeValue(forKey: lineID) ?? .zero
        if !isSeen(player, host: host, since: start, at: event.instant) { unseenPlayers.append(place.record) }
      case .score(let player, _)?:
        if hosts[host].isUncounted(player) { uncountedScores.append(place.record) }
      default: break
      }
      records.add(shown, device: host, at: anchor ?? records.anchor(at: event.instant), place)
    }
    for line in told { toldLines[host][line] = event.instant }
  }

  /// A host that tells a line as read has heard of it: what its player said of it has come, even if nothing else shows
  /// it yet.
  func prove(_ packet: BabPacket, _ host: Int, _ event: EndEvent) {
    for line in packet.committedLines where !hosts[host].history.contains(line) { prove(line, host, event) }
  }

  private func prove(_ lineID: String, _ host: Int, _ event: EndEvent) {
    for connection in connections where cast.hosts[connection.index] == host {
      let underWay = wires[connection.index].underWay
      guard !underWay.isEmpty, !timeline.showsArrivals(connection, fromServer: false, at: event.instant) else {
        continue
      }
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

  /// Whether captures show all that a player has said to a host since a line was told. A link that captures begin
  /// inside, and that may be the player's, hides what was said on it before, and a slow link tells a line late.
  func isSeen(_ player: String, host: Int, since start: SimInstant, at instant: SimInstant) -> Bool {
    if player == hosts[host].peerID { return true }
    let own = connections.filter { connection in
      guard cast.hosts[connection.index] == host else { return false }
      return speech.sender(connection.index, fromServer: false).map { $0 == player } ?? true
    }
    if own.contains(where: { !$0.isFromStart && $0.openedAt + Bounds.supervisionTimeout > start }) { return false }
    return own.contains {
      speech.sender($0.index, fromServer: false) != nil && timeline.isSeen($0, at: instant)
    }
  }

  func arrived(_ value: TrafficValue, _ event: EndEvent) {
    let isFromServer = value.isFromServer
    if !isFromServer {
      if let place = wires[event.connection].proven.firstIndex(of: value) {
        wires[event.connection].proven.remove(at: place)
        return
      }
      let place = wires[event.connection].underWay.firstIndex { $0.value == value }
      if let place { wires[event.connection].underWay.remove(at: place) }
    }
    if value.carrier != .writeRequest { release(event, fromServer: isFromServer) { $0.arrived += 1 } }
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
      return add(.report(.refused(link(event), reason: "not a packet")), receiver, event)
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

  /// Tells which values no phone has any more: they have arrived, and where the sender's HCI shows it, its controller
  /// has made room for more.
  private func release(_ event: EndEvent, fromServer: Bool, _ change: (inout Outgoing) -> Void) {
    let side = fromServer ? 0 : 1
    change(&wires[event.connection].outgoing[side])
    for _ in 0..<wires[event.connection].outgoing[side].release() {
      add(.input(.readyToSend(link(event))), device(event, atServer: fromServer), event)
    }
  }

  func answered(_ error: UInt8?, _ event: EndEvent) {
    let client = device(event, atServer: false)
    add(
      .input(
        .writeCompleted(link(event), characteristic: characteristic(event, fromServer: false), error: error)), client,
      event)
    report(claims.answer(event.connection, isSuccess: error == nil), event, client)
  }

  func report(_ claim: BabClaims.Claim?, _ event: EndEvent, _ sender: Int) {
    guard let claim else { return }
    add(
      .report(
        .packetSent(link(event), type: claim.type, sequence: claim.sequence, fragments: claim.fragments)), sender, event
    )
  }

  // MARK: What is missing

  /// Something was said that no capture has: what the two ends show from now on may rightly differ.
  func missed(_ event: EndEvent) {
    if missingSince[event.connection] == nil { missingSince[event.connection] = event.instant }
    claims.forget(event.connection)
    let characteristic = characteristic(event, fromServer: true)
    add(
      .fault(.message(.drop, link(event), characteristic: characteristic, octets: [])),
      device(event, atServer: false), event)
  }

  // MARK: Offers and searches

  func offers(
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

  func tellSearches(before instant: SimInstant, _ place: PacketPlace) {
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
