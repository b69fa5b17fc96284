import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// Defects of roles and readiness.
extension Mutants {
  static let role: [Mutant] = roleGrants + roleReadiness + roleNewcomers + roleClients

  // MARK: Hosts

  private static let roleGrants: [Mutant] = [
    .packets(
      "role-of-another-scene", .host, clause: "BAB 5.3.1", "gives any role that is asked for, the scenario's or not",
      outgoing: { mutant, _, packet in
        if case .lobbyUpdate(let lobby) = packet.payload { mutant.memory = [lobby.selectedScenarioID] }
        return [.packet(packet)]
      },
      incoming: { mutant, _, packet in
        guard case .roleAssigned(_, let role) = packet.payload else { return [packet] }
        let scenario = mutant.configuration.scenarios.first { $0.id == mutant.memory.last }
        let isKnown = scenario?.availableRoles.contains { $0.id == role } ?? false
        if !isKnown { mutant.sayToAll(packet.payload) }
        return [packet]
      }),
    Mutant(
      "dates-by-name", .host, clause: "BAB 5.2.1", "calls the roles of first-date alex and sam",
      adjust: { configuration in
        for index in configuration.scenarios.indices where configuration.scenarios[index].id == "first-date" {
          configuration.scenarios[index].availableRoles = [
            Role(id: "alex", name: "Alex", description: ""), Role(id: "sam", name: "Sam", description: ""),
          ]
        }
      }),
    .packets(
      "role-without-seat", .host, clause: "BAB 5.3.4", "gives roles to clients that have no seat",
      incoming: { mutant, _, packet in
        if packet.type == .clientJoin { mutant.memory.append(packet.senderID) }
        if packet.type == .roleAssigned, !mutant.memory.contains(packet.senderID) { mutant.sayToAll(packet.payload) }
        return [packet]
      }),
    .packets(
      "role-given-twice", .host, clause: "BAB 5.3.2", "gives a role to whoever asks, taken or not",
      outgoing: { mutant, _, packet in
        if case .roleAssigned(_, let role) = packet.payload { mutant.memory.append(role) }
        return [.packet(packet)]
      },
      incoming: { mutant, _, packet in
        guard case .roleAssigned(_, let role) = packet.payload, mutant.memory.contains(role) else { return [packet] }
        mutant.sayToAll(packet.payload)
        return [packet]
      }),
    .packets(
      "role-given-twice-by-host", .host, clause: "BAB 5.3.2", "lets its own user give a role twice",
      outgoing: { mutant, _, packet in
        if case .roleAssigned(_, let role) = packet.payload { mutant.memory.append(role) }
        return [.packet(packet)]
      },
      observing: { mutant, input in
        guard case .assignRole(let player, let role)? = input.bab, mutant.memory.contains(role) else { return }
        mutant.sayToAll(.roleAssigned(playerID: player, roleID: role))
      }),
    .packets(
      "roles-in-game", .host, clause: "BAB 5.3.3", "gives roles while a game is on",
      outgoing: { mutant, _, packet in
        if packet.type == .startGame { mutant.count = 1 }
        return [.packet(packet)]
      },
      incoming: { mutant, _, packet in
        if packet.type == .roleAssigned, mutant.count == 1 { mutant.sayToAll(packet.payload) }
        return [packet]
      }),
    .packets(
      "role-request-ignored", .host, clause: "BAB 5.3.3", "gives roles only when its own user does",
      incoming: { _, _, packet in packet.type == .roleAssigned ? [] : [packet] }),
    .packets(
      "role-told-to-its-player", .host, clause: "BAB 5.3.4", "tells nobody but the player of a new role",
      outgoing: { mutant, link, packet in
        guard case .roleAssigned(let player, _) = packet.payload else { return [.packet(packet)] }
        return mutant.memory.contains("\(link.rawValue) \(player)") ? [.packet(packet)] : []
      },
      incoming: { mutant, link, packet in
        mutant.memory.append("\(link.rawValue) \(packet.senderID)")
        return [packet]
      }),
    .packets(
      "own-role-not-told", .host, clause: "BAB 5.3.4", "tells nobody of the role it takes itself",
      outgoing: { mutant, _, packet in
        if case .roleAssigned(mutant.configuration.peerID, _) = packet.payload { return [] }
        return [.packet(packet)]
      }),
    .packets(
      "role-change-not-told", .host, clause: "BAB 5.3.4", "tells of a player's first role and of no other",
      outgoing: { mutant, link, packet in
        guard case .roleAssigned(let player, _) = packet.payload else { return [.packet(packet)] }
        let key = "\(link.rawValue) \(player)"
        if mutant.memory.contains(key) { return [] }
        mutant.memory.append(key)
        return [.packet(packet)]
      }),
    .packets(
      "old-role-not-freed", .host, clause: "BAB 5.3.2", "keeps a role for a player who has changed to another",
      outgoing: { mutant, _, packet in
        if case .roleAssigned(let player, let role) = packet.payload { mutant.memory.append("\(player) \(role)") }
        return [.packet(packet)]
      },
      incoming: { mutant, _, packet in
        guard case .roleAssigned(let player, let role) = packet.payload else { return [packet] }
        let isTaken = mutant.memory.contains { $0.hasSuffix(" " + role) && $0 != "\(player) \(role)" }
        return isTaken ? [] : [packet]
      }),
    .packets(
      "roles-outlive-scene", .host, clause: "BAB 5.2.6", "keeps roles taken when the scenario changes",
      outgoing: { mutant, _, packet in
        switch packet.payload {
        case .roleAssigned(let player, let role):
          mutant.memory.removeAll { $0.hasPrefix(player + " ") }
          mutant.memory.append("\(player) \(role)")
        default: break
        }
        return [.packet(packet)]
      },
      incoming: { mutant, _, packet in
        guard case .roleAssigned(let player, let role) = packet.payload else { return [packet] }
        let isTaken = mutant.memory.contains { $0.hasSuffix(" " + role) && $0 != "\(player) \(role)" }
        return isTaken ? [] : [packet]
      }),
  ]

  private static let roleReadiness: [Mutant] = [
    .packets(
      "readiness-outlives-role", .host, clause: "BAB 5.3.5", "takes a player with a new role for ready as before",
      outgoing: { mutant, _, packet in
        switch packet.payload {
        case .playerReady(let player, true): mutant.memory.append(player)
        case .roleAssigned(let player, _) where mutant.memory.contains(player):
          return [.packet(packet), .packet(mutant.packet(.playerReady(playerID: player, isReady: true)))]
        default: break
        }
        return [.packet(packet)]
      }),
    .packets(
      "unready-said", .host, clause: "BAB 5.3.5", "sends PLAYER_READY when a new role has ended readiness",
      outgoing: { mutant, _, packet in
        switch packet.payload {
        case .playerReady(let player, true): mutant.memory.append(player)
        case .roleAssigned(let player, _) where mutant.memory.contains(player):
          return [.packet(packet), .packet(mutant.packet(.playerReady(playerID: player, isReady: false)))]
        default: break
        }
        return [.packet(packet)]
      }),
    .packets(
      "ready-without-role", .host, clause: "BAB 5.3.6", "takes PLAYER_READY from players without a role",
      outgoing: { mutant, _, packet in
        switch packet.payload {
        case .roleAssigned(let player, _): mutant.memory.append(player)
        case .lobbyUpdate(let lobby):
          if lobby.selectedScenarioID != mutant.memory.first { mutant.memory = [lobby.selectedScenarioID] }
        default: break
        }
        return [.packet(packet)]
      },
      incoming: { mutant, _, packet in
        if case .playerReady(let player, _) = packet.payload, !mutant.memory.contains(player) {
          mutant.sayToAll(packet.payload)
        }
        return [packet]
      }),
    .packets(
      "ready-not-passed-on", .host, clause: "BAB 5.3.6", "tells a ready player and nobody else",
      outgoing: { mutant, link, packet in
        guard case .playerReady(let player, _) = packet.payload else { return [.packet(packet)] }
        return mutant.memory.contains("\(link.rawValue) \(player)") ? [.packet(packet)] : []
      },
      incoming: { mutant, link, packet in
        mutant.memory.append("\(link.rawValue) \(packet.senderID)")
        return [packet]
      }),
    .packets(
      "unready-not-told", .host, clause: "BAB 5.3.6", "tells nobody that a player is ready no more",
      outgoing: { _, _, packet in
        if case .playerReady(_, false) = packet.payload { return [] }
        return [.packet(packet)]
      }),
    .seam(
      "waiting-with-anybody", .host, clause: "BAB 5.3.7", "shows WAITING as soon as anybody is ready",
      asking: { _, effect in
        guard case .ready(_, true)? = effect.bab else { return [effect] }
        return [effect, .report(.phase("WAITING"))]
      }),
    .seam(
      "role-selection-not-shown", .host, clause: "BAB 5.3.7", "shows LOBBY until it is ready itself",
      asking: { _, effect in effect == .report(.phase("ROLE_SELECTION")) ? [.report(.phase("LOBBY"))] : [effect] }),
    .seam(
      "lobby-shown-once", .host, clause: "BAB 5.3.7", "never comes back to LOBBY",
      asking: { mutant, effect in
        guard effect == .report(.phase("LOBBY")) else { return [effect] }
        mutant.count += 1
        return mutant.count == 1 ? [effect] : []
      }),
  ]

  private static let roleNewcomers: [Mutant] = [
    .packets(
      "newcomer-told-no-roles", .host, clause: "BAB 5.1.12", "tells a newcomer the lobby and no roles",
      outgoing: { mutant, _, packet in
        let isOfRoles = packet.type == .roleAssigned || packet.type == .playerReady
        return mutant.count == 1 && isOfRoles ? [] : [.packet(packet)]
      },
      incoming: { mutant, _, packet in
        if packet.type == .clientJoin { mutant.count = 1 }
        return [packet]
      },
      observing: { mutant, _ in mutant.count = 0 }),
    .packets(
      "newcomer-told-no-readiness", .host, clause: "BAB 5.1.12", "tells a newcomer the roles and not who is ready",
      outgoing: { mutant, _, packet in mutant.count == 1 && packet.type == .playerReady ? [] : [.packet(packet)] },
      incoming: { mutant, _, packet in
        if packet.type == .clientJoin { mutant.count = 1 }
        return [packet]
      },
      observing: { mutant, _ in mutant.count = 0 }),
    .packets(
      "newcomer-told-all-ready", .host, clause: "BAB 5.1.12", "tells a newcomer that everybody with a role is ready",
      outgoing: { mutant, _, packet in
        guard mutant.count == 1, case .roleAssigned(let player, _) = packet.payload else { return [.packet(packet)] }
        return [.packet(packet), .packet(mutant.packet(.playerReady(playerID: player, isReady: true)))]
      },
      incoming: { mutant, _, packet in
        if packet.type == .clientJoin { mutant.count = 1 }
        return [packet]
      },
      observing: { mutant, _ in mutant.count = 0 }),
    .packets(
      "old-roles-told", .host, clause: "BAB 5.2.6", "tells newcomers the roles of the scenario before as well",
      outgoing: { mutant, _, packet in
        if case .roleAssigned(let player, _) = packet.payload { mutant.memory.append(player) }
        return [.packet(packet)]
      },
      incoming: { mutant, link, packet in
        guard packet.type == .clientJoin, mutant.count == 1 else { return [packet] }
        for player in mutant.memory {
          mutant.say(.packet(mutant.packet(.roleAssigned(playerID: player, roleID: "barista"))), to: link)
        }
        return [packet]
      },
      observing: { mutant, input in
        if case .setLobbyScenario? = input.bab, !mutant.memory.isEmpty { mutant.count = 1 }
      }),
    .packets(
      "difficulty-clears-roles", .host, clause: "BAB 5.2.6", "clears the roles when the difficulty changes",
      outgoing: { mutant, _, packet in
        let isOfRoles = packet.type == .roleAssigned || packet.type == .playerReady
        return mutant.count == 1 && isOfRoles ? [] : [.packet(packet)]
      },
      observing: { mutant, input in
        if case .setLobbyDifficulty? = input.bab { mutant.count = 1 }
      }),
  ]

  // MARK: Clients

  private static let roleClients: [Mutant] = [
    .packets(
      "asks-for-another", .client, clause: "BAB 5.3.3", "asks for a role for somebody else",
      outgoing: { _, _, packet in
        guard case .roleAssigned(let player, let role) = packet.payload else { return [.packet(packet)] }
        return [.packet(packet.saying(.roleAssigned(playerID: player + "-2", roleID: role)))]
      }),
    .packets(
      "role-request-lost", .client, clause: "BAB 5.3.3", "asks for no role",
      outgoing: { _, _, packet in packet.type == .roleAssigned ? [] : [.packet(packet)] }),
    .packets(
      "never-unready", .client, clause: "BAB 5.3.6", "does not say that it is ready no more",
      outgoing: { _, _, packet in
        if case .playerReady(_, false) = packet.payload { return [] }
        return [.packet(packet)]
      }),
    .seam(
      "ready-at-once", .client, clause: "BAB 1.3", "shows WAITING before the host has said so",
      hearing: { mutant, input in
        if input == .user(.setReady(true)) { mutant.added.append(.report(.phase("WAITING"))) }
        return [input]
      }),
    .packets(
      "own-readiness-outlives-role", .client, clause: "BAB 5.3.5", "shows WAITING although it has got a new role",
      incoming: { mutant, _, packet in
        let me = mutant.configuration.peerID
        switch packet.payload {
        case .playerReady(me, let isReady): mutant.count = isReady ? 1 : 0
        case .roleAssigned(me, _) where mutant.count == 1:
          return [packet, packet.saying(.playerReady(playerID: me, isReady: true))]
        default: break
        }
        return [packet]
      }),
    .packets(
      "waiting-for-anybody", .client, clause: "BAB 5.3.7", "shows WAITING as soon as anybody is ready",
      incoming: { mutant, _, packet in
        if case .playerReady(_, true) = packet.payload { mutant.ask(.report(.phase("WAITING"))) }
        return [packet]
      }),
    .seam(
      "own-role-selection-not-shown", .client, clause: "BAB 5.3.7", "shows LOBBY until it is ready itself",
      asking: { _, effect in effect == .report(.phase("ROLE_SELECTION")) ? [.report(.phase("LOBBY"))] : [effect] }),
    .packets(
      "departed-keep-roles", .client, clause: "BAB 5.3.7", "counts the roles of players who have left",
      incoming: { mutant, _, packet in
        guard case .lobbyUpdate(var lobby) = packet.payload else { return [packet] }
        for player in mutant.memory where !lobby.playerIDs.contains(player) {
          lobby.connectedPlayers.append(LobbyProfile(playerID: player, displayName: player))
        }
        mutant.memory = lobby.playerIDs
        return [packet.saying(.lobbyUpdate(lobby))]
      }),
    .packets(
      "own-roles-outlive-scene", .client, clause: "BAB 5.2.6", "keeps the roles when the scenario changes",
      incoming: { mutant, _, packet in
        switch packet.payload {
        case .roleAssigned(let player, _): mutant.memory.append(player)
        case .lobbyUpdate:
          return [packet]
            + mutant.memory.map { packet.saying(.roleAssigned(playerID: $0, roleID: "barista")) }
        default: break
        }
        return [packet]
      }),
    .packets(
      "any-lobby-clears-roles", .client, clause: "BAB 5.2.6", "clears the roles with every LOBBY_UPDATE",
      incoming: { _, _, packet in
        guard case .lobbyUpdate(var lobby) = packet.payload else { return [packet] }
        lobby.selectedScenarioID += "-2"
        return [packet.saying(.lobbyUpdate(lobby)), packet]
      }),
  ]
}
