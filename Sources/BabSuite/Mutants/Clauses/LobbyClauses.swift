import AppSeam
import BabOracles
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// Defects of joining, leaving and the lobby.
extension Mutants {
  static let lobby: [Mutant] =
    lobbyJoining + lobbySettings + lobbyLimits + heartbeats(.host, "") + lobbyClients + heartbeats(.client, "client-")

  /// A client's defects are told by the prefix.
  private static func heartbeats(_ role: AppRole, _ prefix: String) -> [Mutant] {
    [
      .set(prefix + "heartbeat-unasked", role, "BAB 8.8", "sends HEARTBEATs although none is configured") {
        if $0.heartbeatInterval == .zero { $0.heartbeatInterval = .seconds(10) }
      },
      .set(prefix + "heartbeat-forgotten", role, "BAB 8.8", "sends no HEARTBEAT although one is configured") {
        $0.heartbeatInterval = .zero
      },
    ]
  }

  // MARK: Hosts

  private static let lobbyJoining: [Mutant] = [
    .unsaid("no-handshake-back", .host, "BAB 5.1.6", "answers no HANDSHAKE", .handshake),
    .misspeaks("handshake-not-as-host", .host, "BAB 5.1.6", "introduces itself as a client") {
      $0.handshake?.isHost = false
    },
    .says("lobby-before-handshake", .host, "BAB 5.1.6", "tells an empty lobby before it introduces itself") {
      m, packet in
      guard packet.type == .handshake else { return [packet] }
      return [m.packet(.lobbyUpdate(LobbyState())), packet]
    },
    .says("newcomer-not-told", .host, "BAB 5.1.7", "tells the others of a newcomer, and not the newcomer") {
      m, packet in
      guard packet.type == .lobbyUpdate, !m.memory.contains("\(m.link.rawValue)") else { return [packet] }
      m.memory.append("\(m.link.rawValue)")
      return []
    },
    .hears("seat-at-handshake", .host, "BAB 5.1.7", "gives a seat to whoever shakes hands") { _, packet in
      guard case .handshake(let participant) = packet.payload else { return [packet] }
      let profile = LobbyProfile(playerID: participant.id, displayName: participant.name)
      return [packet, packet.saying(.clientJoin(profile))]
    },
    .misspeaks("id-for-name", .host, "BAB 5.1.7", "lists players by their ids instead of their names") { packet in
      for (index, player) in (packet.lobby?.connectedPlayers ?? []).enumerated() {
        packet.lobby?.connectedPlayers[index].displayName = player.playerID
      }
    },
    .packets(
      "seated-at-every-join", .host, "BAB 1.5", "lists a player once for every CLIENT_JOIN",
      misspeaking: { m, packet in
        let again = packet.lobby?.connectedPlayers.filter { m.memory.contains($0.playerID) } ?? []
        packet.lobby?.connectedPlayers += again
      },
      whenHearing: { m, packet in
        guard let player = packet.join?.playerID else { return }
        if m.memory.contains("seen " + player) { m.memory.append(player) }
        m.memory.append("seen " + player)
      }),
    ordering("roster-without-host", "BAB 1.4", "does not count itself among the players") { _, clients in clients },
    ordering("host-last", "BAB 1.4", "lists itself after its clients") { host, clients in clients + host },
    ordering("newest-first", "BAB 5.1.8", "lists the clients in the reverse order of their joins") { host, clients in
      host + clients.reversed()
    },
    ordering("roster-by-name", "BAB 5.1.8", "lists the clients by their ids") { host, clients in
      host + clients.sorted { $0.playerID < $1.playerID }
    },
  ]

  /// A host that tells its roster in another order.
  private static func ordering(
    _ name: String, _ clause: String, _ summary: String,
    _ order: @escaping @Sendable (_ host: [LobbyProfile], _ clients: [LobbyProfile]) -> [LobbyProfile]
  ) -> Mutant {
    .misspeaks(name, .host, clause, summary) { packet in
      guard let players = packet.lobby?.connectedPlayers else { return }
      packet.lobby?.connectedPlayers = order(Array(players.prefix(1)), Array(players.dropFirst()))
    }
  }

  private static let lobbySettings: [Mutant] = [
    .set("first-date-unknown", .host, "BAB 5.2.1", "knows two scenarios only") {
      $0.scenarios.removeAll { $0.id == GameScenario.firstDate.id }
    },
    .echoes("client-sets-lobby", .host, "BAB 5.2.2", "passes a client's LOBBY_UPDATE on to everybody") {
      $1.type == .lobbyUpdate
    },
    .packets(
      "settings-in-game", .host, "BAB 5.2.2", "lets its user change the scenario while a game is on",
      whenSaying: { m, packet in
        if packet.type == .startGame || packet.type == .gameStarted { m.count = 1 }
        if case .lobbyUpdate(let lobby) = packet.payload { m.memory = lobby.playerIDs }
      },
      observing: { m, input in
        guard m.count == 1, case .setLobbyScenario(let id)? = input.bab else { return }
        let players = m.memory.map { LobbyProfile(playerID: $0, displayName: $0) }
        m.sayToAll(.lobbyUpdate(LobbyState(selectedScenarioID: id, connectedPlayers: players)))
      }),
    .packets(
      "any-difficulty", .host, "BAB 5.2.3", "takes any word for a difficulty",
      misspeaking: { m, packet in if let level = m.memory.last { packet.lobby?.difficultyLevel = level } },
      observing: { m, input in if case .setLobbyDifficulty(let level)? = input.bab { m.memory = [level] } }),
    .packets(
      "easy-by-default", .host, "BAB 5.2.3", "takes easy for the default",
      misspeaking: { m, packet in if m.count == 0 { packet.lobby?.difficultyLevel = "easy" } },
      observing: { m, input in if case .setLobbyDifficulty? = input.bab { m.count = 1 } }),
    lobbyUpdateLost(
      "difficulty-not-told", "changes the difficulty and tells nobody",
      on: { if case .setLobbyDifficulty? = $0.bab { true } else { false } }),
    lobbyUpdateLost(
      "scenario-not-told", "changes the scenario and tells nobody",
      on: { if case .setLobbyScenario? = $0.bab { true } else { false } }),
    lobbyUpdateLost(
      "departure-not-told", "tells nobody that somebody has left",
      on: { if case .disconnected = $0 { true } else { false } }),
    .says("told-one-behind", .host, "BAB 5.2.5", "keeps the newest LOBBY_UPDATE of each link back until the next") {
      m, packet in
      guard case .lobbyUpdate(let lobby) = packet.payload else { return [packet] }
      // The first two of a link pass, so that the client can join.
      let key = "\(m.link.rawValue)"
      m.memory.append(key)
      let seen = m.memory.filter { $0 == key }.count
      return seen > 2 && lobby.difficultyLevel == "hard" ? [] : [packet]
    },
    .asks("shows-old-lobby", .host, "BAB 5.2.5", "never shows that the difficulty has changed") { _, effect in
      guard case .lobby(var view)? = effect.bab else { return [effect] }
      view.difficulty = "normal"
      return [.report(.lobby(view))]
    },
  ]

  /// A host that changes its lobby on an input and sends no LOBBY_UPDATE for it.
  private static func lobbyUpdateLost(
    _ name: String, _ summary: String, on isMeant: @escaping @Sendable (AppInput) -> Bool
  ) -> Mutant {
    .packets(
      name, .host, "BAB 5.2.4", summary,
      unsaid: { m, packet in m.count == 1 && packet.type == .lobbyUpdate },
      observing: { m, input in m.count = isMeant(input) ? 1 : 0 })
  }

  private static let lobbyLimits: [Mutant] = [
    .asks("surplus-link-kept", .host, "BAB 5.1.10", "ignores a surplus link instead of ending it") { m, effect in
      if case .disconnect(let link) = effect, case .connected(link, _) = m.input { return [] }
      return [effect]
    },
    .set("one-seat-too-few", .host, "BAB 5.1.7", "keeps one seat free for nobody") { $0.dialect.capacity -= 1 },
    .set("join-timeout-of-a-minute", .host, "BAB 5.1.11", "waits for CLIENT_JOIN for a minute") {
      $0.joinTimeout = .seconds(60)
    },
    .set("join-timeout-of-ten-seconds", .host, "BAB 8.3", "waits for CLIENT_JOIN for ten seconds only") {
      $0.joinTimeout = .seconds(10)
    },
    .seam(
      "handshake-is-enough", .host, "BAB 5.1.11", "waits forever once a client has said anything",
      hearing: { m, input in
        if case .valueReceived = input { m.count = 1 }
        if case .timer(let timer) = input, m.count == 1, m.timers.contains(timer) { return [] }
        return [input]
      },
      whenAsking: { m, effect in
        if case .connected = m.input, case .setTimer(let timer, _) = effect { m.timers.append(timer) }
      }),
    .told("silence-ends-a-seat", .host, "BAB 8.8", "ends every link after a minute") { m, input in
      m.endsLinksAfterAMinute(input)
    },
  ]

  // MARK: Clients

  private static let lobbyClients: [Mutant] = [
    .whenTold("role-shown-at-once", .client, "BAB 1.3", "shows the role it asks for before the host has given it") {
      m, input in
      if case .requestRole(let role)? = input.bab { m.added.append(.report(.role(player: m.peerID, role: role))) }
    },
    .says("join-before-handshake", .client, "BAB 5.1.5", "sends CLIENT_JOIN first and HANDSHAKE second") { m, packet in
      switch packet.payload {
      case .handshake: return []
      case .clientJoin:
        let me = Participant(id: m.configuration.peerID, name: m.configuration.displayName)
        return [packet, packet.saying(.handshake(me))]
      default: return [packet]
      }
    },
    .unsaid("no-handshake", .client, "BAB 5.1.5", "sends CLIENT_JOIN and never HANDSHAKE", .handshake),
    .misspeaks("joins-as-somebody", .client, "BAB 5.1.5", "sends CLIENT_JOIN with another id than its own") {
      $0.join?.playerID += "-2"
    },
    .says("heartbeat-between", .client, "BAB 5.1.5", "sends a HEARTBEAT between HANDSHAKE and CLIENT_JOIN") {
      m, packet in
      packet.type == .handshake ? [packet, m.packet(.heartbeat)] : [packet]
    },
    .whenTold("connected-too-soon", .client, "BAB 5.1.13", "shows CONNECTED as soon as the link is there") { m, input in
      if case .connected = input { m.added.append(.report(.linkState("CONNECTED"))) }
    },
    .whenHearing(
      "connected-by-any-lobby", .client, "BAB 5.1.13", "shows CONNECTED with a lobby that does not list it"
    ) { m, packet in
      if packet.type == .lobbyUpdate { m.ask(.report(.linkState("CONNECTED"))) }
    },
    .keeps("connecting-for-ever", .client, "BAB 5.1.13", "never shows CONNECTED") {
      $0 == .report(.linkState("CONNECTED"))
    },
    .asks("leaves-its-link", .client, "BAB 5.1.14", "leaves without ending its link") { m, effect in
      if case .disconnect = effect, m.input == .user(.leave) { return [] }
      return [effect]
    },
    .told("says-goodbye", .client, "BAB 5.1.14", "sends a packet when it leaves, and leaves after it") { m, input in
      let timer = TimerID(1_000_000_000)
      switch input {
      case .user(let action) where action.bab == .leave:
        m.added.append(.setTimer(timer, at: m.now + .milliseconds(500)))
        return [.user(.requestRole(""))]
      case .timer(timer): return [.user(.leave)]
      default: return [input]
      }
    },
    .told("refused-for-ever", .client, "BAB 5.1.15", "comes again however often it is refused") { _, input in
      guard case .disconnected(let link, .remoteUserTerminatedConnection) = input else { return [input] }
      return [.disconnected(link, reason: .connectionTimeout)]
    },
    .told("refused-once", .client, "BAB 8.10", "gives up when it is refused for the first time") { _, input in
      guard case .disconnected(_, .remoteUserTerminatedConnection) = input else { return [input] }
      return [input, .user(.leave)]
    },
    .packets(
      "client-tells-lobby", .client, "BAB 5.2.2", "tells the host which scenario its user wants",
      observing: { m, input in
        guard case .setLobbyScenario(let id)? = input.bab, let link = m.links.last else { return }
        m.say(m.packet(.lobbyUpdate(LobbyState(selectedScenarioID: id))), to: link)
      }),
    .asks("lobby-frozen", .client, "BAB 5.2.5", "shows the first lobby and no change of it") { m, effect in
      guard case .lobby? = effect.bab else { return [effect] }
      m.count += 1
      return m.count == 1 ? [effect] : []
    },
    .told("silence-ends-the-session", .client, "BAB 8.8", "ends its link after a minute") { m, input in
      m.endsLinksAfterAMinute(input)
    },
  ]
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
