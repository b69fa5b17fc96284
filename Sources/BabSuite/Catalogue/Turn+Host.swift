import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// TURN, host: turns, lines and their end (BAB 5.4, 5.8).
extension Catalog {
  static let turnHost = turnHostOrder + turnHostReading + turnHostRefusals + turnHostEnd + soloHost

  private static let ending: [PacketType] = [
    .dialogLineAdded, .lineCompleted, .lineSkipped, .turnAdvanced, .leaderboardUpdate,
  ]

  /// Whose turn it is, and what of the line is told to whom.
  private static let turnHostOrder: [TestPurpose] = [
    TestPurpose(
      "BAB/HOST/TURN/BV-01-C", ["BAB 5.4.1", "BAB 1.4"],
      "The first turn is the first player's of the roster, which is the host.",
      initial: "The host and two clients are ready with a role.",
      expects: ["after the start, the first TURN_ADVANCED to either client names the host"],
      needs: [.roles, .turns], testers: 2, arrange: { $0.playGame() }
    ) { t in
      try t.preamble {
        try t.openLobby()
        try t.getReady()
      }
      for client in t.clients { client.forget() }
      t.iut.user(t.start)
      for client in t.clients {
        let first = try client.expect(.turnAdvanced, "opens the game")
        try t.require(
          "the first turn is the host's", actual: "it is \(first.advancedTurn?.player ?? "nobody")'s",
          first.advancedTurn?.player == t.iut.peerID)
      }
    },
    .inGame(
      "BAB/HOST/TURN/BV-02-C", ["BAB 5.4.1"], "Turns go round the roster in its order, round and round.",
      expects: ["seven turns in the order host, client-1, client-2, host, client-1, client-2, host"], testers: 2
    ) { t in
      let roster = [t.iut.peerID, t.clients[0].peerID, t.clients[1].peerID]
      for number in 0..<7 {
        let turn = try t.turn()
        try t.require(
          "turn \(number + 1) is that of \(roster[number % 3])", actual: "it is \(turn.player)'s",
          turn.player == roster[number % 3])
        try t.playLine()
      }
    },
    .inGame(
      "BAB/HOST/TURN/BV-03-C", ["BAB 5.4.2"],
      "A line is made for each turn: private, and assigned to the player whose turn it is.",
      expects: ["TURN_ADVANCED carries a line that is PRIVATE and assigned to the player it names, on every link"],
      testers: 2
    ) { t in
      for _ in 0..<3 { try t.playLine() }
      for client in t.clients {
        for turn in client.newTurns {
          guard let line = turn.line else {
            try t.require("the turn of \(turn.player) has a line", actual: "pendingLine is null", false)
            continue
          }
          try t.require(
            "\(line.id) is assigned to \(turn.player)", actual: "it is \(line.assignedToPlayerID)'s",
            line.assignedToPlayerID == turn.player)
          try t.require(
            "\(line.id) is PRIVATE", actual: line.visibility.rawValue, line.visibility == .isPrivate)
        }
      }
    },
    .inGame(
      "BAB/HOST/TURN/BV-04-C", ["BAB 5.4.3"], "The texts of a client's line go to its link only.",
      expects: [
        "client-1 is sent its line with a text; client-2 the same line with both texts empty, and the text nowhere"
      ], testers: 2
    ) { t, reader, other in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      let own = reader.turn?.line
      try t.require(
        "\(reader.name) is sent the text of its line", actual: "both texts are empty",
        own.map { !$0.textNative.isEmpty && !$0.textTranslated.isEmpty } ?? false)
      let seen = other.turn?.line
      try t.require(
        "\(other.name) is told of the same line", actual: seen?.id ?? "none", seen?.id == own?.id)
      try t.require(
        "\(other.name) is sent both texts empty", actual: "\"\(seen?.textNative ?? "")\"",
        seen.map { $0.textNative.isEmpty && $0.textTranslated.isEmpty } ?? false)
      let text = own?.textNative ?? ""
      try t.require(
        "nothing that \(other.name) was sent has the text", actual: "a packet has it",
        !other.news.contains { String(decoding: $0.octets, as: UTF8.self).contains(text) })
    },
    .inGame(
      "BAB/HOST/TURN/BV-05-C", ["BAB 5.4.3"], "The texts of the host's own line go to no link.",
      expects: ["every client is told of the host's line with both texts empty"], testers: 2
    ) { t in
      for client in t.clients {
        let line = client.turn?.line
        try t.require(
          "\(client.name) is sent both texts of the host's line empty", actual: "\"\(line?.textNative ?? "none")\"",
          line.map { $0.textNative.isEmpty && $0.textTranslated.isEmpty } ?? false)
      }
    },
    .inGame(
      "BAB/HOST/TURN/BV-06-C", ["BAB 5.4.2", "BAB 5.4.4"],
      "The host's screen does not show the text of another player's line.",
      expects: ["the screen says that somebody is reading, without a text"], needs: [.screen]
    ) { t, reader in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      try t.require(
        "the host's screen shows no text", actual: "\"\(t.iut.screenLine?.text ?? "")\"",
        t.iut.screenLine.map { $0.text == nil } ?? true)
    },
    .inGame(
      "BAB/HOST/TURN/BV-07-C", ["BAB 5.4.10"], "Line ids do not repeat within a game.",
      expects: ["ten lines with ten ids"], needs: [.generate], lines: 0
    ) { t in
      var ids: [String] = []
      for number in 0..<10 {
        let turn = try t.turn()
        try t.require("\(turn.lineID) is new", actual: "it has been there", !ids.contains(turn.lineID))
        ids.append(turn.lineID)
        // A dropped line has had its id too.
        if number == 3 {
          t.clients[0].send(.generateRequest(prompt: "something else"))
          try t.expect("another line is announced") { t.clients[0].turn?.line?.id != turn.lineID }
          try t.settle()
        } else {
          try t.playLine()
        }
      }
    },
    .inGame(
      "BAB/HOST/TURN/BV-08-C", ["BAB 5.4.10"], "Line ids do not repeat in a later session of the same app.",
      expects: ["no line of the second session has an id of the first"]
    ) { t in
      for _ in 0..<3 { try t.playLine() }
      let ids = t.clients[0].heard.compactMap { $0.packet?.advancedTurn?.line?.id }
      try t.preamble {
        try t.hostLeaves()
        try t.settle()
        t.clients[0].forget()
        try t.startGame()
      }
      for _ in 0..<3 { try t.playLine() }
      let again = t.clients[0].newTurns.compactMap { $0.line?.id }.filter(ids.contains)
      try t.require("every line of the second session has a new id", actual: "again: \(again)", again.isEmpty)
    },
    .inGame(
      "BAB/HOST/TURN/BV-09-C", ["BAB 5.4.8"],
      "When the player whose turn it is leaves, the turn is the next player's in the roster, with a new line.",
      expects: ["TURN_ADVANCED to those who stay names client-2, with another line id"], testers: 2
    ) { t, leaver, next in
      try t.preamble { try t.playUntilTurn(of: leaver.peerID) }
      let dropped = try t.turn().lineID
      next.forget()
      leaver.disconnect()
      let turn = try next.expect(.turnAdvanced, "gives the turn on").advancedTurn
      try t.require("the turn is \(next.name)'s", actual: turn?.player ?? "", turn?.player == next.peerID)
      try t.require(
        "the line is a new one", actual: turn?.line?.id ?? "none", turn?.line.map { $0.id != dropped } ?? false)
      try t.require(
        "the new line has a text for its player", actual: "none",
        turn?.line.map { !$0.textNative.isEmpty } ?? false)
    },
    .inGame(
      "BAB/HOST/TURN/BV-10-C", ["BAB 5.4.8"],
      "When the last player of the roster leaves in its turn, the turn is the first player's.",
      expects: ["TURN_ADVANCED to client-1 names the host, with another line id"], testers: 2
    ) { t, witness, leaver in
      try t.preamble { try t.playUntilTurn(of: leaver.peerID) }
      let dropped = try t.turn().lineID
      witness.forget()
      leaver.disconnect()
      let turn = try witness.expect(.turnAdvanced, "gives the turn on").advancedTurn
      try t.require("the turn is the host's", actual: turn?.player ?? "", turn?.player == t.iut.peerID)
      try t.require(
        "the line is a new one", actual: turn?.line?.id ?? "none", turn?.line.map { $0.id != dropped } ?? false)
    },
    .inGame(
      "BAB/HOST/TURN/BV-11-C", ["BAB 5.4.8"],
      "When a player leaves whose turn it is not, the turn and the line stay.",
      expects: ["no TURN_ADVANCED with another line; the pending line can still be read by its player"], testers: 2
    ) { t, reader, leaver in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      let turn = try t.turn()
      reader.forget()
      leaver.disconnect()
      try reader.expectNone(of: [.turnAdvanced]) { $0.advancedTurn?.line?.id != turn.lineID }
      t.readLine(turn)
      try reader.expect(.dialogLineAdded, "has the pending line") { $0.addedLine?.id == turn.lineID }
    },
    .inGame(
      "BAB/HOST/TURN/BV-12-C", ["BAB 5.4.9"],
      "GENERATE_REQUEST of the player whose turn it is brings another line in place of the pending one.",
      expects: ["TURN_ADVANCED names the same player and another line, which can be read"], needs: [.generate],
      testers: 2
    ) { t, reader, other in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      let old = try t.turn().lineID
      for client in t.clients { client.forget() }
      reader.send(.generateRequest(prompt: "something about tea"))
      try t.clients.expect(.turnAdvanced, "has another line for \(reader.name)") {
        guard let turn = $0.advancedTurn, let line = turn.line else { return false }
        return turn.player == reader.peerID && line.id != old
      }
      try t.settle()
      let new = try t.turn()
      t.readLine(new)
      try other.expect(.dialogLineAdded, "has the new line") { $0.addedLine?.id == new.lineID }
    },
  ]

  /// The end of a line.
  private static let turnHostReading: [TestPurpose] = [
    .inGame(
      "BAB/HOST/TURN/BV-13-C", ["BAB 5.4.6"], "A client's completed line is told to every client in the right order.",
      expects: ["DIALOG_LINE_ADDED, LINE_COMPLETED, TURN_ADVANCED, LEADERBOARD_UPDATE to each client"], testers: 2
    ) { t in
      try t.preamble { try t.playUntilTurn(of: t.clients[0].peerID) }
      for client in t.clients { client.forget() }
      try t.preamble { try t.playLine() }
      try toldInOrder(t, [.dialogLineAdded, .lineCompleted, .turnAdvanced, .leaderboardUpdate])
    },
    .inGame(
      "BAB/HOST/TURN/BV-14-C", ["BAB 5.4.6"],
      "The host's own completed line is told to every client in the right order.",
      expects: ["DIALOG_LINE_ADDED, LINE_COMPLETED, TURN_ADVANCED, LEADERBOARD_UPDATE to each client"], testers: 2
    ) { t in
      try t.preamble { try t.playLine() }
      try toldInOrder(t, [.dialogLineAdded, .lineCompleted, .turnAdvanced, .leaderboardUpdate])
    },
    .inGame(
      "BAB/HOST/TURN/BV-15-C", ["BAB 5.4.6"], "A skipped line is told to every client in the right order.",
      expects: ["DIALOG_LINE_ADDED, LINE_SKIPPED, TURN_ADVANCED, LEADERBOARD_UPDATE to each client"], testers: 2
    ) { t, reader in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      let turn = try t.turn()
      for client in t.clients { client.forget() }
      reader.send(.lineSkipped(lineID: turn.lineID))
      try t.settle()
      try toldInOrder(t, [.dialogLineAdded, .lineSkipped, .turnAdvanced, .leaderboardUpdate])
    },
    .inGame(
      "BAB/HOST/TURN/BV-16-C", ["BAB 5.4.6"], "The host's own skip ends its line as a client's does.",
      expects: ["DIALOG_LINE_ADDED, LINE_SKIPPED, TURN_ADVANCED, LEADERBOARD_UPDATE to each client"], testers: 2
    ) { t in
      t.iut.user(.skipLine)
      try t.settle()
      try toldInOrder(t, [.dialogLineAdded, .lineSkipped, .turnAdvanced, .leaderboardUpdate])
    },
    .inGame(
      "BAB/HOST/TURN/BV-17-C", ["BAB 5.4.6"], "The committed line has its texts and its reader's result.",
      expects: ["DIALOG_LINE_ADDED is COMMITTED, with the text that client-1 read and its result; LINE_COMPLETED too"],
      testers: 2
    ) { t, reader, other in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      let text = reader.turn?.line?.textNative ?? ""
      let turn = try t.turn()
      other.forget()
      t.readLine(turn, permille: 812, errors: 3, milliseconds: 4_321)
      func isResult(_ result: PronunciationResult?) -> Bool {
        guard let result else { return false }
        return result.accuracyPermille == 812 && result.errorCount == 3 && result.duration == 4_321 && !result.skipped
      }
      try other.expect(.dialogLineAdded, "is COMMITTED, with text and result") {
        guard let line = $0.addedLine else { return false }
        return line.id == turn.lineID && line.visibility == .committed && line.textNative == text
          && !line.textTranslated.isEmpty && line.assignedToPlayerID == reader.peerID
          && isResult(line.pronunciationResult)
      }
      try other.expect(.lineCompleted, "has the result") {
        guard case .lineCompleted(turn.lineID, let result) = $0.payload else { return false }
        return isResult(result)
      }
    },
    .inGame(
      "BAB/HOST/TURN/BV-18-C", ["BAB 5.4.13"], "LINE_COMPLETED whose result says skipped is taken as a skip.",
      expects: ["LINE_SKIPPED to every client, no LINE_COMPLETED"], testers: 2
    ) { t, reader, other in
      try t.preamble { try t.playUntilTurn(of: reader.peerID) }
      let turn = try t.turn()
      other.forget()
      let result = PronunciationResult(errorCount: 0, accuracy: 1, wordErrors: [], skipped: true, duration: 1_000)
      reader.send(
        .lineCompleted(lineID: turn.lineID, result: result), note: "\(reader.name) completes with a skipped result")
      try other.expect(.lineSkipped, "is about the line") { $0.endedLineID == turn.lineID }
      try other.expectNone(of: [.lineCompleted])
    },
    .inGame(
      "BAB/HOST/TURN/BV-19-C", ["BAB 5.4.6", "BAB 5.8.1"], "After the last line no turn is given.",
      expects: ["DIALOG_LINE_ADDED, LINE_COMPLETED, LEADERBOARD_UPDATE and no TURN_ADVANCED"], lines: 2
    ) { t, reader in
      try t.preamble { try t.playLine() }
      reader.forget()
      t.readLine(try t.turn())
      if t.ics.claims(.scoring) {
        try reader.expect(.leaderboardUpdate, "ranks the last line")
      } else {
        try reader.expect(.lineCompleted, "is about the last line")
      }
      try t.settle()
      try toldInOrder(t, [.dialogLineAdded, .lineCompleted, .leaderboardUpdate])
    },
  ]

  /// Every client has heard just these of the packets that end a line since `forget`, in this order.
  private static func toldInOrder(_ t: BabBed, _ types: [PacketType]) throws {
    for client in t.clients {
      // Who has no points ranks nobody.
      let due = types.filter { $0 != .leaderboardUpdate || t.ics.claims(.scoring) }
      let heard = client.newsTypes(ending).filter { $0 != .leaderboardUpdate || t.ics.claims(.scoring) }
      try t.require(
        "\(client.name) was sent " + due.map(\.rawValue).joined(separator: ", "),
        actual: "it was sent " + heard.map(\.rawValue).joined(separator: ", "), heard == due)
    }
  }
}
