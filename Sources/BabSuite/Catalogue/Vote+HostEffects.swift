import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// VOTE, host: what votes lead to, and what goes on meanwhile (BAB 5.5.7, 5.5.8).
extension Catalog {
  static let voteHostEffects: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/VOTE/BV-14-C", ["BAB 5.5.8"],
      "A vote for SKIP_LINE skips the pending line.",
      initial: "A game with roles is on with client-1, and it is the host's turn; client-1 has proposed SKIP_LINE.",
      expects: ["after the host's yes client-1 is sent LINE_SKIPPED of the host's line and the turn is client-1's"],
      needs: [.votes, .roles, .turns]
    ) { t, client in
      let line = try t.preamble {
        try t.playWithRoles()
        try t.openVote(.skipLine, by: client)
        return try t.pendingLine(client)
      }
      t.iut.user(.castVote(true))
      try client.expectExactly(.lineSkipped(lineID: line), "names the pending line")
      try client.expectTurn(of: client.peerID, "names client-1", clause: "BAB 5.4.1")
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-15-C", ["BAB 5.5.8", "BAB 5.8.1"],
      "A vote for END_GAME ends the game.",
      initial: "A game is on with client-1 and client-2; client-1 has proposed END_GAME, client-2 has said yes.",
      expects: ["after the host's yes both clients are sent FULL_STATE_SNAPSHOT with phase FINISHED"],
      needs: [.votes, .summary], testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.openVote(.endGame, by: one, playingWith: 2)
        two.vote(true)
        try t.settleAfresh()
      }
      t.iut.user(.castVote(true))
      try t.clients.expect(.fullStateSnapshot, "has phase FINISHED") { packet in
        guard case .fullStateSnapshot(let state) = packet.payload else { return false }
        return state.currentPhase == .finished
      }
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-16-C", ["BAB 5.5.5", "BAB 5.5.8"],
      "A vote for END_GAME that fails ends nothing.",
      initial: "A game is on with client-1 and client-2.",
      expects: ["no FULL_STATE_SNAPSHOT after client-1's proposal, client-2's no, or in the 35 s after it"],
      needs: [.votes], testers: 2
    ) { t in
      try t.preamble { try t.playPlainly(with: 2) }
      t.clients[0].propose(.endGame)
      try t.clients[1].expect(.voteRequest, clause: "BAB 5.5.2")
      t.clients[1].vote(false)
      t.iut.user(.castVote(true))
      try t.clients[0].expectNone(of: [.fullStateSnapshot], for: .seconds(35))
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-17-C", ["BAB 5.5.8"],
      "A vote for CHANGE_SCENE selects another scenario, tells it, and leads to the theater.",
      initial: "A game is on with client-1 and client-2 in coffee-shop; client-1 has proposed, client-2 has said yes.",
      expects: [
        "both clients are sent LOBBY_UPDATE with another scenario and the same players, then NAVIGATION_SYNC \"theater\""
      ],
      needs: [.votes], testers: 2
    ) { t, one, two in
      try t.preamble {
        try t.openVote(.changeScene, by: one, playingWith: 2)
        two.vote(true)
        try t.settleAfresh()
      }
      t.iut.user(.castVote(true))
      for client in t.clients {
        try client.expectLobby("selects another scenario, with all players") {
          !$0.selectedScenarioID.isEmpty && $0.selectedScenarioID != "coffee-shop" && $0.playerIDs == t.roster(one, two)
        }
        try client.expectSceneChange()
        let types = client.news.compactMap(\.type)
        try t.require(
          "LOBBY_UPDATE comes before NAVIGATION_SYNC", actual: types.map(\.rawValue).joined(separator: ", "),
          types.firstIndex(of: .lobbyUpdate) ?? .max < types.firstIndex(of: .navigationSync) ?? .max)
      }
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-18-C", ["BAB 5.5.8"],
      "A vote for CHANGE_SCENE leaves turn and line as they are.",
      initial: "A game with roles is on with client-1, and it is client-1's turn.",
      expects: ["no TURN_ADVANCED; afterwards client-1 can still complete the pending line"],
      needs: [.votes, .roles, .turns]
    ) { t, client in
      let line = try t.preamble {
        try t.playWithRoles()
        try t.passTurnToClient()
        try t.openVote(.changeScene, by: client)
        return try t.pendingLine(client)
      }
      t.iut.user(.castVote(true))
      try client.expectSceneChange()
      try client.expectNone(of: [.turnAdvanced, .lineSkipped, .dialogLineAdded], for: .seconds(1))
      client.complete(line)
      try client.expect(.lineCompleted, "names the pending line") { packet in
        guard case .lineCompleted(let id, _) = packet.payload else { return false }
        return id == line
      }
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-19-C", ["BAB 5.5.8", "BAB 5.2.6"],
      "A vote for CHANGE_SCENE clears the roles, so that a player who comes back is told of none.",
      initial:
        "A game with roles is on with client-1 and client-2; CHANGE_SCENE has passed; client-2 has lost its link.",
      expects: ["client-2, who joins again, is sent no ROLE_ASSIGNED"],
      needs: [.votes, .roles, .reconnect], excludes: [.ownScenarios], testers: 2, arrange: { $0.playGame() }
    ) { t, one, two in
      try t.preamble {
        try t.openLobby()
        try t.dealRoles()
        t.iut.user(.startMultiplayerGame)
        try one.expect(.gameStarted)
        try t.openVote(.changeScene, by: one)
        two.vote(true)
        t.iut.user(.castVote(true))
        try one.expectSceneChange()
        two.disconnect()
        try one.expectLobby("lists the host and client-1") { $0.playerIDs == t.roster(one) }
        try t.settleAfresh()
      }
      two.begin()
      try two.expectLobby("lists client-2", within: .seconds(15), clause: "BAB 5.7.4") {
        $0.playerIDs.contains(two.peerID)
      }
      try two.expectNone(of: [.roleAssigned])
    },
    TestPurpose(
      "BAB/HOST/VOTE/BV-20-C", ["BAB 5.5.7"],
      "Reading goes on while a vote is open.",
      initial: "A game with roles is on with client-1, and it is client-1's turn; the host has proposed END_GAME.",
      expects: ["client-1 completes its line: LINE_COMPLETED, and the turn is the host's; the vote is still open"],
      needs: [.votes, .roles, .turns]
    ) { t, client in
      let line = try t.preamble {
        try t.playWithRoles()
        try t.passTurnToClient()
        t.iut.user(.proposeVote("CHANGE_SCENE"))
        try client.expect(.voteRequest)
        try t.settleAfresh()
        return try t.pendingLine(client)
      }
      client.complete(line)
      try client.expect(.lineCompleted, "names client-1's line") { packet in
        guard case .lineCompleted(let id, _) = packet.payload else { return false }
        return id == line
      }
      try client.expectTurn(of: t.iut.peerID, "names the host")
      client.vote(true)
      try client.expectSceneChange(clause: "BAB 5.5.5")
    },
  ]
}

extension BabBed {
  /// The id of the pending line as a client was told it last.
  fileprivate func pendingLine(_ client: ClientTester) throws -> String {
    guard let line = client.turn?.line else { throw inconclusive("\(client.name) was told of no pending line") }
    return line.id
  }

  /// The host reads its line, so that it is client-1's turn.
  fileprivate func passTurnToClient() throws {
    let client = clients[0]
    iut.user(.completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 2_000))
    try client.expectTurn(of: client.peerID, "names client-1")
    try settleAfresh()
  }
}
