import Foundation

/// What a lobby wants of the manager that carries it.
public protocol LobbyCarrier: AnyObject {
  /// Carries one packet to these guests, in the order of calls.
  func send(_ packet: JSON, to guests: [UUID])
  /// Whether a seat is free, and the game has not begun.
  func lobby(isOpen: Bool)
}

/// The rules of a Bab lobby (bab.md 5.1, 5.2, 5.6, 5.7.1, 7), without any radio: who has a seat, what guests are told.
///
/// Games stop at their start: no turns. A guest is whatever the carrier knows it by.
public final class Lobby {
  private struct Guest {
    let place: UUID
    var peer: String?
    var newestCount = 0
    var profile: (id: String, name: String)?
  }

  private static let capacity = 8
  private static let hostOnly = [
    "DialogLineAdded", "FullStateSnapshot", "NavigationSync", "GameStarted", "TurnAdvanced", "LeaderboardUpdate",
    "LobbyUpdate", "StartGame",
  ]

  private let id: String
  private let name: String
  private weak var carrier: (any LobbyCarrier)?
  private var guests: [Guest] = []
  /// In the order of the first joins (5.1.8), which `order` keeps.
  private var seats: [UUID] = []
  private var order: [String] = []
  private var clock = VectorClock()
  private var scenario = ""
  private var difficulty = "normal"
  private var hasBegun = false
  private let scenarios: [String]
  /// What the screen shows: the ids of players.
  public var onRoster: (([String]) -> Void)?
  /// LOBBY, and ACTIVE once the game has begun.
  public var onPhase: ((String) -> Void)?

  public init(id: String, name: String, scenarios: [String], carrier: any LobbyCarrier) {
    self.id = id
    self.name = name
    self.scenarios = scenarios
    self.carrier = carrier
  }

  // MARK: The host's person

  public func select(_ scenario: String) {
    if hasBegun || scenario == self.scenario { return }
    self.scenario = scenario
    tellLobby()
  }

  public func set(difficulty: String) {
    if hasBegun || difficulty == self.difficulty || !["easy", "normal", "hard"].contains(difficulty) { return }
    self.difficulty = difficulty
    tellLobby()
  }

  /// 5.2.7, 5.2.8.
  public func start() {
    guard !hasBegun, scenarios.contains(scenario), !seats.isEmpty else { return }
    hasBegun = true
    tell(seats, "START_GAME", "StartGame", [])
    carrier?.lobby(isOpen: false)
    onPhase?("ACTIVE")
  }

  // MARK: Guests

  public func arrived(_ place: UUID) {
    guests.removeAll { $0.place == place }
    guests.append(Guest(place: place))
  }

  /// 5.7.1.
  public func left(_ place: UUID) {
    guests.removeAll { $0.place == place }
    guard let seat = seats.firstIndex(of: place) else { return }
    seats.remove(at: seat)
    tellLobby()
    carrier?.lobby(isOpen: !hasBegun && seats.count + 1 < Self.capacity)
  }

  public func received(_ octets: Data, from place: UUID) {
    guard let packet = ReceivedPacket(octets), let index = guests.firstIndex(where: { $0.place == place }) else {
      return
    }
    if packet.kind == "Handshake" {
      shake(packet, index)
    } else if packet.sender == guests[index].peer, !Self.hostOnly.contains(packet.kind), isNew(packet, index) {
      merge(packet)
      if packet.kind == "ClientJoin" { join(packet, index) }
    }
  }

  /// 7.2, 7.4, 7.9, 7.10.
  private func shake(_ packet: ReceivedPacket, _ index: Int) {
    guard let peer = packet["participant", "id"], !peer.isEmpty, peer == packet.sender, peer != id,
      (packet.payload["participant"] as? [String: Any])?["isHost"] as? Bool != true,
      guests[index].peer == nil || guests[index].peer == peer,
      !guests.contains(where: { $0.peer == peer && $0.place != guests[index].place }), isNew(packet, index)
    else { return }
    let isFirst = guests[index].peer == nil
    guests[index].peer = peer
    merge(packet)
    // A guest that cannot get a seat is told nothing (5.1.10): this end cannot end a link.
    guard isFirst, !hasBegun, seats.count + 1 < Self.capacity else { return }
    let me = PacketText.participant(id, name, isHost: true)
    tell([guests[index].place], "HANDSHAKE", "Handshake", [("participant", me)])
  }

  /// 5.1.7.
  private func join(_ packet: ReceivedPacket, _ index: Int) {
    let place = guests[index].place
    guard packet["profile", "playerId"] == packet.sender, !seats.contains(place), !hasBegun,
      seats.count + 1 < Self.capacity
    else { return }
    guests[index].profile = (packet.sender, packet["profile", "displayName"] ?? "")
    if !order.contains(packet.sender) { order.append(packet.sender) }
    seats.append(place)
    seats.sort { rank($0) < rank($1) }
    tellLobby()
    carrier?.lobby(isOpen: seats.count + 1 < Self.capacity)
  }

  private func rank(_ seat: UUID) -> Int {
    guests.first { $0.place == seat }?.peer.flatMap { order.firstIndex(of: $0) } ?? order.count
  }

  /// 5.6.4.
  private func isNew(_ packet: ReceivedPacket, _ index: Int) -> Bool {
    let count = packet.clock[packet.sender] ?? 0
    if count < guests[index].newestCount { return false }
    guests[index].newestCount = count
    return true
  }

  /// 5.6.2, 5.6.5.
  private func merge(_ packet: ReceivedPacket) {
    for (peer, count) in packet.clock.sorted(by: { $0.key < $1.key })
    where peer == id || guests.contains(where: { $0.peer == peer }) {
      clock.merge(peer, count)
    }
  }

  // MARK: Telling

  private func tellLobby() {
    let players = [(id: id, name: name)] + seats.compactMap { seat in guests.first { $0.place == seat }?.profile }
    onRoster?(players.map(\.id))
    let profiles = players.map { PacketText.profile($0.id, $0.name) }
    let state: JSON = .object([
      ("selectedScenarioId", .text(scenario)), ("difficultyLevel", .text(difficulty)),
      ("connectedPlayers", .list(profiles)),
    ])
    tell(seats, "LOBBY_UPDATE", "LobbyUpdate", [("lobbyState", state)])
  }

  private func tell(_ places: [UUID], _ type: String, _ payloadName: String, _ members: [(String, JSON)]) {
    if places.isEmpty { return }
    clock.tick(id)
    carrier?.send(PacketText.packet(type, payloadName, members, from: id, clock), to: places)
  }
}
