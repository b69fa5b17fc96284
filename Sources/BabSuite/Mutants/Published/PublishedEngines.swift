import AppSeam
import BabSim
package import Conformance

/// Engines that behave as the published code does, with all its defects at once: what a team has that builds on it.
///
/// Each is the reference with the defects of its source around it, so that mending one of them is leaving it out.
extension Mutants {
  static let publishedEngines: [Mutant] = [
    Mutant("published-sdk-host", "behaves as the SDK's host", stacking: [seatsWhoGreets] + sdkHost),
    Mutant(
      "published-guide-host", "behaves as the guide's BLE manager with the SDK's host",
      stacking: [seatsWhoGreets] + guideHost),
    Mutant("published-app-host", "behaves as the app's host", stacking: appHost),
    Mutant("published-sdk-client", "behaves as the SDK's client", stacking: [knowsSnapshots] + sdkClient),
    Mutant(
      "published-guide-client", "behaves as the guide's BLE manager with the SDK's client",
      stacking: [knowsSnapshots] + guideClient),
    Mutant("published-app-client", "behaves as the app's client", stacking: appClient),
  ]

  /// The published way into a lobby, which is no defect: whoever is there has a seat, and need not ask for it.
  package static let seatsWhoGreets: Mutant = .packets(
    "published-seats-who-greets", .host, "BAB 5.1.7", "gives a seat to whoever sends HANDSHAKE",
    incoming: { m, packet in
      guard case .handshake(let participant) = packet.payload, !m.memory.contains(participant.id) else {
        return [packet]
      }
      m.memory.append(participant.id)
      let profile = LobbyProfile(playerID: participant.id, displayName: participant.name)
      return [packet, packet.saying(.clientJoin(profile))]
    },
    observing: { m, input in if case .disconnected = input { m.memory = [] } })

  /// The same for a client: a snapshot tells it the lobby.
  static let knowsSnapshots: Mutant = .packets(
    "published-knows-snapshots", .client, "BAB 5.1.13", "takes the lobby from a snapshot",
    mishearing: { m, packet in
      guard case .fullStateSnapshot(let state) = packet.payload, state.currentPhase == .lobby else { return }
      var lobby = LobbyState()
      lobby.selectedScenarioID = state.scenario?.id ?? ""
      lobby.connectedPlayers = state.lobbyPlayers.map { LobbyProfile(playerID: $0.peerID, displayName: $0.displayName) }
      let me = LobbyProfile(playerID: m.configuration.peerID, displayName: m.configuration.displayName)
      if !lobby.connectedPlayers.contains(where: { $0.playerID == me.playerID }) { lobby.connectedPlayers.append(me) }
      packet.payload = .lobbyUpdate(lobby)
    })

  /// What the SDK's host does not do, or does wrong, the innermost first. A seat is taken with the subscription and
  /// told to nobody; roles, readiness and start change its own screen only; a turn that is told has no line.
  static let sdkHost: [Mutant] = [
    named("published-unknown-line-fatal"), named("published-any-sender"), named("published-no-capacity"),
    named("role-given-twice"), named("ready-without-role"),
    .packets(
      "published-turn-without-line", .host, "BAB 5.4.2", "announces no first turn, and later ones without a line",
      outgoing: { m, packet in
        guard case .turnAdvanced(let player, _) = packet.payload else { return [packet] }
        return m.count == 0 ? [] : [packet.saying(.turnAdvanced(nextPlayerID: player, pendingLine: nil))]
      },
      whenHearing: { m, packet in if packet.type == .lineCompleted || packet.type == .lineSkipped { m.count += 1 } },
      observing: { m, input in
        if case .user(let action) = input { if action.bab?.endsLine ?? false { m.count += 1 } }
      }),
    .packets(
      "published-clients-lines-stay", .host, "BAB 5.4.6", "takes the line of a client and tells no other client",
      unsaid: { m, packet in m.count > 0 && lineTypes.contains(packet.type) },
      whenHearing: { m, packet in if packet.type == .lineCompleted || packet.type == .lineSkipped { m.count = 1 } },
      observing: { m, input in if case .user = input { m.count = 0 } }),
    named("published-skip-tells-nobody"),
    .keepsBack(
      "published-lines-not-told", .host, "BAB 5.4.6", "tells nobody the text of a line that was read",
      [.dialogLineAdded]),
    .keepsBack(
      "published-votes-stay-here", .host, "BAB 5.5.4", "tells nobody of a vote",
      [.voteRequest, .voteCast, .navigationSync]),
    .keepsBack(
      "published-no-snapshot", .host, "BAB 5.7.4", "never sends FULL_STATE_SNAPSHOT", [.fullStateSnapshot]),
    .keepsBack(
      "published-start-not-told", .host, "BAB 5.3.9", "starts a game on its own screen only",
      [.startGame, .gameStarted]),
    .keepsBack(
      "published-roles-not-told", .host, "BAB 5.3.4", "gives roles and readiness on its own screen only",
      [.roleAssigned, .playerReady]),
    named("never-seats"), named("never-greets"),
  ]

  /// What the SDK's client does not do, or does wrong: nothing of a lobby is sent, whatever comes is believed, and a
  /// lost link is the end.
  static let sdkClient: [Mutant] = [
    named("foreign-text-shown"), named("repeats-kept"), named("votes-before-game"),
    named("takes-the-snapshots-id"), named("takes-the-snapshots-mode"), named("empty-history-replaces"),
    named("empty-roles-replace"), named("empty-ranking-replaces"), named("timeout-is-final"),
    named("clean-end-is-final"),
    .keepsBack(
      "published-votes-unsaid", .client, "BAB 5.5.2", "sends no vote", [.voteRequest, .voteCast]),
    .keepsBack(
      "published-wishes-unsaid", .client, "BAB 5.3.3", "takes a role on its own screen only",
      [.roleAssigned, .playerReady]),
    named("never-asks-for-a-seat"), named("never-introduces-itself"),
  ]

  /// The guide's manager cuts packets without a header and does not look at what the platform answers.
  static let guideHost = sdkHost + [named("published-update-value-ignored"), named("published-raw-chunks")]

  static let guideClient =
    sdkClient + [
      .set("published-raw-writes", .client, "BAB 3.1", "cuts the JSON every 182 octets and adds no header") {
        $0.dialect.framing = .raw
      }
    ]

  /// The app's managers open a link and pass no packet on, either way.
  static let appHost: [Mutant] = [
    .keepsBack("published-host-is-mute", .host, "BAB 5.1.6", "sends nothing at all", PacketType.allCases)
  ]

  static let appClient: [Mutant] = [
    .keepsBack("published-client-is-mute", .client, "BAB 5.1.5", "sends nothing at all", PacketType.allCases)
  ]

  private static let lineTypes: [PacketType] = [
    .dialogLineAdded, .lineCompleted, .lineSkipped, .turnAdvanced, .leaderboardUpdate,
  ]

  private static func named(_ name: String) -> Mutant {
    guard let mutant = (games + stoppers + published + clauses).first(where: { $0.name == name }) else {
      preconditionFailure("no mutant is called \(name)")
    }
    return mutant
  }
}

extension BabAction {
  /// Whether the user reads or skips a line by it.
  fileprivate var endsLine: Bool {
    switch self {
    case .completeLine, .skipLine, .speak: true
    default: false
    }
  }
}
