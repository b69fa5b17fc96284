import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// TURN, host: what a host must not take for the end of a line (BAB 5.4.5, 5.4.9, 5.4.11).
extension Catalog {
  static let turnHostRefusals: [TestPurpose] = [
    .inGame(
      "BAB/HOST/TURN/BI-01-C", ["BAB 5.4.5", "BAB 7.3"], "A completion by another client is not taken.",
      expects: ["no line ends and no turn changes; then the line's player completes it"], testers: 2
    ) { t, reader, other in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      let turn = try t.turn()
      try staysPending(t, turn) { other.complete(turn.lineID) }
    },
    .inGame(
      "BAB/HOST/TURN/BI-02-C", ["BAB 5.4.5", "BAB 7.3"], "A skip by another client is not taken.",
      expects: ["no line ends and no turn changes; then the line's player completes it"], testers: 2
    ) { t, reader, other in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      let turn = try t.turn()
      try staysPending(t, turn) { other.send(.lineSkipped(lineID: turn.lineID)) }
    },
    .inGame(
      "BAB/HOST/TURN/BI-03-C", ["BAB 5.4.5", "BAB 7.3"], "A client cannot complete the host's line.",
      expects: ["no line ends and no turn changes; then the host completes it"]
    ) { t in
      let turn = try t.turn()
      try staysPending(t, turn) { t.clients[0].complete(turn.lineID) }
    },
    .inGame(
      "BAB/HOST/TURN/BI-04-C", ["BAB 5.4.5"], "The host's own player cannot complete another player's line.",
      expects: ["no line ends and no turn changes; then the line's player completes it"]
    ) { t in
      try t.preamble { try t.playUntilTurn(of: t.clients[0].peerID) }
      try staysPending(t, try t.turn()) {
        t.iut.user(.completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 2_000))
      }
    },
    .inGame(
      "BAB/HOST/TURN/BI-05-C", ["BAB 5.4.5"], "The host's own player cannot skip another player's line.",
      expects: ["no line ends and no turn changes; then the line's player completes it"]
    ) { t in
      try t.preamble { try t.playUntilTurn(of: t.clients[0].peerID) }
      try staysPending(t, try t.turn()) { t.iut.user(.skipLine) }
    },
    .inGame(
      "BAB/HOST/TURN/BI-06-C", ["BAB 5.4.11"], "A completion of an unknown line is ignored.",
      expects: ["no line ends and no turn changes; then the pending line is completed"]
    ) { t in
      try t.preamble { try t.playUntilTurn(of: t.clients[0].peerID) }
      try staysPending(t, try t.turn()) { t.clients[0].complete("no-such-line") }
    },
    .inGame(
      "BAB/HOST/TURN/BI-07-C", ["BAB 5.4.11"], "A completion that comes again is ignored.",
      expects: ["the line is committed once, and the next turn stays"], testers: 2
    ) { t, reader, other in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      let done = try t.preamble { try t.playLine() }
      try staysPending(t, try t.turn()) { reader.complete(done.lineID) }
      try t.require(
        "\(done.lineID) was committed once", actual: "more than once",
        other.committedLines.filter { $0.id == done.lineID }.count == 1)
    },
    .inGame(
      "BAB/HOST/TURN/BI-08-C", ["BAB 5.4.11"], "A completion that comes late is no violation.",
      expects: ["no violation is reported"], needs: [.refusals], testers: 2
    ) { t, reader in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      let done = try t.preamble { try t.playLine() }
      try t.preamble {
        reader.send(.turnAdvanced(nextPlayerID: reader.peerID, pendingLine: nil))
        try t.expect("what is a violation is reported as one") { !t.iut.violations.isEmpty }
      }
      let before = t.iut.violations.count
      try t.ignores {
        reader.complete(done.lineID)
        reader.complete("no-such-line")
        try t.never("a violation is reported", actual: { t.iut.violations.last ?? "" }) {
          t.iut.violations.count > before
        }
      }
    },
    .inGame(
      "BAB/HOST/TURN/BI-09-C", ["BAB 5.4.11", "BAB 5.4.9"], "A completion of a line that was replaced is ignored.",
      expects: ["no line ends; the line in its place stays pending"], needs: [.generate]
    ) { t, reader in
      let dropped = try t.preamble {
        try t.playUntilTurn(of: reader.peerID)
        let dropped = try t.turn().lineID
        reader.send(.generateRequest(prompt: "another"))
        try t.expect("another line is announced") { reader.turn?.line?.id != dropped }
        return dropped
      }
      try staysPending(t, try t.turn()) { reader.complete(dropped) }
    },
    .inGame(
      "BAB/HOST/TURN/BI-10-C", ["BAB 5.4.11", "BAB 5.4.8"], "A completion of a line that was dropped is ignored.",
      expects: ["no line ends; the next player's line stays pending"], testers: 2
    ) { t, leaver, next in
      let dropped = try t.preamble {
        try t.playUntilTurn(of: leaver.peerID)
        let dropped = try t.turn().lineID
        leaver.disconnect()
        try t.expect("another line is announced") { next.turn?.line?.id != dropped }
        return dropped
      }
      try staysPending(t, try t.turn()) { next.complete(dropped) }
    },
    .inGame(
      "BAB/HOST/TURN/BI-11-C", ["BAB 5.4.9"], "GENERATE_REQUEST from anybody else is ignored.",
      expects: ["no TURN_ADVANCED; the pending line stays"], needs: [.generate], testers: 2
    ) { t, reader, other in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      try staysPending(t, try t.turn()) { other.send(.generateRequest(prompt: "something else")) }
    },
    TestPurpose(
      "BAB/HOST/TURN/BI-12-C", ["BAB 5.4.11"], "A completion or skip before the game is ignored.",
      initial: "The host and a client are in the lobby.",
      expects: ["the client is sent nothing, its link stays, and the game can begin"], needs: [.roles, .turns],
      arrange: { $0.playGame() }
    ) { t, client in
      try t.preamble { try t.openLobby() }
      client.forget()
      try t.ignores {
        client.complete("line-1")
        client.send(.lineSkipped(lineID: "line-1"))
        try client.expectNone(of: PacketType.allCases.filter { $0 != .heartbeat })
      }
      try t.dealRoles()
      t.iut.user(.startMultiplayerGame)
      try client.expect(.turnAdvanced, "opens the game")
    },
    .inGame(
      "BAB/HOST/TURN/BI-13-C", ["BAB 5.4.11", "BAB 5.8.1"], "A completion after the end of the game is ignored.",
      expects: ["the client is sent nothing more"], lines: 2
    ) { t, client in
      let last = try t.preamble {
        try t.playLine()
        return try t.playLine()
      }
      client.forget()
      try t.ignores {
        client.complete(last.lineID)
        client.complete("no-such-line")
        try client.expectNone(of: PacketType.allCases.filter { $0 != .heartbeat })
      }
    },
  ]

  /// What is done ends no line and gives no turn; after it the line's player reads it as if nothing had been.
  private static func staysPending(_ t: BabBed, _ turn: BabBed.Turn, _ stimulus: () -> Void) throws {
    try t.settle()
    guard let witness = t.seated.first else { throw t.inconclusive("nobody is there to be told what happens") }
    witness.forget()
    try t.ignores {
      stimulus()
      try witness.expectNone(of: [
        .dialogLineAdded, .lineCompleted, .lineSkipped, .turnAdvanced, .leaderboardUpdate, .fullStateSnapshot,
      ])
    }
    t.readLine(turn)
    try witness.expect(.dialogLineAdded, "is about \(turn.lineID)") { $0.addedLine?.id == turn.lineID }
  }
}
