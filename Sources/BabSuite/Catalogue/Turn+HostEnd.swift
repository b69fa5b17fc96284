import AppSeam
import BabOracles
import BabSim
import BluetoothWire
import Conformance
import SimKernel

/// TURN, host: the end of a game (BAB 5.8).
extension Catalog {
  static let turnHostEnd: [TestPurpose] = [
    .inGame(
      "BAB/HOST/TURN/BV-20-C", ["BAB 5.8.1", "BAB 5.8.2"],
      "The game ends when the agreed number of lines is committed, skipped ones counted.",
      expects: ["no FULL_STATE_SNAPSHOT before the fourth line, and one with phase FINISHED to every client after it"],
      testers: 2, lines: 4
    ) { t in
      for number in 0..<3 { _ = number == 1 ? try t.skipLine() : try t.playLine() }
      for client in t.clients {
        try t.require(
          "\(client.name) was not told that the game is over after three lines", actual: "it was",
          client.finalState == nil)
      }
      try t.playLine()
      try finished(t)
    },
    .inGame(
      "BAB/HOST/TURN/BV-21-C", ["BAB 5.8.1", "BAB 5.8.2"], "The game ends when the host ends it.",
      expects: ["FULL_STATE_SNAPSHOT with phase FINISHED to every client, and no further turn"], testers: 2
    ) { t in
      try t.preamble { try t.playLine() }
      for client in t.clients { client.forget() }
      t.iut.user(.endGame)
      try finished(t)
      try t.clients.expectNone(of: [.turnAdvanced, .dialogLineAdded])
    },
    .inGame(
      "BAB/HOST/TURN/BV-22-C", ["BAB 5.8.2"], "The end is told with the summary.",
      expects: ["FULL_STATE_SNAPSHOT with phase FINISHED has a sessionSummary, on every link"], needs: [.summary],
      testers: 2
    ) { t in
      try t.preamble { try t.playLine() }
      t.iut.user(.endGame)
      try t.clients.expect(.fullStateSnapshot, "is FINISHED and has the summary") {
        guard case .fullStateSnapshot(let state) = $0.payload else { return false }
        return state.currentPhase == .finished && state.sessionSummary != nil
      }
    },
    TestPurpose(
      "BAB/HOST/TURN/BV-23-C", ["BAB 5.8.2", "BAB 5.7.5"],
      "The end is told on a link that is too narrow for the whole history.",
      initial: "A game with roles is on, ATT_MTU is 23, and twelve lines with long results are committed.",
      expects: ["FULL_STATE_SNAPSHOT with phase FINISHED and the summary, in no more than 255 fragments"],
      needs: [.roles, .turns, .summary],
      arrange: {
        $0.playGame(lines: 0)
        $0.setATTMTU(23)
      }
    ) { t, client in
      try t.preamble {
        try t.startGame()
        for _ in 0..<12 { try t.playLine() }
      }
      client.forget()
      t.iut.user(.endGame)
      try client.expect(.fullStateSnapshot, "is FINISHED and has the summary", within: .seconds(60)) {
        guard case .fullStateSnapshot(let state) = $0.payload else { return false }
        return state.currentPhase == .finished && state.sessionSummary != nil
      }
    },
    .inGame(
      "BAB/HOST/TURN/BV-24-C", ["BAB 5.8.4", "BAB 5.8.2"],
      "A host that leaves ends a running game first, and then every link.",
      expects: ["FULL_STATE_SNAPSHOT with phase FINISHED to every client, then the end of every link"], testers: 2
    ) { t in
      try t.preamble { try t.playLine() }
      for client in t.clients { client.forget() }
      t.iut.user(.leave)
      if t.ics.claims(.endsLinks) {
        for client in t.clients { try client.expectDisconnected() }
      } else {
        try t.pause(.seconds(5))
      }
      for client in t.clients {
        let what = "\(client.name) was told that the game is over before its link was ended"
        guard client.finalState != nil else {
          throw t.failed(
            what, "it was not", record: nil, clause: nil, cause: client.missingAtAll(.fullStateSnapshot))
        }
        t.passed(what)
      }
    },
    .inGame(
      "BAB/HOST/TURN/BV-25-C", ["BAB 5.8.1", "BAB 1.3"], "The host shows the end of the game.",
      expects: ["phase FINISHED, nobody's turn"], needs: [.screen], lines: 2
    ) { t in
      for _ in 0..<2 { try t.playLine() }
      try t.require("the host shows FINISHED", actual: t.iut.phase ?? "none", t.iut.phase == "FINISHED")
      try t.require("the host shows nobody's turn", actual: t.iut.turn ?? "", t.iut.turn == nil)
    },
    TestPurpose(
      "BAB/HOST/TURN/BV-26-C", ["BAB 5.4.1", "BAB 5.2.8"], "With the plain start, too, the first turn is the host's.",
      initial: "The host and two clients are in the lobby, a scenario is selected.",
      expects: ["the first TURN_ADVANCED to either client names the host"], needs: [.turns], testers: 2,
      arrange: { $0.playGame() }
    ) { t in
      try t.preamble { try t.openLobby() }
      t.iut.user(.startLobbyGame)
      for client in t.clients {
        let first = try client.expect(.turnAdvanced, "opens the game")
        try t.require(
          "the first turn is the host's", actual: "it is \(first.advancedTurn?.player ?? "nobody")'s",
          first.advancedTurn?.player == t.iut.peerID)
      }
    },
  ]

  private static func finished(_ t: BabBed) throws {
    for client in t.clients {
      try t.expect("\(client.name) is sent FULL_STATE_SNAPSHOT with phase FINISHED", clause: "BAB 5.8.2") {
        client.finalState != nil
      }
    }
  }
}
