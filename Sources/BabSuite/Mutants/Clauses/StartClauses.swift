import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// Defects of the start.
extension Mutants {
  static let start: [Mutant] = startConditions + startEffects + startClients

  // MARK: Hosts

  private static let startConditions: [Mutant] = [
    .packets(
      "starts-without-scene", .host, "BAB 5.2.7", "starts although no known scenario is selected",
      whenSaying: { m, packet in
        if case .lobbyUpdate(let lobby) = packet.payload, !lobby.selectedScenarioID.isEmpty { m.count = 1 }
      },
      observing: { m, input in if input == .user(.startLobbyGame), m.count == 0 { m.sayToAll(.startGame) } }),
    .seam(
      "starts-alone", .host, "BAB 5.2.7", "closes its lobby when it is started without a client",
      whenTold: { m, input in
        let isStart = input == .user(.startLobbyGame) || input == .user(.startMultiplayerGame)
        if isStart, m.count < 2 { m.added.append(.stopAdvertising) }
      },
      whenAsking: { m, effect in if case .roster(let players)? = effect.bab { m.count = players.count } }),
    .packets(
      "starts-without-roles", .host, "BAB 5.3.8", "starts with roles although somebody has none",
      whenSaying: { m, packet in
        if case .roleAssigned(let player, _) = packet.payload, !m.memory.contains(player) { m.memory.append(player) }
        if case .lobbyUpdate(let lobby) = packet.payload { m.count = lobby.connectedPlayers.count }
      },
      observing: { m, input in
        if input == .user(.startMultiplayerGame), m.memory.count < m.count { m.sayToAll(.gameStarted) }
      }),
    .packets(
      "starts-unready", .host, "BAB 5.3.8", "starts with roles although somebody is not ready",
      whenSaying: { m, packet in
        if case .playerReady(let player, let isReady) = packet.payload {
          m.memory.removeAll { $0 == player }
          if !isReady { m.memory.append(player) }
        }
      },
      observing: { m, input in
        if input == .user(.startMultiplayerGame), !m.memory.isEmpty { m.sayToAll(.gameStarted) }
      }),
    .packets(
      "ready-with-any-role", .host, "BAB 5.3.5", "starts although a player has a new role and is not ready",
      whenSaying: { m, packet in
        let isFirst = m.link == m.links.first
        if case .roleAssigned(let player, _) = packet.payload, isFirst {
          if m.memory.contains(player) { m.count = 1 }
          m.memory.append(player)
        }
      },
      observing: { m, input in if input == .user(.startMultiplayerGame), m.count == 1 { m.sayToAll(.gameStarted) } }),
    .packets(
      "starts-with-old-roles", .host, "BAB 5.2.6", "takes players for ready whose roles a new scene has cleared",
      whenSaying: { m, packet in if case .playerReady(_, true) = packet.payload { m.count = 1 } },
      observing: { m, input in
        if case .setLobbyScenario? = input.bab, m.count == 1 { m.count = 2 }
        if input == .user(.startMultiplayerGame), m.count == 2 { m.sayToAll(.gameStarted) }
      }),
    .packets(
      "waits-for-the-departed", .host, "BAB 5.3.8", "does not start with roles once anybody has left",
      unsaid: { m, packet in m.count == 1 && packet.type == .gameStarted },
      observing: { m, input in if case .disconnected = input { m.count = 1 } }),
  ]

  private static let startEffects: [Mutant] = [
    .unsaid("start-not-sent", .host, "BAB 5.2.8", "begins after the plain start and tells nobody", .startGame),
    .misspeaks("one-start-for-both", .host, "BAB 5.3.9", "sends START_GAME for the start with roles too") {
      if $0.type == .gameStarted { $0.payload = .startGame }
    },
    .keeps("host-not-active", .host, "BAB 5.2.8", "does not show that the game is on") {
      $0 == .report(.phase("ACTIVE"))
    },
    .asks("advertises-in-game", .host, "BAB 5.2.9", "goes on advertising when a game begins") { m, effect in
      let isStart = m.input == .user(.startLobbyGame) || m.input == .user(.startMultiplayerGame)
      return isStart && effect == .stopAdvertising ? [] : [effect]
    },
    .asks(
      "full-lobby-advertises", .host, "BAB 5.2.9",
      "goes on advertising when its last seat is taken, and then in the game too"
    ) { m, effect in
      if case .connected = m.input, effect == .stopAdvertising { return [] }
      return [effect]
    },
    .seam(
      "late-joiner-kept", .host, "BAB 5.2.10", "leaves a client without an answer that comes too late",
      whenTold: { m, input in if input == .user(.startLobbyGame) { m.count = 1 } },
      asking: { m, effect in
        if case .disconnect = effect, m.count == 1 { return [] }
        return [effect]
      }),
    .packets(
      "late-joiner-listed", .host, "BAB 5.2.10", "lists whoever joins while a game is on or over",
      whenSaying: { m, packet in
        if packet.type == .startGame { m.count = 1 }
        if case .lobbyUpdate(let lobby) = packet.payload { m.memory = lobby.playerIDs }
      },
      incoming: { m, packet in
        guard m.count == 1, case .clientJoin(let profile) = packet.payload else { return [packet] }
        let players = (m.memory + [profile.playerID]).map { LobbyProfile(playerID: $0, displayName: $0) }
        m.sayToAll(.lobbyUpdate(LobbyState(selectedScenarioID: "coffee-shop", connectedPlayers: players)))
        return []
      }),
  ]

  // MARK: Clients

  private static let startClients: [Mutant] = [
    .unheard("start-ignored", .client, "BAB 5.2.8", "does not know START_GAME", .startGame),
    .unheard("game-started-ignored", .client, "BAB 5.3.9", "does not know GAME_STARTED", .gameStarted),
    .whenHearing("back-to-lobby-in-game", .client, "BAB 5.2.8", "shows ROLE_SELECTION with every role, in a game too") {
      m, packet in
      if packet.type == .roleAssigned { m.ask(.report(.phase("ROLE_SELECTION"))) }
    },
    .packets(
      "client-starts", .client, "BAB 1.3", "tells the host to start when its user wants to",
      observing: { m, input in
        guard input == .user(.startLobbyGame), let link = m.links.last else { return }
        m.say(m.packet(.startGame), to: link)
      }),
  ]
}
