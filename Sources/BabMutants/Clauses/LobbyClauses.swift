import AppSeam
import BabOracles
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// Defects of joining, leaving and the lobby.
extension Mutants {
  static let lobby: [Mutant] = lobbyJoining + lobbySettings + lobbyLimits + lobbyClients

  // MARK: Hosts

  private static let lobbyJoining: [Mutant] = [
    .packets(
      "no-handshake-back", .host, clause: "BAB 5.1.6", "answers no HANDSHAKE",
      outgoing: { _, _, packet in packet.type == .handshake ? [] : [.packet(packet)] }),
    .packets(
      "handshake-not-as-host", .host, clause: "BAB 5.1.6", "introduces itself as a client",
      outgoing: { _, _, packet in
        guard case .handshake(var participant) = packet.payload else { return [.packet(packet)] }
        participant.isHost = false
        return [.packet(packet.saying(.handshake(participant)))]
      }),
    .packets(
      "lobby-before-handshake", .host, clause: "BAB 5.1.6", "tells an empty lobby before it introduces itself",
      outgoing: { mutant, _, packet in
        guard packet.type == .handshake else { return [.packet(packet)] }
        return [.packet(mutant.packet(.lobbyUpdate(LobbyState()))), .packet(packet)]
      }),
    .packets(
      "newcomer-not-told", .host, clause: "BAB 5.1.7", "tells the others of a newcomer, and not the newcomer",
      outgoing: { mutant, link, packet in
        guard packet.type == .lobbyUpdate, !mutant.memory.contains("\(link.rawValue)") else { return [.packet(packet)] }
        mutant.memory.append("\(link.rawValue)")
        return []
      }),
    .packets(
      "seat-at-handshake", .host, clause: "BAB 5.1.7", "gives a seat to whoever shakes hands",
      incoming: { _, _, packet in
        guard case .handshake(let participant) = packet.payload else { return [packet] }
        let profile = LobbyProfile(playerID: participant.id, displayName: participant.name)
        return [packet, packet.saying(.clientJoin(profile))]
      }),
    .packets(
      "id-for-name", .host, clause: "BAB 5.1.7", "lists players by their ids instead of their names",
      outgoing: { _, _, packet in
        packet.withLobby { lobby in
          for index in lobby.connectedPlayers.indices {
            lobby.connectedPlayers[index].displayName = lobby.connectedPlayers[index].playerID
          }
        }
      }),
    .packets(
      "seated-at-every-join", .host, clause: "BAB 1.5", "lists a player once for every CLIENT_JOIN",
      outgoing: { mutant, _, packet in
        packet.withLobby { lobby in
          let again = lobby.connectedPlayers.filter { mutant.memory.contains($0.playerID) }
          lobby.connectedPlayers += again
        }
      },
      incoming: { mutant, _, packet in
        guard case .clientJoin(let profile) = packet.payload else { return [packet] }
        if mutant.memory.contains("seen " + profile.playerID) { mutant.memory.append(profile.playerID) }
        mutant.memory.append("seen " + profile.playerID)
        return [packet]
      }),
    .packets(
      "roster-without-host", .host, clause: "BAB 1.4", "does not count itself among the players",
      outgoing: { _, _, packet in
        packet.withLobby { if !$0.connectedPlayers.isEmpty { $0.connectedPlayers.removeFirst() } }
      }),
    .packets(
      "host-last", .host, clause: "BAB 1.4", "lists itself after its clients",
      outgoing: { _, _, packet in
        packet.withLobby {
          if !$0.connectedPlayers.isEmpty { $0.connectedPlayers.append($0.connectedPlayers.removeFirst()) }
        }
      }),
    .packets(
      "newest-first", .host, clause: "BAB 5.1.8", "lists the clients in the reverse order of their joins",
      outgoing: { _, _, packet in
        packet.withLobby {
          $0.connectedPlayers = $0.connectedPlayers.prefix(1) + $0.connectedPlayers.dropFirst().reversed()
        }
      }),
    .packets(
      "roster-by-name", .host, clause: "BAB 5.1.8", "lists the clients by their ids",
      outgoing: { _, _, packet in
        packet.withLobby { lobby in
          let clients = lobby.connectedPlayers.dropFirst().sorted { $0.playerID < $1.playerID }
          lobby.connectedPlayers = lobby.connectedPlayers.prefix(1) + clients
        }
      }),
  ]

  private static let lobbySettings: [Mutant] = [
    Mutant(
      "first-date-unknown", .host, clause: "BAB 5.2.1", "knows two scenarios only",
      adjust: { $0.scenarios.removeAll { $0.id == GameScenario.firstDate.id } }),
    .packets(
      "client-sets-lobby", .host, clause: "BAB 5.2.2", "passes a client's LOBBY_UPDATE on to everybody",
      incoming: { mutant, _, packet in
        if packet.type == .lobbyUpdate { mutant.sayToAll(packet.payload) }
        return [packet]
      }),
    .packets(
      "settings-in-game", .host, clause: "BAB 5.2.2", "lets its user change the scenario while a game is on",
      outgoing: { mutant, _, packet in
        if packet.type == .startGame || packet.type == .gameStarted { mutant.count = 1 }
        if case .lobbyUpdate(let lobby) = packet.payload { mutant.memory = lobby.playerIDs }
        return [.packet(packet)]
      },
      observing: { mutant, input in
        guard mutant.count == 1, case .setLobbyScenario(let id)? = input.bab else { return }
        let players = mutant.memory.map { LobbyProfile(playerID: $0, displayName: $0) }
        mutant.sayToAll(.lobbyUpdate(LobbyState(selectedScenarioID: id, connectedPlayers: players)))
      }),
    .packets(
      "any-difficulty", .host, clause: "BAB 5.2.3", "takes any word for a difficulty",
      outgoing: { mutant, _, packet in
        packet.withLobby { lobby in if let level = mutant.memory.last { lobby.difficultyLevel = level } }
      },
      observing: { mutant, input in
        if case .setLobbyDifficulty(let level)? = input.bab { mutant.memory = [level] }
      }),
    .packets(
      "easy-by-default", .host, clause: "BAB 5.2.3", "takes easy for the default",
      outgoing: { mutant, _, packet in
        packet.withLobby { if mutant.count == 0 { $0.difficultyLevel = "easy" } }
      },
      observing: { mutant, input in if case .setLobbyDifficulty? = input.bab { mutant.count = 1 } }),
    lobbyUpdateLost(
      "difficulty-not-told", "changes the difficulty and tells nobody",
      on: { if case .setLobbyDifficulty? = $0.bab { true } else { false } }),
    lobbyUpdateLost(
      "scenario-not-told", "changes the scenario and tells nobody",
      on: { if case .setLobbyScenario? = $0.bab { true } else { false } }),
    lobbyUpdateLost(
      "departure-not-told", "tells nobody that somebody has left",
      on: { if case .disconnected = $0 { true } else { false } }),
    .packets(
      "told-one-behind", .host, clause: "BAB 5.2.5", "keeps the newest LOBBY_UPDATE of each link back until the next",
      outgoing: { mutant, link, packet in
        guard case .lobbyUpdate(let lobby) = packet.payload else { return [.packet(packet)] }
        // The first two of a link pass, so that the client can join.
        let key = "\(link.rawValue)"
        mutant.memory.append(key)
        let seen = mutant.memory.filter { $0 == key }.count
        return seen > 2 && lobby.difficultyLevel == "hard" ? [] : [.packet(packet)]
      }),
    .seam(
      "shows-old-lobby", .host, clause: "BAB 5.2.5", "never shows that the difficulty has changed",
      asking: { _, effect in
        guard case .lobby(var view)? = effect.bab else { return [effect] }
        view.difficulty = "normal"
        return [.report(.lobby(view))]
      }),
  ]

  /// A host that changes its lobby on an input and sends no LOBBY_UPDATE for it.
  private static func lobbyUpdateLost(
    _ name: String, _ summary: String, on isMeant: @escaping @Sendable (AppInput) -> Bool
  ) -> Mutant {
    .packets(
      name, .host, clause: "BAB 5.2.4", summary,
      outgoing: { mutant, _, packet in mutant.count == 1 && packet.type == .lobbyUpdate ? [] : [.packet(packet)] },
      observing: { mutant, input in mutant.count = isMeant(input) ? 1 : 0 })
  }

  private static let lobbyLimits: [Mutant] = [
    .seam(
      "surplus-link-kept", .host, clause: "BAB 5.1.10", "ignores a surplus link instead of ending it",
      asking: { mutant, effect in
        if case .disconnect(let link) = effect, case .connected(link, _) = mutant.input { return [] }
        return [effect]
      }),
    Mutant(
      "one-seat-too-few", .host, clause: "BAB 5.1.7", "keeps one seat free for nobody",
      adjust: { $0.dialect.capacity -= 1 }),
    Mutant(
      "join-timeout-of-a-minute", .host, clause: "BAB 5.1.11", "waits for CLIENT_JOIN for a minute",
      adjust: { $0.joinTimeout = .seconds(60) }),
    Mutant(
      "join-timeout-of-ten-seconds", .host, clause: "BAB 8.3", "waits for CLIENT_JOIN for ten seconds only",
      adjust: { $0.joinTimeout = .seconds(10) }),
    .seam(
      "handshake-is-enough", .host, clause: "BAB 5.1.11", "waits forever once a client has said anything",
      hearing: { mutant, input in
        if case .valueReceived = input { mutant.count = 1 }
        if case .timer(let timer) = input, mutant.count == 1, mutant.timers.contains(timer) { return [] }
        return [input]
      },
      asking: { mutant, effect in
        if case .connected = mutant.input, case .setTimer(let timer, _) = effect { mutant.timers.append(timer) }
        return [effect]
      }),
    .seam(
      "silence-ends-a-seat", .host, clause: "BAB 8.8", "ends every link after a minute",
      hearing: { mutant, input in mutant.endsLinksAfterAMinute(input) }),
    Mutant(
      "heartbeat-unasked", .host, clause: "BAB 8.8", "sends HEARTBEATs although none is configured",
      adjust: { if $0.heartbeatInterval == .zero { $0.heartbeatInterval = .seconds(10) } }),
    Mutant(
      "heartbeat-forgotten", .host, clause: "BAB 8.8", "sends no HEARTBEAT although one is configured",
      adjust: { $0.heartbeatInterval = .zero }),
  ]

  // MARK: Clients

  private static let lobbyClients: [Mutant] = [
    .seam(
      "role-shown-at-once", .client, clause: "BAB 1.3", "shows the role it asks for before the host has given it",
      hearing: { mutant, input in
        if case .requestRole(let role)? = input.bab {
          mutant.added.append(.report(.role(player: mutant.peerID, role: role)))
        }
        return [input]
      }),
    .packets(
      "join-before-handshake", .client, clause: "BAB 5.1.5", "sends CLIENT_JOIN first and HANDSHAKE second",
      outgoing: { mutant, _, packet in
        switch packet.payload {
        case .handshake: return []
        case .clientJoin:
          let me = Participant(id: mutant.configuration.peerID, name: mutant.configuration.displayName)
          return [.packet(packet), .packet(packet.saying(.handshake(me)))]
        default: return [.packet(packet)]
        }
      }),
    .packets(
      "no-handshake", .client, clause: "BAB 5.1.5", "sends CLIENT_JOIN and never HANDSHAKE",
      outgoing: { _, _, packet in packet.type == .handshake ? [] : [.packet(packet)] }),
    .packets(
      "joins-as-somebody", .client, clause: "BAB 5.1.5", "sends CLIENT_JOIN with another id than its own",
      outgoing: { _, _, packet in
        guard case .clientJoin(var profile) = packet.payload else { return [.packet(packet)] }
        profile.playerID += "-2"
        return [.packet(packet.saying(.clientJoin(profile)))]
      }),
    .packets(
      "heartbeat-between", .client, clause: "BAB 5.1.5", "sends a HEARTBEAT between HANDSHAKE and CLIENT_JOIN",
      outgoing: { mutant, _, packet in
        packet.type == .handshake ? [.packet(packet), .packet(mutant.packet(.heartbeat))] : [.packet(packet)]
      }),
    .seam(
      "connected-too-soon", .client, clause: "BAB 5.1.13", "shows CONNECTED as soon as the link is there",
      hearing: { mutant, input in
        if case .connected = input { mutant.added.append(.report(.linkState("CONNECTED"))) }
        return [input]
      }),
    .packets(
      "connected-by-any-lobby", .client, clause: "BAB 5.1.13", "shows CONNECTED with a lobby that does not list it",
      incoming: { mutant, _, packet in
        if packet.type == .lobbyUpdate { mutant.ask(.report(.linkState("CONNECTED"))) }
        return [packet]
      }),
    .seam(
      "connecting-for-ever", .client, clause: "BAB 5.1.13", "never shows CONNECTED",
      asking: { _, effect in effect == .report(.linkState("CONNECTED")) ? [] : [effect] }),
    .seam(
      "leaves-its-link", .client, clause: "BAB 5.1.14", "leaves without ending its link",
      asking: { mutant, effect in
        if case .disconnect = effect, mutant.input == .user(.leave) { return [] }
        return [effect]
      }),
    .seam(
      "says-goodbye", .client, clause: "BAB 5.1.14", "sends a packet when it leaves, and leaves after it",
      hearing: { mutant, input in
        let timer = TimerID(1_000_000_000)
        switch input {
        case .user(let action) where action.bab == .leave:
          mutant.added.append(.setTimer(timer, at: mutant.now + .milliseconds(500)))
          return [.user(.requestRole(""))]
        case .timer(timer): return [.user(.leave)]
        default: return [input]
        }
      }),
    .seam(
      "refused-for-ever", .client, clause: "BAB 5.1.15", "comes again however often it is refused",
      hearing: { _, input in
        guard case .disconnected(let link, .remoteUserTerminatedConnection) = input else { return [input] }
        return [.disconnected(link, reason: .connectionTimeout)]
      }),
    .seam(
      "refused-once", .client, clause: "BAB 8.10", "gives up when it is refused for the first time",
      hearing: { _, input in
        guard case .disconnected(_, .remoteUserTerminatedConnection) = input else { return [input] }
        return [input, .user(.leave)]
      }),
    .packets(
      "client-tells-lobby", .client, clause: "BAB 5.2.2", "tells the host which scenario its user wants",
      observing: { mutant, input in
        guard case .setLobbyScenario(let id)? = input.bab, let link = mutant.links.last else { return }
        mutant.say(.packet(mutant.packet(.lobbyUpdate(LobbyState(selectedScenarioID: id)))), to: link)
      }),
    .seam(
      "lobby-frozen", .client, clause: "BAB 5.2.5", "shows the first lobby and no change of it",
      asking: { mutant, effect in
        guard case .lobby? = effect.bab else { return [effect] }
        mutant.count += 1
        return mutant.count == 1 ? [effect] : []
      }),
    .seam(
      "silence-ends-the-session", .client, clause: "BAB 8.8", "ends its link after a minute",
      hearing: { mutant, input in mutant.endsLinksAfterAMinute(input) }),
    Mutant(
      "client-heartbeat-unasked", .client, clause: "BAB 8.8", "sends HEARTBEATs although none is configured",
      adjust: { if $0.heartbeatInterval == .zero { $0.heartbeatInterval = .seconds(10) } }),
    Mutant(
      "client-heartbeat-forgotten", .client, clause: "BAB 8.8", "sends no HEARTBEAT although one is configured",
      adjust: { $0.heartbeatInterval = .zero }),
  ]
}

extension BabPacket {
  /// This packet with its lobby changed, if it carries one.
  func withLobby(_ change: (inout LobbyState) -> Void) -> [PacketMutant.Speech] {
    guard case .lobbyUpdate(var lobby) = payload else { return [.packet(self)] }
    change(&lobby)
    return [.packet(saying(.lobbyUpdate(lobby)))]
  }
}

extension PacketMutant {
  /// Says something of its own on every link.
  func sayToAll(_ payload: PacketPayload) {
    for link in links { say(.packet(packet(payload)), to: link) }
  }
}

extension SeamMutant {
  /// Ends each link a minute after it has come.
  fileprivate func endsLinksAfterAMinute(_ input: AppInput) -> [AppInput] {
    let base = 1_000_000_000
    switch input {
    case .connected(let link, _):
      added.append(.setTimer(TimerID(base + link.rawValue), at: now + .seconds(60)))
      return [input]
    case .timer(let timer) where timer.rawValue >= base:
      added.append(.disconnect(LinkID(timer.rawValue - base)))
      return []
    default: return [input]
    }
  }
}
