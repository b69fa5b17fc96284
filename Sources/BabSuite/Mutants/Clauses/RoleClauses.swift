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
      "role-of-another-scene", .host, "BAB 5.3.1", "gives any role that is asked for, the scenario's or not",
      whenSaying: { m, packet in
        if case .lobbyUpdate(let lobby) = packet.payload { m.memory = [lobby.selectedScenarioID] }
      },
      incoming: { m, packet in
        guard case .roleAssigned(_, let role) = packet.payload else { return [packet] }
        let scenario = m.configuration.scenarios.first { $0.id == m.memory.last }
        let isKnown = scenario?.availableRoles.contains { $0.id == role } ?? false
        if !isKnown { m.sayToAll(packet.payload) }
        return [packet]
      }),
    .set("dates-by-name", .host, "BAB 5.2.1", "calls the roles of first-date alex and sam") { configuration in
      for index in configuration.scenarios.indices where configuration.scenarios[index].id == "first-date" {
        configuration.scenarios[index].availableRoles = [
          Role(id: "alex", name: "Alex", description: ""), Role(id: "sam", name: "Sam", description: ""),
        ]
      }
    },
    .whenHearing("role-without-seat", .host, "BAB 5.3.4", "gives roles to clients that have no seat") { m, packet in
      if packet.type == .clientJoin { m.memory.append(packet.senderID) }
      if packet.type == .roleAssigned, !m.memory.contains(packet.senderID) { m.sayToAll(packet.payload) }
    },
    .packets(
      "role-given-twice", .host, "BAB 5.3.2", "gives a role to whoever asks, taken or not",
      whenSaying: { m, packet in if case .roleAssigned(_, let role) = packet.payload { m.memory.append(role) } },
      incoming: { m, packet in
        guard case .roleAssigned(_, let role) = packet.payload, m.memory.contains(role) else { return [packet] }
        m.sayToAll(packet.payload)
        return [packet]
      }),
    .packets(
      "role-given-twice-by-host", .host, "BAB 5.3.2", "lets its own user give a role twice",
      whenSaying: { m, packet in if case .roleAssigned(_, let role) = packet.payload { m.memory.append(role) } },
      observing: { m, input in
        guard case .assignRole(let player, let role)? = input.bab, m.memory.contains(role) else { return }
        m.sayToAll(.roleAssigned(playerID: player, roleID: role))
      }),
    .packets(
      "roles-in-game", .host, "BAB 5.3.3", "gives roles while a game is on",
      whenSaying: { m, packet in if packet.type == .startGame { m.count = 1 } },
      whenHearing: { m, packet in if packet.type == .roleAssigned, m.count == 1 { m.sayToAll(packet.payload) } }),
    .unheard("role-request-ignored", .host, "BAB 5.3.3", "gives roles only when its own user does", .roleAssigned),
    .untold("role-told-to-its-player", "BAB 5.3.4", "tells nobody but the player of a new role", .roleAssigned) { !$0 },
    .unsaid("own-role-not-told", .host, "BAB 5.3.4", "tells nobody of the role it takes itself") { m, packet in
      if case .roleAssigned(m.configuration.peerID, _) = packet.payload { true } else { false }
    },
    .says("role-change-not-told", .host, "BAB 5.3.4", "tells of a player's first role and of no other") { m, packet in
      guard case .roleAssigned(let player, _) = packet.payload else { return [packet] }
      let key = "\(m.link.rawValue) \(player)"
      if m.memory.contains(key) { return [] }
      m.memory.append(key)
      return [packet]
    },
    .packets(
      "old-role-not-freed", .host, "BAB 5.3.2", "keeps a role for a player who has changed to another",
      whenSaying: { m, packet in
        if case .roleAssigned(let player, let role) = packet.payload { m.memory.append("\(player) \(role)") }
      },
      incoming: { m, packet in
        guard case .roleAssigned(let player, let role) = packet.payload else { return [packet] }
        let isTaken = m.memory.contains { $0.hasSuffix(" " + role) && $0 != "\(player) \(role)" }
        return isTaken ? [] : [packet]
      }),
    .packets(
      "roles-outlive-scene", .host, "BAB 5.2.6", "keeps roles taken when the scenario changes",
      whenSaying: { m, packet in
        switch packet.payload {
        case .roleAssigned(let player, let role):
          m.memory.removeAll { $0.hasPrefix(player + " ") }
          m.memory.append("\(player) \(role)")
        default: break
        }
      },
      incoming: { m, packet in
        guard case .roleAssigned(let player, let role) = packet.payload else { return [packet] }
        let isTaken = m.memory.contains { $0.hasSuffix(" " + role) && $0 != "\(player) \(role)" }
        return isTaken ? [] : [packet]
      }),
  ]

  private static let roleReadiness: [Mutant] = [
    .says("readiness-outlives-role", .host, "BAB 5.3.5", "takes a player with a new role for ready as before") {
      m, packet in
      switch packet.payload {
      case .playerReady(let player, true): m.memory.append(player)
      case .roleAssigned(let player, _) where m.memory.contains(player):
        return [packet, m.packet(.playerReady(playerID: player, isReady: true))]
      default: break
      }
      return [packet]
    },
    .says("unready-said", .host, "BAB 5.3.5", "sends PLAYER_READY when a new role has ended readiness") { m, packet in
      switch packet.payload {
      case .playerReady(let player, true): m.memory.append(player)
      case .roleAssigned(let player, _) where m.memory.contains(player):
        return [packet, m.packet(.playerReady(playerID: player, isReady: false))]
      default: break
      }
      return [packet]
    },
    .packets(
      "ready-without-role", .host, "BAB 5.3.6", "takes PLAYER_READY from players without a role",
      whenSaying: { m, packet in
        switch packet.payload {
        case .roleAssigned(let player, _): m.memory.append(player)
        case .lobbyUpdate(let lobby):
          if lobby.selectedScenarioID != m.memory.first { m.memory = [lobby.selectedScenarioID] }
        default: break
        }
      },
      whenHearing: { m, packet in
        if case .playerReady(let player, _) = packet.payload, !m.memory.contains(player) { m.sayToAll(packet.payload) }
      }),
    .untold("ready-not-passed-on", "BAB 5.3.6", "tells a ready player and nobody else", .playerReady) { !$0 },
    .unsaid("unready-not-told", .host, "BAB 5.3.6", "tells nobody that a player is ready no more") { _, packet in
      if case .playerReady(_, false) = packet.payload { true } else { false }
    },
    .asks("waiting-with-anybody", .host, "BAB 5.3.7", "shows WAITING as soon as anybody is ready") { _, effect in
      guard case .ready(_, true)? = effect.bab else { return [effect] }
      return [effect, .report(.phase("WAITING"))]
    },
    .asks("role-selection-not-shown", .host, "BAB 5.3.7", "shows LOBBY until it is ready itself") { _, effect in
      effect == .report(.phase("ROLE_SELECTION")) ? [.report(.phase("LOBBY"))] : [effect]
    },
    .asks("lobby-shown-once", .host, "BAB 5.3.7", "never comes back to LOBBY") { m, effect in
      guard effect == .report(.phase("LOBBY")) else { return [effect] }
      m.count += 1
      return m.count == 1 ? [effect] : []
    },
  ]

  private static let roleNewcomers: [Mutant] = [
    .packets(
      "newcomer-told-no-roles", .host, "BAB 5.1.12", "tells a newcomer the lobby and no roles",
      outgoing: { m, packet in
        let isOfRoles = packet.type == .roleAssigned || packet.type == .playerReady
        return m.count == 1 && isOfRoles ? [] : [packet]
      },
      whenHearing: { m, packet in if packet.type == .clientJoin { m.count = 1 } },
      observing: { m, _ in m.count = 0 }),
    .packets(
      "newcomer-told-no-readiness", .host, "BAB 5.1.12", "tells a newcomer the roles and not who is ready",
      unsaid: { m, packet in m.count == 1 && packet.type == .playerReady },
      whenHearing: { m, packet in if packet.type == .clientJoin { m.count = 1 } },
      observing: { m, _ in m.count = 0 }),
    .packets(
      "newcomer-told-all-ready", .host, "BAB 5.1.12", "tells a newcomer that everybody with a role is ready",
      outgoing: { m, packet in
        guard m.count == 1, case .roleAssigned(let player, _) = packet.payload else { return [packet] }
        return [packet, m.packet(.playerReady(playerID: player, isReady: true))]
      },
      whenHearing: { m, packet in if packet.type == .clientJoin { m.count = 1 } },
      observing: { m, _ in m.count = 0 }),
    .packets(
      "old-roles-told", .host, "BAB 5.2.6", "tells newcomers the roles of the scenario before as well",
      whenSaying: { m, packet in if case .roleAssigned(let player, _) = packet.payload { m.memory.append(player) } },
      incoming: { m, packet in
        guard packet.type == .clientJoin, m.count == 1 else { return [packet] }
        for player in m.memory { m.say(m.packet(.roleAssigned(playerID: player, roleID: "barista")), to: m.link) }
        return [packet]
      },
      observing: { m, input in if case .setLobbyScenario? = input.bab, !m.memory.isEmpty { m.count = 1 } }),
    .packets(
      "difficulty-clears-roles", .host, "BAB 5.2.6", "clears the roles when the difficulty changes",
      outgoing: { m, packet in
        let isOfRoles = packet.type == .roleAssigned || packet.type == .playerReady
        return m.count == 1 && isOfRoles ? [] : [packet]
      },
      observing: { m, input in if case .setLobbyDifficulty? = input.bab { m.count = 1 } }),
  ]

  // MARK: Clients

  private static let roleClients: [Mutant] = [
    .misspeaks("asks-for-another", .client, "BAB 5.3.3", "asks for a role for somebody else") {
      guard case .roleAssigned(let player, let role) = $0.payload else { return }
      $0.payload = .roleAssigned(playerID: player + "-2", roleID: role)
    },
    .unsaid("role-request-lost", .client, "BAB 5.3.3", "asks for no role", .roleAssigned),
    .unsaid("never-unready", .client, "BAB 5.3.6", "does not say that it is ready no more") { _, packet in
      if case .playerReady(_, false) = packet.payload { true } else { false }
    },
    .whenTold("ready-at-once", .client, "BAB 1.3", "shows WAITING before the host has said so") { m, input in
      if input == .user(.setReady(true)) { m.added.append(.report(.phase("WAITING"))) }
    },
    .hears("own-readiness-outlives-role", .client, "BAB 5.3.5", "shows WAITING although it has got a new role") {
      m, packet in
      let me = m.configuration.peerID
      switch packet.payload {
      case .playerReady(me, let isReady): m.count = isReady ? 1 : 0
      case .roleAssigned(me, _) where m.count == 1:
        return [packet, packet.saying(.playerReady(playerID: me, isReady: true))]
      default: break
      }
      return [packet]
    },
    .whenHearing("waiting-for-anybody", .client, "BAB 5.3.7", "shows WAITING as soon as anybody is ready") {
      m, packet in
      if case .playerReady(_, true) = packet.payload { m.ask(.report(.phase("WAITING"))) }
    },
    .asks("own-role-selection-not-shown", .client, "BAB 5.3.7", "shows LOBBY until it is ready itself") { _, effect in
      effect == .report(.phase("ROLE_SELECTION")) ? [.report(.phase("LOBBY"))] : [effect]
    },
    .mishears("departed-keep-roles", .client, "BAB 5.3.7", "counts the roles of players who have left") { m, packet in
      guard var lobby = packet.lobby else { return }
      for player in m.memory where !lobby.playerIDs.contains(player) {
        lobby.connectedPlayers.append(LobbyProfile(playerID: player, displayName: player))
      }
      m.memory = lobby.playerIDs
      packet = packet.saying(.lobbyUpdate(lobby))
    },
    .hears("own-roles-outlive-scene", .client, "BAB 5.2.6", "keeps the roles when the scenario changes") { m, packet in
      switch packet.payload {
      case .roleAssigned(let player, _): m.memory.append(player)
      case .lobbyUpdate:
        return [packet]
          + m.memory.map { packet.saying(.roleAssigned(playerID: $0, roleID: "barista")) }
      default: break
      }
      return [packet]
    },
    .hears("any-lobby-clears-roles", .client, "BAB 5.2.6", "clears the roles with every LOBBY_UPDATE") { _, packet in
      guard case .lobbyUpdate(var lobby) = packet.payload else { return [packet] }
      lobby.selectedScenarioID += "-2"
      return [packet.saying(.lobbyUpdate(lobby)), packet]
    },
  ]
}
