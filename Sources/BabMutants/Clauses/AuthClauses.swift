import AppSeam
import BabSim
import Conformance
import SimKernel

/// Defects of authority.
extension Mutants {
  static let auth: [Mutant] = authLinks + authPlayers + authClient + authReports + authLimits

  // MARK: A host's links

  private static let authLinks: [Mutant] = [
    heard("passes-packets-on", "BAB 1.2", "passes every packet of a client on to the others") { engine, link, packet in
      for other in engine.links where other != link { engine.say(.packet(packet), to: other) }
      return [packet]
    },
    heard("joins-without-handshake", "BAB 7.6", "takes a CLIENT_JOIN for a HANDSHAKE too") { engine, link, packet in
      guard engine.bound(link) == nil, case .clientJoin(let profile) = packet.payload else { return [packet] }
      var greeting = packet
      greeting.type = .handshake
      greeting.payload = .handshake(Participant(id: packet.senderID, name: profile.displayName))
      engine.bind(link, packet.senderID)
      return [greeting, packet]
    },
    heard("handshake-for-another", "BAB 7.2", "does not compare a HANDSHAKE's participant with its sender") {
      engine, link, packet in
      guard case .handshake(let participant) = packet.payload else { return [packet] }
      var packet = packet
      packet.senderID = participant.id
      packet.vectorClock.timestamps[participant.id] = 1
      return [packet]
    },
    heard("second-handshake-counts", "BAB 7.4", "gives a seat to the id of a second HANDSHAKE on a link") {
      engine, link, packet in
      guard case .handshake(let participant) = packet.payload, let bound = engine.bound(link),
        bound != participant.id
      else { return [packet] }
      engine.tellLobby(replacing: bound, by: participant.id)
      return []
    },
    heard("throws-the-owner-out", "BAB 7.9", "ends the link of a peer when its id comes over another link") {
      engine, link, packet in
      if case .handshake(let participant) = packet.payload,
        let owner = engine.links.first(where: { $0 != link && engine.bound($0) == participant.id })
      {
        engine.ask(.disconnect(owner))
      }
      return [packet]
    },
    heard("impostor-keeps-link", "BAB 7.9", "leaves the link up over which an id comes a second time") {
      engine, link, packet in
      guard case .handshake(let participant) = packet.payload,
        engine.links.contains(where: { $0 != link && engine.bound($0) == participant.id })
      else { return [packet] }
      return []
    },
    heard("state-for-impostors", "BAB 7.9", "sends the state of a game to whoever has the id of a player") {
      engine, link, packet in
      if case .handshake(let participant) = packet.payload,
        engine.links.contains(where: { $0 != link && engine.bound($0) == participant.id })
      {
        for packet in engine.said where packet.type == .turnAdvanced { engine.say(.packet(packet), to: link) }
        return []
      }
      return [packet]
    },
    heard("accepts-another-host", "BAB 7.10", "shakes hands with somebody who claims to be a host") { _, _, packet in
      guard case .handshake(var participant) = packet.payload else { return [packet] }
      participant.isHost = false
      var packet = packet
      packet.payload = .handshake(participant)
      return [packet]
    },
    heard("accepts-its-own-id", "BAB 7.10", "shakes hands with somebody who has its own id") { engine, link, packet in
      if packet.senderID == engine.configuration.peerID, packet.type == .handshake {
        engine.say(
          .packet(engine.packet(.handshake(Participant(id: packet.senderID, name: "", isHost: true)))), to: link)
      }
      return [packet]
    },
    .packets(
      "accepts-no-id", .host, clause: "BAB 1.5", "gives a seat to somebody without an id",
      outgoing: { _, _, packet in
        guard case .lobbyUpdate(var lobby) = packet.payload else { return [.packet(packet)] }
        for index in lobby.connectedPlayers.indices where lobby.connectedPlayers[index].playerID == "nobody" {
          lobby.connectedPlayers[index].playerID = ""
        }
        var packet = packet
        packet.payload = .lobbyUpdate(lobby)
        return [.packet(packet)]
      },
      incoming: { _, _, packet in
        guard packet.senderID.isEmpty else { return [packet] }
        var packet = packet
        packet.senderID = "nobody"
        if case .handshake = packet.payload { packet.payload = .handshake(Participant(id: "nobody", name: "")) }
        if case .clientJoin = packet.payload {
          packet.payload = .clientJoin(LobbyProfile(playerID: "nobody", displayName: ""))
        }
        return [packet]
      }),
  ]

  // MARK: A host's players

  private static let authPlayers: [Mutant] = [
    heard("forgives-senders", "BAB 7.2", "takes the sender of a packet to be the peer of its link") {
      engine, link, packet in
      var packet = packet
      if packet.type != .handshake, let bound = engine.bound(link) { packet.senderID = bound }
      return [packet]
    },
    heard("echoes-host-only-packets", "BAB 7.1", "says what a client says that only a host may say") {
      engine, link, packet in
      if packet.payload.type.isForHosts {
        for link in engine.links { engine.say(.packet(engine.packet(packet.payload)), to: link) }
      }
      return [packet]
    },
    heard("anybody-reads", "BAB 7.3", "tells everybody that a line was read, whoever says so") { engine, _, packet in
      if [.lineCompleted, .lineSkipped].contains(packet.payload.type), engine.reader != packet.senderID {
        for link in engine.links { engine.say(.packet(engine.packet(packet.payload)), to: link) }
      }
      return [packet]
    },
    heard("seats-whoever-joins", "BAB 7.7", "gives its seat to a client that joins for another") { _, _, packet in
      guard case .clientJoin(var profile) = packet.payload else { return [packet] }
      profile.playerID = packet.senderID
      var packet = packet
      packet.payload = .clientJoin(profile)
      return [packet]
    },
    heard("role-for-another", "BAB 7.7", "gives a role to whoever is named") { engine, _, packet in
      if case .roleAssigned(let player, _) = packet.payload, player != packet.senderID {
        for link in engine.links { engine.say(.packet(engine.packet(packet.payload)), to: link) }
      }
      return [packet]
    },
    heard("ready-for-another", "BAB 7.7", "makes ready whoever is named") { engine, _, packet in
      if case .playerReady(let player, _) = packet.payload, player != packet.senderID {
        for link in engine.links { engine.say(.packet(engine.packet(packet.payload)), to: link) }
      }
      return [packet]
    },
    heard("proposer-not-checked", "BAB 7.7", "takes a vote for that of its sender, whoever is named") { _, _, packet in
      var packet = packet
      if case .voteRequest(_, let action) = packet.payload {
        packet.payload = .voteRequest(proposerID: packet.senderID, action: action)
      }
      return [packet]
    },
    heard("ballots-for-another", "BAB 7.7", "counts a ballot for whoever is named") { engine, _, packet in
      if case .voteCast(let voter, _) = packet.payload, voter != packet.senderID {
        for link in engine.links { engine.say(.packet(engine.packet(packet.payload)), to: link) }
      }
      return [packet]
    },
    result("takes-any-accuracy", "holds an accuracy to 0 to 1 instead of ignoring it") {
      $0.accuracy = max(0, min(1, $0.accuracy))
      return true
    },
    result("takes-any-error-count", "holds a number of errors to what is possible instead of ignoring it") {
      $0.errorCount = max(0, min(10_000, $0.errorCount))
      return true
    },
    result("takes-any-duration", "holds a duration to what is possible instead of ignoring it") {
      $0.duration = max(0, min(86_400_000, $0.duration))
      return true
    },
    result("refuses-the-bounds", "ignores results at the bounds of what is possible") { $0.errorCount < 10_000 },
  ]

  /// A host that changes what it hears, and remembers whose link is whose.
  private static func heard(
    _ name: String, _ clause: String, _ summary: String,
    _ change: @escaping @Sendable (PacketMutant, LinkID, BabPacket) -> [BabPacket]
  ) -> Mutant {
    .packets(
      name, .host, clause: clause, summary,
      incoming: { engine, link, packet in
        let changed = change(engine, link, packet)
        if case .handshake(let participant) = packet.payload, participant.id == packet.senderID {
          engine.bind(link, participant.id)
        }
        return changed
      })
  }

  /// A host that changes a result, or ignores it when `change` says false.
  private static func result(
    _ name: String, _ summary: String, _ change: @escaping @Sendable (inout PronunciationResult) -> Bool
  ) -> Mutant {
    heard(name, "BAB 7.11", summary) { _, _, packet in
      guard case .lineCompleted(let line, var result) = packet.payload else { return [packet] }
      guard change(&result) else { return [] }
      var packet = packet
      packet.payload = .lineCompleted(lineID: line, result: result)
      return [packet]
    }
  }

  // MARK: Clients

  private static let authClient: [Mutant] = [
    .packets(
      "believes-any-sender", .client, clause: "BAB 7.5", "takes every packet for the host's",
      incoming: { engine, _, packet in
        if engine.memory.isEmpty { engine.memory = [packet.senderID] }
        var packet = packet
        packet.senderID = engine.memory[0]
        return [packet]
      }),
    .packets(
      "follows-the-newest-host", .client, clause: "BAB 7.5", "hears only whom the newest HANDSHAKE names",
      incoming: { engine, _, packet in
        if case .handshake(let participant) = packet.payload { engine.memory = [participant.id] }
        return engine.memory.contains(packet.senderID) ? [packet] : []
      }),
    .packets(
      "host-no-longer-host", .client, clause: "BAB 7.5", "hears nobody after a HANDSHAKE that is not the host's",
      incoming: { engine, _, packet in
        if case .handshake(let participant) = packet.payload, !participant.isHost { engine.count = 1 }
        return engine.count == 0 ? [packet] : []
      }),
    .packets(
      "answers-joiners", .client, clause: "BAB 7.12", "answers CLIENT_JOIN with a lobby",
      incoming: { engine, link, packet in
        if packet.payload.type == .clientJoin {
          engine.say(.packet(engine.packet(.lobbyUpdate(LobbyState()))), to: link)
        }
        return [packet]
      }),
    .packets(
      "answers-prompts", .client, clause: "BAB 7.12", "answers GENERATE_REQUEST with another one",
      incoming: { engine, link, packet in
        if case .generateRequest = packet.payload { engine.say(.packet(engine.packet(packet.payload)), to: link) }
        return [packet]
      }),
  ]

  // MARK: Reports and limits

  private static let authReports: [Mutant] = [
    .seam(
      "violations-kept-quiet", .host, clause: "BAB 7.1", "does not report what a peer may not do",
      keeping: { if case .violation? = $0.bab { true } else { false } }),
    .seam(
      "client-violations-kept-quiet", .client, clause: "BAB 7.5", "does not report what a peer may not do",
      keeping: { if case .violation? = $0.bab { true } else { false } }),
    .seam(
      "refusals-kept-quiet", .host, clause: "BAB 7.13", "does not report what it could not read",
      keeping: { if case .refused? = $0.bab { true } else { false } }),
    .seam(
      "client-refusals-kept-quiet", .client, clause: "BAB 7.13", "does not report what it could not read",
      keeping: { if case .refused? = $0.bab { true } else { false } }),
  ]

  private static let authLimits: [Mutant] = [
    .seam(
      "queues-without-limit", .host, clause: "BAB 8.9", "lets any number of packets wait for a link",
      keeping: { if case .disconnect = $0 { true } else { false } }),
    .seam(
      "client-queues-without-limit", .client, clause: "BAB 8.9", "lets any number of packets wait for its link",
      keeping: { if case .disconnect = $0 { true } else { false } }),
    .packets(
      "forgets-early-lines", .client, clause: "BAB 8.12", "keeps sixty private lines only",
      incoming: { engine, _, packet in
        if case .lineCompleted(let id, _) = packet.payload,
          engine.memory.firstIndex(of: id).map({ engine.memory.count - $0 > 60 }) ?? false
        {
          return []
        }
        if case .dialogLineAdded(let line) = packet.payload { engine.memory.append(line.id) }
        return [packet]
      }),
    .packets(
      "keeps-every-line", .client, clause: "BAB 8.12", "keeps any number of private lines",
      incoming: { engine, _, packet in
        guard case .lineCompleted(let id, _) = packet.payload, engine.memory.contains(id) else {
          if case .dialogLineAdded(let line) = packet.payload { engine.memory += [line.id, line.textNative] }
          return [packet]
        }
        var line = DialogLine(
          id: id, speakerID: packet.senderID, roleName: "", textNative: "", textTranslated: "", timestamp: 0,
          assignedToPlayerID: packet.senderID)
        if let place = engine.memory.firstIndex(of: id) { line.textNative = engine.memory[place + 1] }
        var added = packet
        added.type = .dialogLineAdded
        added.payload = .dialogLineAdded(line)
        return [added, packet]
      }),
  ]
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
  /// The id that a HANDSHAKE bound to a link.
  fileprivate func bound(_ link: LinkID) -> String? {
    let prefix = "\(link.rawValue) "
    return memory.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }

  fileprivate func bind(_ link: LinkID, _ id: String) {
    if bound(link) == nil { memory.append("\(link.rawValue) \(id)") }
  }

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
      for link in links { say(.packet(self.packet(.lobbyUpdate(lobby))), to: link) }
    }
  }
}
