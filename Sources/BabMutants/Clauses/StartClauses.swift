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
      "starts-without-scene", .host, clause: "BAB 5.2.7", "starts although no known scenario is selected",
      outgoing: { mutant, _, packet in
        if case .lobbyUpdate(let lobby) = packet.payload, !lobby.selectedScenarioID.isEmpty { mutant.count = 1 }
        return [.packet(packet)]
      },
      observing: { mutant, input in
        if input == .user(.startLobbyGame), mutant.count == 0 { mutant.sayToAll(.startGame) }
      }),
    .seam(
      "starts-alone", .host, clause: "BAB 5.2.7", "closes its lobby when it is started without a client",
      hearing: { mutant, input in
        let isStart = input == .user(.startLobbyGame) || input == .user(.startMultiplayerGame)
        if isStart, mutant.count < 2 { mutant.added.append(.stopAdvertising) }
        return [input]
      },
      asking: { mutant, effect in
        if case .roster(let players)? = effect.bab { mutant.count = players.count }
        return [effect]
      }),
    .packets(
      "starts-without-roles", .host, clause: "BAB 5.3.8", "starts with roles although somebody has none",
      outgoing: { mutant, _, packet in
        if case .roleAssigned(let player, _) = packet.payload, !mutant.memory.contains(player) {
          mutant.memory.append(player)
        }
        if case .lobbyUpdate(let lobby) = packet.payload { mutant.count = lobby.connectedPlayers.count }
        return [.packet(packet)]
      },
      observing: { mutant, input in
        if input == .user(.startMultiplayerGame), mutant.memory.count < mutant.count { mutant.sayToAll(.gameStarted) }
      }),
    .packets(
      "starts-unready", .host, clause: "BAB 5.3.8", "starts with roles although somebody is not ready",
      outgoing: { mutant, _, packet in
        if case .playerReady(let player, let isReady) = packet.payload {
          mutant.memory.removeAll { $0 == player }
          if !isReady { mutant.memory.append(player) }
        }
        return [.packet(packet)]
      },
      observing: { mutant, input in
        if input == .user(.startMultiplayerGame), !mutant.memory.isEmpty { mutant.sayToAll(.gameStarted) }
      }),
    .packets(
      "ready-with-any-role", .host, clause: "BAB 5.3.5", "starts although a player has a new role and is not ready",
      outgoing: { mutant, link, packet in
        let isFirst = link == mutant.links.first
        if case .roleAssigned(let player, _) = packet.payload, isFirst {
          if mutant.memory.contains(player) { mutant.count = 1 }
          mutant.memory.append(player)
        }
        return [.packet(packet)]
      },
      observing: { mutant, input in
        if input == .user(.startMultiplayerGame), mutant.count == 1 { mutant.sayToAll(.gameStarted) }
      }),
    .packets(
      "starts-with-old-roles", .host, clause: "BAB 5.2.6",
      "takes players for ready whose roles a new scene has cleared",
      outgoing: { mutant, _, packet in
        if case .playerReady(_, true) = packet.payload { mutant.count = 1 }
        return [.packet(packet)]
      },
      observing: { mutant, input in
        if case .setLobbyScenario? = input.bab, mutant.count == 1 { mutant.count = 2 }
        if input == .user(.startMultiplayerGame), mutant.count == 2 { mutant.sayToAll(.gameStarted) }
      }),
    .packets(
      "waits-for-the-departed", .host, clause: "BAB 5.3.8", "does not start with roles once anybody has left",
      outgoing: { mutant, _, packet in mutant.count == 1 && packet.type == .gameStarted ? [] : [.packet(packet)] },
      observing: { mutant, input in if case .disconnected = input { mutant.count = 1 } }),
  ]

  private static let startEffects: [Mutant] = [
    .packets(
      "start-not-sent", .host, clause: "BAB 5.2.8", "begins after the plain start and tells nobody",
      outgoing: { _, _, packet in packet.type == .startGame ? [] : [.packet(packet)] }),
    .packets(
      "one-start-for-both", .host, clause: "BAB 5.3.9", "sends START_GAME for the start with roles too",
      outgoing: { _, _, packet in
        packet.type == .gameStarted ? [.packet(packet.saying(.startGame))] : [.packet(packet)]
      }),
    .seam(
      "host-not-active", .host, clause: "BAB 5.2.8", "does not show that the game is on",
      asking: { _, effect in effect == .report(.phase("ACTIVE")) ? [] : [effect] }),
    .seam(
      "advertises-in-game", .host, clause: "BAB 5.2.9", "goes on advertising when a game begins",
      asking: { mutant, effect in
        let isStart = mutant.input == .user(.startLobbyGame) || mutant.input == .user(.startMultiplayerGame)
        return isStart && effect == .stopAdvertising ? [] : [effect]
      }),
    .seam(
      "full-lobby-advertises", .host, clause: "BAB 5.2.9",
      "goes on advertising when its last seat is taken, and then in the game too",
      asking: { mutant, effect in
        if case .connected = mutant.input, effect == .stopAdvertising { return [] }
        return [effect]
      }),
    .seam(
      "late-joiner-kept", .host, clause: "BAB 5.2.10", "leaves a client without an answer that comes too late",
      hearing: { mutant, input in
        if input == .user(.startLobbyGame) { mutant.count = 1 }
        return [input]
      },
      asking: { mutant, effect in
        if case .disconnect = effect, mutant.count == 1 { return [] }
        return [effect]
      }),
    .packets(
      "late-joiner-listed", .host, clause: "BAB 5.2.10", "lists whoever joins while a game is on or over",
      outgoing: { mutant, _, packet in
        if packet.type == .startGame { mutant.count = 1 }
        if case .lobbyUpdate(let lobby) = packet.payload { mutant.memory = lobby.playerIDs }
        return [.packet(packet)]
      },
      incoming: { mutant, _, packet in
        guard mutant.count == 1, case .clientJoin(let profile) = packet.payload else { return [packet] }
        let players = (mutant.memory + [profile.playerID]).map { LobbyProfile(playerID: $0, displayName: $0) }
        mutant.sayToAll(.lobbyUpdate(LobbyState(selectedScenarioID: "coffee-shop", connectedPlayers: players)))
        return []
      }),
  ]

  // MARK: Clients

  private static let startClients: [Mutant] = [
    .packets(
      "start-ignored", .client, clause: "BAB 5.2.8", "does not know START_GAME",
      incoming: { _, _, packet in packet.type == .startGame ? [] : [packet] }),
    .packets(
      "game-started-ignored", .client, clause: "BAB 5.3.9", "does not know GAME_STARTED",
      incoming: { _, _, packet in packet.type == .gameStarted ? [] : [packet] }),
    .packets(
      "back-to-lobby-in-game", .client, clause: "BAB 5.2.8", "shows ROLE_SELECTION with every role, in a game too",
      incoming: { mutant, _, packet in
        if packet.type == .roleAssigned { mutant.ask(.report(.phase("ROLE_SELECTION"))) }
        return [packet]
      }),
    .packets(
      "client-starts", .client, clause: "BAB 1.3", "tells the host to start when its user wants to",
      observing: { mutant, input in
        guard input == .user(.startLobbyGame), let link = mutant.links.last else { return }
        mutant.say(.packet(mutant.packet(.startGame)), to: link)
      }),
  ]
}
