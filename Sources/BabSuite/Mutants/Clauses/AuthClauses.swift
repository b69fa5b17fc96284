import AppSeam
import BabSim
import Conformance
import SimKernel

/// Defects of authority.
extension Mutants {
  static let auth: [Mutant] = authLinks + authPlayers + authClient + authReports + authLimits

  // MARK: A host's links

  private static let authLinks: [Mutant] = [
    .hears("passes-packets-on", .host, "BAB 1.2", "passes every packet of a client on to the others") { m, packet in
      for other in m.links where other != m.link { m.say(packet, to: other) }
      return [packet]
    },
    .hears("joins-without-handshake", .host, "BAB 7.6", "takes a CLIENT_JOIN for a HANDSHAKE too") { m, packet in
      guard m.bound(m.link) == nil, case .clientJoin(let profile) = packet.payload else { return [packet] }
      var greeting = packet
      greeting.type = .handshake
      greeting.payload = .handshake(Participant(id: packet.senderID, name: profile.displayName))
      m.bind(m.link, packet.senderID)
      return [greeting, packet]
    },
    .mishears("handshake-for-another", .host, "BAB 7.2", "does not compare a HANDSHAKE's participant with its sender") {
      m, packet in
      guard case .handshake(let participant) = packet.payload else { return }
      packet.senderID = participant.id
      packet.vectorClock.timestamps[participant.id] = 1
    },
    .hears("second-handshake-counts", .host, "BAB 7.4", "gives a seat to the id of a second HANDSHAKE on a link") {
      m, packet in
      guard case .handshake(let participant) = packet.payload, let bound = m.bound(m.link),
        bound != participant.id
      else { return [packet] }
      m.tellLobby(replacing: bound, by: participant.id)
      return []
    },
    .hears("throws-the-owner-out", .host, "BAB 7.9", "ends the link of a peer when its id comes over another link") {
      m, packet in
      if case .handshake(let participant) = packet.payload,
        let owner = m.links.first(where: { $0 != m.link && m.bound($0) == participant.id })
      {
        m.ask(.disconnect(owner))
      }
      return [packet]
    },
    .hears("impostor-keeps-link", .host, "BAB 7.9", "leaves the link up over which an id comes a second time") {
      m, packet in
      guard case .handshake(let participant) = packet.payload,
        m.links.contains(where: { $0 != m.link && m.bound($0) == participant.id })
      else { return [packet] }
      return []
    },
    .hears("state-for-impostors", .host, "BAB 7.9", "sends the state of a game to whoever has the id of a player") {
      m, packet in
      if case .handshake(let participant) = packet.payload,
        m.links.contains(where: { $0 != m.link && m.bound($0) == participant.id })
      {
        for packet in m.said where packet.type == .turnAdvanced { m.say(packet, to: m.link) }
        return []
      }
      return [packet]
    },
    .mishears("accepts-another-host", .host, "BAB 7.10", "shakes hands with somebody who claims to be a host") {
      $0.handshake?.isHost = false
    },
    .whenHearing("accepts-its-own-id", .host, "BAB 7.10", "shakes hands with somebody who has its own id") {
      m, packet in
      guard packet.senderID == m.configuration.peerID, packet.type == .handshake else { return }
      m.say(m.packet(.handshake(Participant(id: packet.senderID, name: "", isHost: true))), to: m.link)
    },
    .packets(
      "accepts-no-id", .host, "BAB 1.5", "gives a seat to somebody without an id",
      misspeaking: { _, packet in
        for (index, player) in (packet.lobby?.connectedPlayers ?? []).enumerated() where player.playerID == "nobody" {
          packet.lobby?.connectedPlayers[index].playerID = ""
        }
      },
      mishearing: { _, packet in
        guard packet.senderID.isEmpty else { return }
        packet.senderID = "nobody"
        packet.handshake = packet.handshake.map { _ in Participant(id: "nobody", name: "") }
        packet.join = packet.join.map { _ in LobbyProfile(playerID: "nobody", displayName: "") }
      }),
  ]

  // MARK: A host's players

  private static let authPlayers: [Mutant] = [
    .mishears("forgives-senders", .host, "BAB 7.2", "takes the sender of a packet to be the peer of its link") {
      m, packet in
      if packet.type != .handshake, let bound = m.bound(m.link) { packet.senderID = bound }
    },
    .echoes("echoes-host-only-packets", .host, "BAB 7.1", "says what a client says that only a host may say") {
      $1.payload.type.isForHosts
    },
    .echoes("anybody-reads", .host, "BAB 7.3", "tells everybody that a line was read, whoever says so") { m, packet in
      [.lineCompleted, .lineSkipped].contains(packet.payload.type) && m.reader != packet.senderID
    },
    .mishears("seats-whoever-joins", .host, "BAB 7.7", "gives its seat to a client that joins for another") { packet in
      let sender = packet.senderID
      packet.join?.playerID = sender
    },
    .echoes("role-for-another", .host, "BAB 7.7", "gives a role to whoever is named") {
      $1.payload.type == .roleAssigned && $1.playerNamed != $1.senderID
    },
    .echoes("ready-for-another", .host, "BAB 7.7", "makes ready whoever is named") {
      $1.payload.type == .playerReady && $1.playerNamed != $1.senderID
    },
    .mishears("proposer-not-checked", .host, "BAB 7.7", "takes a vote for that of its sender, whoever is named") {
      guard case .voteRequest(_, let action) = $0.payload else { return }
      $0.payload = .voteRequest(proposerID: $0.senderID, action: action)
    },
    .echoes("ballots-for-another", .host, "BAB 7.7", "counts a ballot for whoever is named") {
      $1.payload.type == .voteCast && $1.playerNamed != $1.senderID
    },
    .mishears("takes-any-accuracy", .host, "BAB 7.11", "holds an accuracy to 0 to 1 instead of ignoring it") {
      $0.result?.accuracy.hold(to: 0...1)
    },
    .mishears(
      "takes-any-error-count", .host, "BAB 7.11", "holds a number of errors to what is possible instead of ignoring it"
    ) { $0.result?.errorCount.hold(to: 0...10_000) },
    .mishears("takes-any-duration", .host, "BAB 7.11", "holds a duration to what is possible instead of ignoring it") {
      $0.result?.duration.hold(to: 0...86_400_000)
    },
    .unheard("refuses-the-bounds", .host, "BAB 7.11", "ignores results at the bounds of what is possible") {
      $1.result?.errorCount ?? 0 >= 10_000
    },
  ]

  // MARK: Clients

  private static let authClient: [Mutant] = [
    .mishears("believes-any-sender", .client, "BAB 7.5", "takes every packet for the host's") { m, packet in
      if m.memory.isEmpty { m.memory = [packet.senderID] }
      packet.senderID = m.memory[0]
    },
    .hears("follows-the-newest-host", .client, "BAB 7.5", "hears only whom the newest HANDSHAKE names") { m, packet in
      if case .handshake(let participant) = packet.payload { m.memory = [participant.id] }
      return m.memory.contains(packet.senderID) ? [packet] : []
    },
    .hears("host-no-longer-host", .client, "BAB 7.5", "hears nobody after a HANDSHAKE that is not the host's") {
      m, packet in
      if case .handshake(let participant) = packet.payload, !participant.isHost { m.count = 1 }
      return m.count == 0 ? [packet] : []
    },
    .whenHearing("answers-joiners", .client, "BAB 7.12", "answers CLIENT_JOIN with a lobby") { m, packet in
      if packet.payload.type == .clientJoin { m.say(m.packet(.lobbyUpdate(LobbyState())), to: m.link) }
    },
    .whenHearing("answers-prompts", .client, "BAB 7.12", "answers GENERATE_REQUEST with another one") { m, packet in
      if case .generateRequest = packet.payload { m.say(m.packet(packet.payload), to: m.link) }
    },
  ]

  // MARK: Reports and limits

  private static let authReports: [Mutant] = [
    .keeps("violations-kept-quiet", .host, "BAB 7.1", "does not report what a peer may not do", \.isViolation),
    .keeps("client-violations-kept-quiet", .client, "BAB 7.5", "does not report what a peer may not do", \.isViolation),
    .keeps("refusals-kept-quiet", .host, "BAB 7.13", "does not report what it could not read", \.isRefusal),
    .keeps("client-refusals-kept-quiet", .client, "BAB 7.13", "does not report what it could not read", \.isRefusal),
  ]

  private static let authLimits: [Mutant] = [
    .keeps("queues-without-limit", .host, "BAB 8.9", "lets any number of packets wait for a link", \.isEndOfLink),
    .keeps(
      "client-queues-without-limit", .client, "BAB 8.9", "lets any number of packets wait for its link", \.isEndOfLink),
    .hears("forgets-early-lines", .client, "BAB 8.12", "keeps sixty private lines only") { m, packet in
      if case .lineCompleted(let id, _) = packet.payload,
        m.memory.firstIndex(of: id).map({ m.memory.count - $0 > 60 }) ?? false
      {
        return []
      }
      if case .dialogLineAdded(let line) = packet.payload { m.memory.append(line.id) }
      return [packet]
    },
    .hears("keeps-every-line", .client, "BAB 8.12", "keeps any number of private lines") { m, packet in
      guard case .lineCompleted(let id, _) = packet.payload, m.memory.contains(id) else {
        if case .dialogLineAdded(let line) = packet.payload { m.memory += [line.id, line.textNative] }
        return [packet]
      }
      var line = DialogLine(
        id: id, speakerID: packet.senderID, roleName: "", textNative: "", textTranslated: "", timestamp: 0,
        assignedToPlayerID: packet.senderID)
      if let place = m.memory.firstIndex(of: id) { line.textNative = m.memory[place + 1] }
      var added = packet
      added.type = .dialogLineAdded
      added.payload = .dialogLineAdded(line)
      return [added, packet]
    },
  ]
}

extension AppEffect {
  fileprivate var isViolation: Bool { if case .violation? = bab { true } else { false } }
  fileprivate var isRefusal: Bool { if case .refused? = bab { true } else { false } }
}

extension PacketType {
  /// Only a host may send these.
  fileprivate var isForHosts: Bool {
    switch self {
    case .dialogLineAdded, .fullStateSnapshot, .navigationSync, .gameStarted, .turnAdvanced, .leaderboardUpdate,
      .lobbyUpdate, .startGame:
      true
    default: false
    }
  }
}

extension PacketMutant {
  /// The player whose turn it is.
  fileprivate var reader: String? {
    for packet in said { if case .turnAdvanced(let player, _) = packet.payload { return player } }
    return nil
  }

  /// Tells everybody the newest lobby, with one id in place of another.
  fileprivate func tellLobby(replacing old: String, by new: String) {
    for packet in said {
      guard case .lobbyUpdate(var lobby) = packet.payload else { continue }
      for index in lobby.connectedPlayers.indices where lobby.connectedPlayers[index].playerID == old {
        lobby.connectedPlayers[index].playerID = new
      }
      sayToAll(.lobbyUpdate(lobby))
    }
  }
}
