import Foundation

/// What a guest wants of the manager that carries it.
public protocol GuestCarrier: AnyObject {
  /// Carries one packet to the host, in the order of calls.
  func send(_ packet: JSON)
}

/// The rules of a guest in a Bab lobby (bab.md 5.1, 5.2, 5.3, 5.6, 7), without any radio: what it says, whom it
/// believes, what it shows.
///
/// Games stop at their start: no turns.
public final class LobbyGuest {
  public typealias Report = (_ name: String, _ members: KeyValuePairs<String, any Encodable>) -> Void

  private static let clientOnly = ["ClientJoin", "GenerateRequest"]

  private let id: String
  private let name: String
  private weak var carrier: (any GuestCarrier)?
  private let show: Report
  private var clock = VectorClock(mostPeers: 64)
  private var screen = LobbyScreen()
  /// The sender of the link's first packet (7.5), and its newest count (5.6.4).
  private var host: String?
  private var newestCount = 0
  private var hasSnapshot = false
  /// What the bench calls the link, for reports.
  private var link = 0
  private var sentCount = 0
  /// The host has listed this guest on the present link.
  public private(set) var isSeated = false
  /// The game has come to its end.
  public var isOver: Bool { screen.phase == "FINISHED" }

  /// - Parameter show: a report of the protocol, whenever what is shown changes.
  public init(id: String, name: String, carrier: any GuestCarrier, show: @escaping Report) {
    self.id = id
    self.name = name
    self.carrier = carrier
    self.show = show
  }

  // MARK: The session, as its manager knows it

  public func launched() {
    show("identity", ["role": "client", "peerID": id, "displayName": name])
    show("phase", ["phase": screen.phase])
    show("linkState", ["linkState": "DISCONNECTED"])
  }

  public func began() {
    screen = LobbyScreen()
    show("linkState", ["linkState": "CONNECTING"])
  }

  public func connected(link: Int) {
    self.link = link
    sentCount = 0
  }

  /// The host can be written to, and what it notifies is heard (5.1.5).
  public func arrived() {
    (host, newestCount, hasSnapshot) = (nil, 0, false)
    tell("HANDSHAKE", "Handshake", [("participant", PacketText.participant(id, name, isHost: false))])
    tell("CLIENT_JOIN", "ClientJoin", [("profile", PacketText.profile(id, name))])
  }

  /// The link is gone (5.7.7).
  /// - Parameter comesBack: its manager looks for the host again.
  public func left(comesBack: Bool) {
    if isSeated, comesBack { show("linkState", ["linkState": "RECONNECTING"]) }
    isSeated = false
  }

  public func ended(_ reason: String) {
    isSeated = false
    show("linkState", ["linkState": "DISCONNECTED"])
    show("sessionEnded", ["reason": reason])
  }

  // MARK: The guest's person

  public func ask(forRole role: String) {
    if isSeated { tell("ROLE_ASSIGNED", "RoleAssigned", [("playerId", .text(id)), ("roleId", .text(role))]) }
  }

  public func set(ready: Bool) {
    if isSeated { tell("PLAYER_READY", "PlayerReady", [("playerId", .text(id)), ("isReady", .flag(ready))]) }
  }

  /// 8.8.
  public func beat() { tell("HEARTBEAT", "Heartbeat", []) }

  /// 5.9.3.
  public func sent(_ type: String, fragmentCount: Int) {
    show("packetSent", ["link": link, "type": type, "packet": sentCount, "fragments": fragmentCount])
    sentCount += 1
  }

  private func tell(_ type: String, _ payloadName: String, _ members: [(String, JSON)]) {
    clock.tick(id)
    carrier?.send(PacketText.packet(type, payloadName, members, from: id, clock))
    showClock()
  }

  // MARK: The host

  public func received(_ octets: Data) {
    guard let packet = ReceivedPacket(octets), !Self.clientOnly.contains(packet.kind), packet.sender != id,
      packet.sender == host ?? packet.sender, packet.kind != "Handshake" || isOfHost(packet)
    else { return }
    host = packet.sender
    let count = packet.clock[packet.sender] ?? 0
    if count < newestCount { return }
    newestCount = count
    for (peer, count) in packet.clock.sorted(by: { $0.key < $1.key }) { clock.merge(peer, count) }
    showClock()
    for report in screen.take(packet, as: id) { show(report.name, report.members) }
    if packet.kind == "FullStateSnapshot" { hasSnapshot = true }
    if packet.kind == "LobbyUpdate", !isSeated, screen.lobby?.players.contains(id) == true { seated() }
  }

  /// 7.5.
  private func isOfHost(_ packet: ReceivedPacket) -> Bool {
    packet["participant", "id"] == packet.sender
      && (packet.payload["participant"] as? [String: Any])?["isHost"] as? Bool == true
  }

  private func seated() {
    isSeated = true
    show("linkState", ["linkState": "CONNECTED"])
    if hasSnapshot { show("resumed", [:]) }
  }

  private func showClock() {
    show("vectorClock", ["entries": clock.entries.map { ClockEntry(peerID: $0.peer, count: $0.count) }])
  }
}

private struct ClockEntry: Encodable {
  var peerID: String
  var count: Int
}
