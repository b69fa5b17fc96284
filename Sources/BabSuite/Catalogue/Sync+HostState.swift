import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// SYNC, host: what newcomers and returning players are told, and that all come to the same.
extension Catalog {
  static let syncHostState: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/SYNC/BV-10-C", ["BAB 5.1.12"], "A newcomer is told the roles and who is ready, after the lobby.",
      initial: "client-1 has the role customer and is ready.",
      expects: ["client-2 is sent LOBBY_UPDATE, then ROLE_ASSIGNED and PLAYER_READY of client-1"], needs: [.roles],
      testers: 2
    ) { t, first, second in
      try t.preamble {
        try t.seatClients(1, scenario: nil)
        t.iut.user(.setLobbyScenario("coffee-shop"))
        first.askForRole("customer")
        try first.expect(.roleAssigned)
        first.setReady()
        try first.expect(.playerReady)
      }
      try second.join()
      try second.expectRole("customer", of: first.peerID, "gives client-1 the role customer")
      try second.expectReady(true, of: first.peerID, "says client-1 is ready")
      let types = second.packetsOnLink.map(\.payload.type)
      let lobby = types.firstIndex(of: .lobbyUpdate) ?? 0
      try t.require(
        "LOBBY_UPDATE comes before both", actual: "in this order: \(types.map(\.rawValue))",
        !types[..<lobby].contains(.roleAssigned) && !types[..<lobby].contains(.playerReady))
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-11-C", ["BAB 5.7.4"], "A player who comes back is sent the snapshot before the lobby.",
      initial: "A game is on with two clients; client-1 has lost its link.",
      expects: ["FULL_STATE_SNAPSHOT, and LOBBY_UPDATE after it"], needs: [.reconnect], testers: 2
    ) { t, client in
      try t.preamble {
        try t.playPlainly(with: 2)
        try t.lose(client)
        try t.pause(.seconds(1))
      }
      client.forget()
      client.begin()
      try client.expect(.lobbyUpdate, within: .seconds(10))
      let types = client.packetsOnLink.map(\.payload.type)
      let lobby = types.firstIndex(of: .lobbyUpdate) ?? 0
      try t.require(
        "FULL_STATE_SNAPSHOT comes before LOBBY_UPDATE", actual: "in this order: \(types.map(\.rawValue))",
        types[..<lobby].contains(.fullStateSnapshot))
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-12-C", ["BAB 5.7.4"], "The snapshot is sent in the lobby too.",
      initial: "Two clients are seated, no game is on; client-1 has lost its link.",
      expects: ["FULL_STATE_SNAPSHOT to client-1 when it is back"], needs: [.reconnect], testers: 2
    ) { t, client in
      try t.preamble {
        try t.seatClients(2, scenario: nil)
        try t.lose(client)
        try t.pause(.seconds(1))
      }
      client.forget()
      client.begin()
      try client.expect(.fullStateSnapshot, within: .seconds(10))
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-13-C", ["BAB 5.7.10"], "A snapshot has the pending line's texts for the line's player only.",
      initial: "A game is on; client-2 is to read, and client-1 has lost its link.",
      expects: ["a snapshot whose pending line has no text, or that has none"],
      needs: [.turns, .scoring, .reconnect],
      testers: 2, arrange: { $0.playGame(roles: 3) }
    ) { t, first, second in
      try t.preamble {
        try t.startGame(clients: 2)
        try t.readLines(1)
        try t.lose(first)
        try t.expect("client-2 is to read a line with a text") {
          second.turn?.player == second.peerID && !(second.turn?.line?.textNative ?? "").isEmpty
        }
      }
      first.forget()
      first.begin()
      let packet = try first.expect(.fullStateSnapshot, within: .seconds(10))
      guard case .fullStateSnapshot(let state) = packet.payload else { return }
      let texts = (state.pendingLine?.textNative ?? "") + (state.pendingLine?.textTranslated ?? "")
      try t.require("client-1's snapshot has no text of client-2's line", actual: texts, texts.isEmpty)
    },
    TestPurpose(
      "BAB/HOST/SYNC/BV-14-C", ["BAB 5.2.5"], "After a burst of changes every client has the same lobby.",
      initial: "Three clients are seated.",
      expects: ["the newest LOBBY_UPDATE of those who stayed names the last scenario, difficulty and roster"],
      testers: 3
    ) { t in
      let stay = [t.clients[0], t.clients[1]]
      try t.preamble { try t.seatClients(3, scenario: nil) }
      for scenario in ["coffee-shop", "the-heist", "first-date"] {
        t.iut.user(.setLobbyScenario(scenario))
        t.iut.user(.setLobbyDifficulty("easy"))
        t.iut.user(.setLobbyDifficulty("hard"))
      }
      t.clients[2].disconnect()
      t.iut.user(.setLobbyScenario("the-heist"))
      t.iut.user(.setLobbyDifficulty("normal"))
      try t.pause(.seconds(3))
      for client in stay {
        let lobby = client.lobby
        try t.require(
          "\(client.name) has the-heist, normal and the three who are there", actual: "\(lobby.debugText)",
          lobby?.selectedScenarioID == "the-heist" && lobby?.difficultyLevel == "normal"
            && client.lobbyIDs == [t.iut.peerID] + stay.map(\.peerID))
      }
    },
    oversize("BV-15-C", "without its history, which follows line by line", lines: 16, clients: 2, idLength: 0),
    oversize("BV-16-C", "with the bare state; lines and ranking follow", lines: 4, clients: 3, idLength: 64),
    TestPurpose(
      "BAB/HOST/SYNC/BV-17-C", ["BAB 8.11"], "Times in packets are 1 700 000 000 000 ms and the virtual ones.",
      initial: "A game is on.", expects: ["LEADERBOARD_UPDATE with the time at which it was made"],
      needs: [.turns, .scoring], arrange: { $0.playGame(roles: 2) }
    ) { t in
      try t.preamble { try t.startGame(clients: 1) }
      let before = BabConfiguration.epochMilliseconds + t.now.nanoseconds / 1_000_000
      try t.readLines(1)
      let after = BabConfiguration.epochMilliseconds + t.now.nanoseconds / 1_000_000
      let packet = try t.clients[0].expect(.leaderboardUpdate)
      guard case .leaderboardUpdate(let board) = packet.payload else { return }
      try t.require(
        "updatedAt is within \(before) … \(after)", actual: "\(board.updatedAt)",
        (before...after).contains(board.updatedAt))
    },
  ]

  /// A snapshot that would take more than 255 fragments at an ATT_MTU of 23: 4 080 octets (BAB 5.7.5).
  private static func oversize(_ number: String, _ how: String, lines: Int, clients count: Int, idLength: Int)
    -> TestPurpose
  {
    TestPurpose(
      "BAB/HOST/SYNC/\(number)", ["BAB 5.7.5"], "A snapshot too large for 255 fragments is sent \(how).",
      initial: "At an ATT_MTU of 23 a game is on; \(lines) lines are committed; client-1 has lost its link.",
      expects: ["a snapshot of at most 255 fragments, and all lines and the ranking in it or after it"],
      needs: [.turns, .scoring, .reconnect], testers: count,
      arrange: { stage in
        stage.playGame(roles: count + 1)
        stage.setATTMTU(23)
        stage.scenario.game.totalLines = 100
      }
    ) { t, client in
      try t.preamble {
        for tester in t.clients { tester.peerID += String(repeating: "x", count: idLength) }
        try t.startGame(clients: count)
        try t.readLines(lines)
        try t.settleAfresh(.seconds(2))
      }
      let told = t.clients[1].committed
      try t.preamble {
        try t.expect("client-2 was told of \(lines) lines", actual: { "of \(told.count)" }) { told.count == lines }
        try t.lose(client)
        try t.pause(.seconds(1))
      }
      client.forget()
      client.begin()
      try client.expect(.fullStateSnapshot, within: .seconds(20))
      try t.expect("client-1 has all \(lines) lines in order", within: .seconds(40), actual: { "\(client.committed)" })
      {
        client.committed == told
      }
      try t.expect("client-1 has the ranking", within: .seconds(20)) { client.hasRanking }
    }
  }
}

extension LowerTester {
  /// Ids of the committed lines that came since `forget` or on the newest link, in snapshots and by themselves.
  var committed: [String] {
    var lines: [String] = []
    for packet in packetsOnLink {
      if case .fullStateSnapshot(let state) = packet.payload { lines = state.committedHistory.map(\.id) }
      if case .dialogLineAdded(let line) = packet.payload, line.visibility == .committed, !lines.contains(line.id) {
        lines.append(line.id)
      }
    }
    return lines
  }

  /// A ranking came on the newest link.
  var hasRanking: Bool {
    packetsOnLink.contains { packet in
      if case .fullStateSnapshot(let state) = packet.payload { return state.sessionLeaderboard != nil }
      return packet.payload.type == .leaderboardUpdate
    }
  }
}

extension LobbyState? {
  /// For a finding.
  var debugText: String {
    guard let self else { return "no lobby" }
    return "\(self.selectedScenarioID), \(self.difficultyLevel), \(self.playerIDs)"
  }
}
