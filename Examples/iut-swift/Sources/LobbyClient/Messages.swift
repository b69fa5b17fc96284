import BabSim
import Foundation

/// What the name of every payload begins with (BAB 4.2).
private let prefix = "com.bablabs.bringabrainlanguage.domain.models.PacketPayload."

/// What this app knows of everybody's counts (BAB 5.6).
struct VectorClock {
  private(set) var entries: [ClockEntry] = []

  func own(_ peer: String) -> Int64 { entries.first { $0.peerID == peer }?.count ?? 0 }

  mutating func countOne(_ peer: String) { set(peer, own(peer) == .max ? .max : own(peer) + 1) }

  /// The larger count of each, 64 entries at most.
  mutating func merge(_ other: [String: Int64]) {
    for (peer, count) in other.sorted(by: { $0.key < $1.key }) where count > own(peer) { set(peer, count) }
  }

  private mutating func set(_ peer: String, _ count: Int64) {
    if let index = entries.firstIndex(where: { $0.peerID == peer }) {
      entries[index].count = count
    } else if entries.count < 64 {
      entries.append(ClockEntry(peerID: peer, count: count))
    }
  }
}

/// The packets that this client sends; keys in the order of wire.md 4.D.
enum OutgoingMessage {
  case handshake(id: String, name: String)
  case clientJoin(id: String, name: String)
  case roleAssigned(player: String, role: String)
  case playerReady(player: String, isReady: Bool)
  case heartbeat

  var type: String {
    switch self {
    case .handshake: "HANDSHAKE"
    case .clientJoin: "CLIENT_JOIN"
    case .roleAssigned: "ROLE_ASSIGNED"
    case .playerReady: "PLAYER_READY"
    case .heartbeat: "HEARTBEAT"
    }
  }

  func packet(sender: String, clock: VectorClock) -> [UInt8] {
    let counts = clock.entries.map { "\(quoted($0.peerID)):\($0.count)" }.joined(separator: ",")
    let payload =
      switch self {
      case .handshake(let id, let name):
        #"Handshake","participant":{"id":\#(quoted(id)),"name":\#(quoted(name)),"role":null,"isHost":false}"#
      case .clientJoin(let id, let name):
        #"ClientJoin","profile":{"playerId":\#(quoted(id)),"displayName":\#(quoted(name))}"#
      case .roleAssigned(let player, let role):
        #"RoleAssigned","playerId":\#(quoted(player)),"roleId":\#(quoted(role))"#
      case .playerReady(let player, let isReady):
        #"PlayerReady","playerId":\#(quoted(player)),"isReady":\#(isReady)"#
      case .heartbeat: #"Heartbeat""#
      }
    let text =
      #"{"type":"\#(type)","senderId":\#(quoted(sender)),"vectorClock":{"timestamps":{\#(counts)}},"#
      + #""payload":{"type":"\#(prefix)\#(payload)}}"#
    return Array(text.utf8)
  }
}

/// BAB 4.7.
private func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\u{08}": result += "\\b"
    case "\t": result += "\\t"
    case "\n": result += "\\n"
    case "\u{0C}": result += "\\f"
    case "\r": result += "\\r"
    case _ where scalar.value < 0x20:
      result += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// A packet from a host, as far as this client cares.
struct IncomingMessage {
  enum Content {
    case lobby(LobbyView)
    case role(player: String, role: String)
    case ready(player: String, isReady: Bool)
    case start
    case other
  }

  var sender: String
  var clock: [String: Int64]
  var payloadName: String
  var content = Content.other
  /// The envelope names the payload (BAB 4.5).
  var namesItself: Bool
  /// False for a HANDSHAKE that is not the host's.
  var isFitHandshake = true

  var ownCount: Int64 { clock[sender] ?? 0 }
  var isClientOnly: Bool { ["ClientJoin", "GenerateRequest"].contains(payloadName) }

  private static let payloads = [
    "HANDSHAKE": "Handshake", "HEARTBEAT": "Heartbeat", "GENERATE_REQUEST": "GenerateRequest",
    "DIALOG_LINE_ADDED": "DialogLineAdded", "VOTE_REQUEST": "VoteRequest", "VOTE_CAST": "VoteCast",
    "FULL_STATE_SNAPSHOT": "FullStateSnapshot", "NAVIGATION_SYNC": "NavigationSync",
    "LINE_COMPLETED": "LineCompleted", "LINE_SKIPPED": "LineSkipped", "ROLE_ASSIGNED": "RoleAssigned",
    "PLAYER_READY": "PlayerReady", "GAME_STARTED": "GameStarted", "TURN_ADVANCED": "TurnAdvanced",
    "LEADERBOARD_UPDATE": "LeaderboardUpdate", "LOBBY_UPDATE": "LobbyUpdate", "CLIENT_JOIN": "ClientJoin",
    "START_GAME": "StartGame",
  ]

  private struct Envelope: Decodable {
    struct Clock: Decodable { var timestamps: [String: Int64]? }
    struct Discriminator: Decodable { var type: String }
    var type: String
    var senderId: String
    var vectorClock: Clock
    var payload: Discriminator
  }

  private struct Body<Payload: Decodable>: Decodable { var payload: Payload }
  private struct Handshake: Decodable {
    struct Participant: Decodable {
      var id: String
      var name: String
      var isHost: Bool?
    }
    var participant: Participant
  }
  private struct Lobby: Decodable {
    struct State: Decodable {
      var selectedScenarioId: String?
      var difficultyLevel: String?
      var connectedPlayers: [Profile]?
    }
    struct Profile: Decodable {
      var playerId: String
      var displayName: String
    }
    var lobbyState: State
  }
  private struct Role: Decodable {
    var playerId: String
    var roleId: String
  }
  private struct Ready: Decodable {
    var playerId: String
    var isReady: Bool
  }

  /// Nil for octets that are no packet.
  init?(_ octets: [UInt8]) {
    let data = Data(octets)
    guard let envelope = try? JSONDecoder().decode(Envelope.self, from: data), Self.payloads[envelope.type] != nil,
      envelope.payload.type.hasPrefix(prefix)
    else { return nil }
    sender = envelope.senderId
    clock = envelope.vectorClock.timestamps ?? [:]
    payloadName = String(envelope.payload.type.dropFirst(prefix.count))
    namesItself = Self.payloads[envelope.type] == payloadName
    guard Self.payloads.values.contains(payloadName) else { return nil }
    func read<T: Decodable>(_: T.Type) -> T? { try? JSONDecoder().decode(Body<T>.self, from: data).payload }
    switch payloadName {
    case "Handshake":
      guard let participant = read(Handshake.self)?.participant else { return nil }
      isFitHandshake = participant.isHost == true && participant.id == sender
    case "LobbyUpdate":
      guard let state = read(Lobby.self)?.lobbyState else { return nil }
      content = .lobby(
        LobbyView(
          scenarioID: state.selectedScenarioId ?? "", difficulty: state.difficultyLevel ?? "normal",
          players: (state.connectedPlayers ?? []).map(\.playerId)))
    case "RoleAssigned":
      guard let role = read(Role.self) else { return nil }
      content = .role(player: role.playerId, role: role.roleId)
    case "PlayerReady":
      guard let ready = read(Ready.self) else { return nil }
      content = .ready(player: ready.playerId, isReady: ready.isReady)
    case "GameStarted", "StartGame": content = .start
    default: break
    }
  }
}
