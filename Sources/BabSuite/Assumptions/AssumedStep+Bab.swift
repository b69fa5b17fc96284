import AppSeam
import BabSim
import Conformance

/// The steps of Bab that the bench can take for an implementation, by the packets that take them.
struct BabStep {
  let step: AssumedStep
  /// What a host sends that takes the step.
  let ofHosts: [PacketType]
  /// What a client sends.
  let ofClients: [PacketType]

  init(_ name: String, _ text: String, hosts: [PacketType], clients: [PacketType] = []) {
    step = AssumedStep(name: name, text: text)
    ofHosts = hosts
    ofClients = clients
  }

  /// The step that no packet takes.
  static let framing = "frames"

  func types(_ role: AppRole) -> [PacketType] { role == .host ? ofHosts : ofClients }

  /// In the order in which a session takes them.
  static let all: [BabStep] = [
    BabStep(framing, "Carries packets in fragments, for an engine that has none (BAB 3).", hosts: []),
    BabStep("greeting", "Sends HANDSHAKE (BAB 5.1.5, 5.1.6).", hosts: [.handshake], clients: [.handshake]),
    BabStep(
      "seat", "A host's LOBBY_UPDATE, a client's CLIENT_JOIN (BAB 5.1.5, 5.1.7, 5.2.4).", hosts: [.lobbyUpdate],
      clients: [.clientJoin]),
    BabStep(
      "roles", "Sends ROLE_ASSIGNED and PLAYER_READY (BAB 5.3).", hosts: [.roleAssigned, .playerReady],
      clients: [.roleAssigned, .playerReady]),
    BabStep("start", "Sends START_GAME and GAME_STARTED (BAB 5.2.8, 5.3.9).", hosts: [.startGame, .gameStarted]),
    BabStep("turns", "Sends TURN_ADVANCED (BAB 5.4.1, 5.4.2).", hosts: [.turnAdvanced]),
    BabStep(
      "lines", "Sends what ends a line (BAB 5.4.6).",
      hosts: [.dialogLineAdded, .lineCompleted, .lineSkipped, .leaderboardUpdate]),
    BabStep("votes", "Sends VOTE_REQUEST and VOTE_CAST (BAB 5.5.2, 5.5.4).", hosts: [.voteRequest, .voteCast]),
    BabStep("snapshot", "Sends FULL_STATE_SNAPSHOT (BAB 5.7.4, 5.8.2).", hosts: [.fullStateSnapshot]),
  ]

  /// The step that a packet of an implementation takes; nil where the bench has none.
  static func name(for type: PacketType, role: AppRole) -> String? {
    all.first { $0.types(role).contains(type) }?.step.name
  }
}

extension AssumedSteps {
  static let bab = AssumedSteps(
    BabStep.all.map(\.step), changes: ["BAB 3.", "BAB 5.6.", "BAB 5.9.", "BAB 8.9"]
  ) { engine, configuration, assumption in
    AssumingEngine(wrapping: engine, configuration, assumption)
  }
}
