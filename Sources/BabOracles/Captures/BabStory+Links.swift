import AppSeam
import BabSim
import Bench
import BluetoothWire
import CaptureCheck
import Conformance
import Platform
import SimKernel

/// Links of both ends as they come up and end, and runs of apps.
extension BabStory {
  func launch(_ device: Int, _ event: EndEvent) {
    isLaunched[device] = true
    // No link outlives the run of its app, even if nothing shows yet that it is over.
    for index in wires.indices {
      if cast.hosts[index] == device { wires[index].isUpAtServer = false }
      if cast.clients[index] == device { wires[index].isUpAtClient = false }
    }
    orders[device].clear()
    toldLines[device] = [:]
    hosts[device].relaunch()
    clients[device].relaunch()
    add(.input(.launched), device, event)
    add(.report(.phase("LOBBY")), device, event)
  }

  /// A sender's own count that starts over on a new link is a new run of its app, as far as a capture can show
  /// (BAB 5.6.3): within one run it only grows, and what is said on a link was made after it came up. So is any count
  /// that starts over, once nothing more is said on older links: a new run learns its own count from its peers.
  func launchIfNew(_ device: Int, _ event: EndEvent, atServer: Bool) {
    let known = atServer ? hosts[device].clock : clients[device].clock
    let packets = firstPackets(since: event, device, atServer: atServer)
    let startsOver =
      isSilentBefore(connections[event.connection], device, atServer: atServer)
      ? packets.contains { packet in known.timestamps.entries.contains { packet.vectorClock[$0.key] < $0.value } }
      : packets.first.map { $0.vectorClock[$0.senderID] < known[$0.senderID] } ?? false
    if !isLaunched[device] || startsOver { launch(device, event) }
  }

  /// The first packets that a device says on each link, from one that comes up to the next one which may be of another
  /// run of its app. Links that come up while this one is up are of its run, if it says nothing on this one.
  private func firstPackets(since event: EndEvent, _ device: Int, atServer: Bool) -> [BabPacket] {
    let own = connections[event.connection]
    let isMute = speech.firstPacket(own.index, fromServer: atServer) == nil
    let ended = speech.direction(own.index, fromServer: atServer).endedAt
    let later = links(of: device, atServer: atServer)
      .filter { $0.openedAt >= event.instant && $0.index != own.index }
      .sorted { ($0.openedAt, $0.index) < ($1.openedAt, $1.index) }
    let ofThisRun = later.prefix { other in
      !isSilentBefore(other, device, atServer: atServer)
        || isMute && ended.map { other.openedAt < $0 } ?? true
    }
    return ([own] + ofThisRun).compactMap { speech.firstPacket($0.index, fromServer: atServer) }
  }

  private func links(of device: Int, atServer: Bool) -> [EndConnection] {
    connections.filter { (atServer ? cast.hosts : cast.clients)[$0.index] == device }
  }

  /// Whether a device says nothing more on links that are older than one of its links.
  private func isSilentBefore(_ own: EndConnection, _ device: Int, atServer: Bool) -> Bool {
    links(of: device, atServer: atServer).allSatisfy { other in
      other.index == own.index || other.openedAt > own.openedAt
        || speech.lastSaid(other.index, fromServer: atServer) <= own.openedAt
    }
  }

  /// Where no capture shows how a client lost a link, it has lost it by now if it has another one to the same device,
  /// for there is one at a time, or is not heard on it any more.
  func loseStaleLink(of event: EndEvent) {
    let (client, host) = (device(event, atServer: false), device(event, atServer: true))
    for index in wires.indices where index != event.connection && wires[index].isUpAtClient {
      guard cast.clients[index] == client,
        !timeline.isWatched(connections[index], atServer: false, at: event.instant),
        cast.hosts[index] == host || !isClientHeard(on: index, after: event.instant)
      else { continue }
      var end = event
      end.connection = index
      closed(end, atServer: false, reason: nil, isByServer: nil)
    }
  }

  private func isClientHeard(on connection: Int, after instant: SimInstant) -> Bool {
    speech.clientHeardAt[connection] > instant || connections[connection].contactAt.map { $0 > instant } ?? false
  }

  func opened(_ event: EndEvent, atServer: Bool) {
    let device = device(event, atServer: atServer)
    launchIfNew(device, event, atServer: atServer)
    if atServer { orders[device].add(speech.packetsOfServer(event.connection)) } else { loseStaleLink(of: event) }
    let peer = address(self.device(event, atServer: !atServer))
    if !isWatched[device] { add(.fault(.foreground), device, event) }
    isWatched[device] = true
    if atServer {
      wires[event.connection].isUpAtServer = true
      hosts[device].linked()
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

  func isLinked(_ client: Int) -> Bool {
    wires.indices.contains { cast.clients[$0] == client && wires[$0].isUpAtClient }
  }

  func hosts(_ device: Int) -> Bool {
    wires.indices.contains { cast.hosts[$0] == device && wires[$0].isUpAtServer }
  }

  func identify(_ device: Int, _ peerID: String, _ event: EndEvent) {
    let role = cast.header.devices[device].role
    let isKnown = (role == .host ? hosts[device].peerID : clients[device].peerID) == peerID
    hosts[device].identify(peerID)
    clients[device].identify(peerID)
    if !isKnown { add(.report(.identity(role: role, peerID: peerID, displayName: "")), device, event) }
  }

  func closed(_ event: EndEvent, atServer: Bool, reason: HCI.ErrorCode?, isByServer: Bool?) {
    let client = device(event, atServer: false)
    // A new run of the app, or a new link, has ended it already.
    guard atServer ? wires[event.connection].isUpAtServer : wires[event.connection].isUpAtClient else { return }
    if isByServer == nil { wasSilent(client, event) }
    if isByServer == atServer { ending(event, atServer: atServer) }
    if atServer {
      wires[event.connection].isUpAtServer = false
      let host = device(event, atServer: true)
      add(.input(.disconnected(link(event), reason: reason ?? .connectionTimeout)), host, event)
      if !canTellAnybody(host, event) {
        let seesAll =
          connections[event.connection].tracks.contains { $0.link.viewpoint == .air }
          || timeline.isWatched(connections[event.connection], atServer: true, at: event.instant)
        for shown in hosts[host].isAlone(seesAll: seesAll) { add(shown, host, event) }
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

  /// An end has asked for the end of its link, and it may take its controller as long as the supervision timeout to be
  /// done with it: nothing that would be said on the link is due meanwhile.
  func ending(_ event: EndEvent, atServer: Bool) {
    guard atServer ? wires[event.connection].isUpAtServer : wires[event.connection].isUpAtClient else { return }
    add(.effect(.disconnect(link(event))), device(event, atServer: atServer), event)
  }

  /// Whether a client is linked again within its window.
  func returns(_ client: Int, behind event: EndEvent) -> Bool {
    connections.contains { other in
      other.index != event.connection && cast.clients[other.index] == client && other.openedAt > event.instant
        && other.openedAt - event.instant <= Bounds.reconnectWindow
    }
  }

  /// Whether a client is linked to the host that will still be heard of.
  func canTellAnybody(_ host: Int, _ event: EndEvent) -> Bool {
    wires.indices.contains { index in
      cast.hosts[index] == host && wires[index].isUpAtServer && speech.clientHeardAt[index] > event.instant
    }
  }

  /// A value that leaves in pieces is under way from its first piece on, and has left with its last. So is what else a
  /// link carries in pieces. Records have no word for it but a question that waits for its answer.
  func piece(_ event: EndEvent, fromServer: Bool, isOpen: Bool) {
    let sender = device(event, atServer: fromServer)
    let characteristic = characteristic(event, fromServer: fromServer)
    if isOpen {
      add(.effect(.read(link(event), characteristic: characteristic)), sender, event)
    } else {
      add(.input(.valueRead(link(event), characteristic: characteristic, octets: nil)), sender, event)
    }
  }

  /// A link fell silent: nothing was asked of its client from when it was last heard.
  func wasSilent(_ client: Int, _ event: EndEvent) {
    guard let heard = wires[event.connection].heard else { return }
    wires[event.connection].heard = nil
    records.add(.fault(.background), device: client, at: heard, event.place)
    add(.fault(.foreground), client, event)
  }

  /// Whether a host may hear only when the supervision timeout is over that a link has ended: the client's own capture
  /// says so and none of the host's; or the host has asked for it, and nobody knows when the answer came to it.
  func hearsLate(_ event: EndEvent, isByServer: Bool) -> Bool {
    let connection = connections[event.connection]
    if timeline.isWatched(connection, atServer: true, at: event.instant) { return false }
    return isByServer
      ? connection.tracks.contains { $0.link.viewpoint == .air }
      : timeline.isWatched(connection, atServer: false, at: event.instant)
  }

  /// A client has a new link to its host: one that the host has ended before is over.
  func endOlder(_ event: EndEvent) {
    let client = device(event, atServer: false)
    while let place = losses.firstIndex(where: { other in
      guard case .closed(_, _, isByServer: true) = other.kind else { return false }
      return device(other, atServer: false) == client
    }) {
      hear(ofLoss: place, at: event.instant)
    }
  }

  private func hear(ofLoss place: Int, at instant: SimInstant) {
    var event = losses.remove(at: place)
    event.instant = instant
    guard case .closed(_, let reason, let isByServer) = event.kind else { return }
    closed(event, atServer: true, reason: reason, isByServer: isByServer)
  }

  func loseLate(before now: SimInstant) {
    while let place = losses.indices.min(by: { heardAt(losses[$0]) < heardAt(losses[$1]) }),
      heardAt(losses[place]) < now
    {
      hear(ofLoss: place, at: heardAt(losses[place]))
    }
  }

  /// When a host knows at the latest that a link is over.
  func heardAt(_ event: EndEvent) -> SimInstant {
    let timeout = connections[event.connection].tracks.compactMap(\.link.supervisionTimeout).max()
    return event.instant + (timeout.map { .milliseconds(Int64($0) * 10) } ?? Bounds.supervisionTimeout)
  }
}
