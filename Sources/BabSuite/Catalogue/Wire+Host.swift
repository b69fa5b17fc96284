import AppSeam
import BabSim
import Conformance
import SimKernel

/// WIRE, host: what a host writes (BAB 4.A).
extension Catalog {
  static let wireHost: [TestPurpose] = wireHostKinds + wireHostClauses + wireHostReading

  /// Every kind of packet a host may send, well formed in every respect.
  private static let wireHostKinds: [TestPurpose] = [
    hostWrites("BV-01-C", [.handshake], needs: [], BabBed.hostLobbyTalk),
    hostWrites("BV-02-C", [.lobbyUpdate], needs: [], BabBed.hostLobbyTalk),
    hostWrites("BV-03-C", [.startGame], needs: []) { t in
      try BabBed.hostLobbyTalk(t)
      t.iut.user(.startLobbyGame)
      try t.clients[0].expect(.startGame)
    },
    hostWrites("BV-04-C", [.roleAssigned, .playerReady, .gameStarted], needs: [.roles], BabBed.hostGameTalk),
    hostWrites(
      "BV-05-C", [.turnAdvanced, .dialogLineAdded, .lineCompleted, .lineSkipped], needs: [.roles, .turns],
      BabBed.hostLineTalk),
    hostWrites("BV-06-C", [.leaderboardUpdate], needs: [.roles, .turns, .scoring], BabBed.hostLineTalk),
    hostWrites(
      "BV-07-C", [.voteRequest, .voteCast, .navigationSync], needs: [.roles, .turns, .votes], BabBed.hostVoteTalk),
    hostWrites("BV-08-C", [.fullStateSnapshot], needs: [.roles, .turns, .summary], BabBed.hostEndTalk),
    hostWrites(
      "BV-09-C", [.fullStateSnapshot], needs: [.roles, .turns, .reconnect], when: " to a player who comes back",
      BabBed.hostReturnTalk),
    hostWrites(
      "BV-10-C", [.heartbeat], needs: [.heartbeat], when: " when heartbeats are configured",
      arrange: { $0.scenario.game.heartbeat = .seconds(1) }
    ) { t in
      try BabBed.hostLobbyTalk(t)
      try t.clients[0].expect(.heartbeat)
    },
  ]

  /// One clause at a time.
  private static let wireHostClauses: [TestPurpose] = [
    hostKeeps("BV-11-C", "BAB 4.1", "A packet is one JSON object with four keys in their order."),
    hostKeeps("BV-12-C", "BAB 4.2", "Types and payloads bear the names of the table, the payload's type first."),
    hostKeeps("BV-13-C", "BAB 4.3", "Keys are in the order of the tables, nothing between tokens."),
    hostKeeps("BV-14-C", "BAB 4.4", "Defaults and null are written."),
    hostKeeps("BV-15-C", "BAB 4.5", "The envelope names the payload."),
    hostKeeps("BV-16-C", "BAB 4.7", "Strings have the escapes they need and no others."),
    hostKeeps("BV-17-C", "BAB 4.10", "Integers are written as plain decimals."),
    hostKeeps("BV-18-C", "BAB 4.13", "A vector clock is an object with timestamps."),
    hostKeeps("BV-19-C", "BAB 4.14", "A LOBBY_UPDATE carries the lobby's state."),
    hostKeeps("BV-20-C", "BAB 4.15", "START_GAME has no field.") { t in
      try BabBed.hostLobbyTalk(t)
      t.iut.user(.startLobbyGame)
      try t.clients[0].expect(.startGame)
    },
    hostKeeps("BV-21-C", "BAB 4.9", "Enumerations are written by name.", [.roles, .turns], BabBed.hostLineTalk),
    hostKeeps(
      "BV-22-C", "BAB 4.11", "A 32-bit number is written with the shortest digits that read back to it.",
      [.roles, .turns], BabBed.hostLineTalk),
    hostKeeps(
      "BV-23-C", "BAB 4.16", "A session state has its 25 keys.", [.roles, .turns, .summary], BabBed.hostEndTalk),
    hostKeeps(
      "BV-24-C", "BAB 4.12", "A game that ends before anybody has read a line has finite numbers in its summary.",
      [.roles, .turns, .summary]
    ) { t in
      try BabBed.hostGameTalk(t)
      t.iut.user(.endGame)
      try t.clients[0].expect(.fullStateSnapshot)
    },
    TestPurpose(
      "BAB/HOST/WIRE/BV-25-C", ["BAB 4.8"],
      "The entries of a vector clock keep their places; new ones go to the end.",
      initial: "The host advertises.", expects: ["each clock's keys begin with those of the clock before"],
      testers: 2
    ) { t in
      try t.preamble { try BabBed.hostLobbyTalk(t) }
      for client in t.clients {
        try requireClocksGrow(client.heard, of: client.name, t)
      }
    },
    TestPurpose(
      "BAB/HOST/WIRE/BV-26-C", ["BAB 4.17", "BAB 4.7"],
      "A client's display name reaches the other clients as it was written, character by character.",
      initial: "client-1 is seated.", expects: ["LOBBY_UPDATE with the same name, without any normalisation"],
      testers: 2
    ) { t, first, second in
      try t.preamble { try t.seat(first, andBring: second, upTo: .greeted) }
      second.send(.clientJoin(LobbyProfile(playerID: second.peerID, displayName: BabBed.oddText)))
      try first.expect(.lobbyUpdate, "has the name of client-2 unchanged") {
        guard case .lobbyUpdate(let lobby) = $0.payload else { return false }
        let name = lobby.connectedPlayers.first { $0.playerID == second.peerID }?.displayName
        return name.map { $0.utf8.elementsEqual(BabBed.oddText.utf8) } ?? false
      }
    },
  ]

  private static func hostWrites(
    _ number: String, _ types: [PacketType], needs: [ICS.Item], when: String = "",
    arrange: @escaping @Sendable (inout Stage) -> Void = { _ in },
    _ talk: @escaping @Sendable (BabBed) throws -> Void
  ) -> TestPurpose {
    let names = types.map(\.rawValue).joined(separator: ", ")
    return TestPurpose(
      "BAB/HOST/WIRE/" + number, ["BAB 4.2", "BAB 4.3"], "A host sends well-formed " + names + when + ".",
      initial: "The host advertises.", expects: [names + " as BAB 4.1 to 4.16 ask"], needs: needs, testers: 2,
      arrange: arrange
    ) { t in try t.judgeForm(nil, of: types, after: talk) }
  }

  private static func hostKeeps(
    _ number: String, _ clause: String, _ purpose: String, _ needs: [ICS.Item] = [],
    _ talk: @escaping @Sendable (BabBed) throws -> Void = BabBed.hostLobbyTalk
  ) -> TestPurpose {
    TestPurpose(
      "BAB/HOST/WIRE/" + number, [clause], purpose, initial: "The host advertises.",
      expects: ["no packet of the session breaks the clause"], needs: needs, testers: 2
    ) { t in try t.judgeForm([clause], after: talk) }
  }

  /// The keys of each clock that came on one link begin with those of the clock before.
  static func requireClocksGrow(_ heard: [Heard], of name: String, _ t: BabBed) throws {
    var before: [String] = []
    for item in heard {
      guard let packet = item.packet else { continue }
      let keys = packet.vectorClock.timestamps.keys
      guard keys.starts(with: before) else {
        throw t.failed(
          "the clock's keys begin with " + before.joined(separator: ", "),
          "they are \(keys.joined(separator: ", ")), to \(name)", record: item.record, clause: nil)
      }
      before = keys
    }
    let cause = t.testers.first?.missing(.handshake)
    try t.need("clocks come to \(name)", actual: "none came", cause: cause, !before.isEmpty)
    t.passed("\(heard.count) clocks that came to \(name) keep their order")
  }
}
