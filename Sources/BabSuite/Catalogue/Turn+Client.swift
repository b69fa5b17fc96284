import AppSeam
import BabOracles
import BabSim
import Conformance
import Platform
import SimKernel

/// TURN, client: turns, lines and the end as the host tells them (BAB 1.3, 5.4, 5.8).
extension Catalog {
  static let turnClient = turnClientShown + turnClientHistory + turnClientEnd + soloClient

  private static let third = "peer-third"

  /// Turns and lines on the screen, and what the client's user does with them.
  private static let turnClientShown: [TestPurpose] = [
    .inToldGame(
      "BAB/CLIENT/TURN/BV-01-C", ["BAB 1.3"], "The client shows the turn that the host has told, in whatever order.",
      expects: ["the turn shown is each time the one told"]
    ) { t, host in
      for (number, player) in [t.iut.peerID, third, third, host.peerID, t.iut.peerID].enumerated() {
        host.giveTurn(host.line("line-\(number)", for: player))
        try t.expect("the turn shown is \(player)'s", actual: { t.iut.turn ?? "nobody's" }) { t.iut.turn == player }
        try t.settle()
      }
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-02-C", ["BAB 5.4.4"], "The client shows the text of its own line.",
      expects: ["the line's text is on the screen"]
    ) { t, host in
      host.giveTurn(host.line("line-1", for: t.iut.peerID, text: "Un café solo"))
      try t.expect("the text is on the screen", actual: { t.iut.screenLine?.text ?? "nothing" }) {
        t.iut.screenLine == ScreenLine(lineID: "line-1", text: "Un café solo")
      }
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-03-C", ["BAB 5.4.4"], "While another player reads, the client shows no text.",
      expects: ["after the own line's text, no text is on the screen"]
    ) { t, host in
      let own = host.line("line-1", for: t.iut.peerID, text: "Un café solo")
      let other = host.line("line-2", for: third)
      try t.preamble {
        host.giveTurn(own)
        try t.expect("the own text is on the screen") { t.iut.screenLine?.text == "Un café solo" }
      }
      host.commit(own, next: other)
      try t.expect("no text is on the screen") { t.iut.screenLine.map { $0.text == nil } ?? false }
      try t.never("a text is on the screen") { t.iut.screenLine?.text != nil }
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BI-01-C", ["BAB 5.4.4"],
      "The client does not show the text of another player's line that it was sent.",
      expects: ["the text is on no screen"]
    ) { t, host in
      let line = host.line("line-1", for: third, text: secret)
      host.send(.turnAdvanced(nextPlayerID: third, pendingLine: line), note: "host-1 sends another player's text")
      try staysSecret(t)
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BI-02-C", ["BAB 5.4.4"],
      "The client does not show the text of another player's private line in DIALOG_LINE_ADDED.",
      expects: ["the text is on no screen and in no history"]
    ) { t, host in
      host.giveTurn(host.line("line-1", for: third))
      host.send(.dialogLineAdded(host.line("line-1", for: third, text: secret)))
      try staysSecret(t)
      try t.require("the line is in no history", actual: "\(t.iut.history)", t.iut.history.isEmpty)
      host.commit(host.line("line-1", for: third, text: secret), next: host.line("line-2", for: third))
      try t.expectHistory(["line-1"], "the line is in the history when it is read")
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BI-03-C", ["BAB 5.4.4"],
      "The client does not show the text of another player's pending line in a snapshot.",
      expects: ["the text is on no screen"]
    ) { t, host in
      var state = SessionState()
      state.mode = .host
      state.localPeerID = host.peerID
      state.currentPhase = .active
      state.currentTurnPlayerID = third
      state.pendingLine = host.line("line-1", for: third, text: secret)
      host.send(.fullStateSnapshot(state))
      try staysSecret(t)
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-04-C", ["BAB 5.4.12"], "The client tells the host how its user has read the line.",
      expects: ["LINE_COMPLETED of the pending line with accuracy, errors and duration"]
    ) { t, host in
      try t.preamble { try ownTurn(t, host, "line-7") }
      t.iut.user(.completeLine(accuracyPermille: 812, errorCount: 3, durationMilliseconds: 4_321))
      try host.expect(.lineCompleted, "is about line-7, with 812 thousandths, 3 errors, 4321 ms") {
        guard case .lineCompleted("line-7", let result) = $0.payload else { return false }
        return result.accuracyPermille == 812 && result.errorCount == 3 && result.duration == 4_321 && !result.skipped
      }
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-05-C", ["BAB 5.4.12", "BAB 5.4.13"],
      "The client tells the host that its user skips the line.",
      expects: ["LINE_SKIPPED of the pending line", "LINE_COMPLETED of the pending line with a skipped result"]
    ) { t, host in
      try t.preamble { try ownTurn(t, host, "line-7") }
      t.iut.user(.skipLine)
      try t.expect("the skip of line-7 is told", cause: { host.missing(.lineSkipped) }) {
        host.news.contains {
          switch $0.packet?.payload {
          case .lineSkipped("line-7"): true
          case .lineCompleted("line-7", let result): result.skipped
          default: false
          }
        }
      }
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-06-C", ["BAB 1.3", "BAB 5.4.9"],
      "When the host replaces the line, the client reads the new one.",
      expects: ["the new text is on the screen, LINE_COMPLETED names the new line"]
    ) { t, host in
      try t.preamble { try ownTurn(t, host, "line-7") }
      host.giveTurn(host.line("line-8", for: t.iut.peerID, text: "Otra cosa"))
      try t.expect("the new text is on the screen") { t.iut.screenLine?.text == "Otra cosa" }
      t.iut.user(.completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 2_000))
      try host.expect(.lineCompleted, "names line-8") { $0.endedLineID == "line-8" }
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-07-C", ["BAB 5.4.9"], "The client asks for another line when its user wants one.",
      expects: ["GENERATE_REQUEST"], needs: [.generate]
    ) { t, host in
      try t.preamble { try ownTurn(t, host, "line-7") }
      t.iut.user(.generate(prompt: "something about tea"))
      try host.expect(.generateRequest)
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-08-C", ["BAB 1.3"],
      "A line that the client has completed is not over until the host says so.",
      expects: ["history and turn stay as they are"]
    ) { t, host in
      try t.preamble { try ownTurn(t, host, "line-7") }
      t.iut.user(.completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 2_000))
      try t.preamble { try host.expect(.lineCompleted) }
      try t.never("the line is in the history") { !t.iut.history.isEmpty }
      try t.require("the turn is still the client's", actual: t.iut.turn ?? "nobody's", t.iut.turn == t.iut.peerID)
      host.commit(host.line("line-7", for: t.iut.peerID), next: host.line("line-8", for: third))
      try t.expectHistory(["line-7"], "the line is in the history when the host has said so")
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-09-C", ["BAB 1.3"],
      "When the player whose turn it is leaves, the turn is what the host says next.",
      expects: ["the turn stays with LOBBY_UPDATE and moves with TURN_ADVANCED"]
    ) { t, host in
      try t.preamble {
        host.giveTurn(host.line("line-1", for: third))
        try t.expect("the turn shown is the third player's") { t.iut.turn == third }
      }
      host.lobby.connectedPlayers.removeAll { $0.playerID == third }
      host.tellLobby()
      try t.never("the turn moves", actual: { t.iut.turn ?? "nobody's" }) { t.iut.turn != third }
      host.giveTurn(host.line("line-2", for: host.peerID))
      try t.expect("the turn shown is the host's") { t.iut.turn == host.peerID }
    },
  ]

  /// The history (BAB 5.4.7).
  private static let turnClientHistory: [TestPurpose] = [
    .inToldGame(
      "BAB/CLIENT/TURN/BV-10-C", ["BAB 5.4.7"], "The client appends every committed line once, whoever read it.",
      expects: ["own, host's and third player's line, in this order"]
    ) { t, host in
      try commits(t, host, [("line-1", t.iut.peerID), ("line-2", host.peerID), ("line-3", third)])
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-11-C", ["BAB 5.4.7"], "The order of the history is the host's, whatever the ids are.",
      expects: ["line-9, line-2, line-5 in this order"]
    ) { t, host in
      try commits(t, host, [("line-9", third), ("line-2", host.peerID), ("line-5", third), ("line-1", third)])
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-12-C", ["BAB 5.4.7"], "A skipped line is in the history, too.",
      expects: ["the skipped line and the next one in the history"]
    ) { t, host in
      let lines = [host.line("line-1", for: third), host.line("line-2", for: host.peerID)]
      host.giveTurn(lines[0])
      host.commit(lines[0], nil, next: lines[1])
      host.commit(lines[1])
      try t.expectHistory(["line-1", "line-2"], "both lines are in the history")
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BI-04-C", ["BAB 5.4.7"], "A committed line that is told again is not appended again.",
      expects: ["one entry"]
    ) { t, host in
      let line = host.line("line-1", for: third)
      host.giveTurn(line)
      host.commit(line)
      try t.preamble { try t.expect("the line is in the history") { t.iut.history == ["line-1"] } }
      var committed = line
      committed.visibility = .committed
      committed.pronunciationResult = HostTester.perfect
      try t.ignores {
        host.send(.dialogLineAdded(committed))
        try t.never("the line is appended again", actual: { "\(t.iut.history)" }) { t.iut.history != ["line-1"] }
      }
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BI-05-C", ["BAB 5.4.7"], "A LINE_COMPLETED that comes again appends nothing.",
      expects: ["one entry"]
    ) { t, host in
      let line = host.line("line-1", for: t.iut.peerID)
      host.giveTurn(line)
      host.commit(line)
      try t.preamble { try t.expect("the line is in the history") { t.iut.history == ["line-1"] } }
      try t.ignores {
        host.send(.lineCompleted(lineID: "line-1", result: HostTester.perfect))
        try t.never("the line is appended again", actual: { "\(t.iut.history)" }) { t.iut.history != ["line-1"] }
      }
    },
  ]

  /// The end of the game (BAB 5.8).
  private static let turnClientEnd: [TestPurpose] = [
    .inToldGame(
      "BAB/CLIENT/TURN/BV-13-C", ["BAB 1.3", "BAB 5.8.1"], "The client does not end the game by itself.",
      expects: ["with the agreed number of lines committed, the phase is ACTIVE until the host says FINISHED"], lines: 1
    ) { t, host in
      let line = host.line("line-1", for: third)
      host.giveTurn(line)
      host.commit(line)
      try t.preamble { try t.expect("the line is in the history") { t.iut.history == ["line-1"] } }
      try t.never("the phase is another", actual: { t.iut.phase ?? "none" }) { t.iut.phase != "ACTIVE" }
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-14-C", ["BAB 1.3", "BAB 5.8.2"],
      "The client shows that the game is over when the host says so.",
      expects: ["phase FINISHED, nobody's turn"]
    ) { t, host in
      try t.preamble { try ownTurn(t, host, "line-1") }
      host.finish(summary: .told(host.peerID, t.iut.peerID))
      try t.expect("the phase is FINISHED", actual: { t.iut.phase ?? "none" }) { t.iut.phase == "FINISHED" }
      try t.require("it is nobody's turn", actual: t.iut.turn ?? "", t.iut.turn == nil)
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-15-C", ["BAB 5.8.3"],
      "A client that loses its link after the end does not look for the host.",
      expects: ["no connection within 10 s although the host advertises, and the end of the session shown"]
    ) { t, host in
      try t.preamble {
        host.finish(summary: .told(host.peerID, t.iut.peerID))
        try t.expect("the phase is FINISHED") { t.iut.phase == "FINISHED" }
        host.disconnect()
        try host.expectDisconnected()
      }
      let links = host.links.count
      host.host()
      try t.expect("the end of the session is shown") { t.iut.ending != nil }
      try t.never("the client connects again", for: .seconds(10)) { host.links.count > links }
      try t.require("the client does not scan", actual: "it does", !t.iut.isScanning)
    },
    .inToldGame(
      "BAB/CLIENT/TURN/BV-16-C", ["BAB 5.8.3"], "A client whose host vanishes after the end does not look for it.",
      expects: ["no scan and no connection within 40 s, and the end of the session shown"]
    ) { t, host in
      try t.preamble {
        host.finish(summary: .told(host.peerID, t.iut.peerID))
        try t.expect("the phase is FINISHED") { t.iut.phase == "FINISHED" }
      }
      host.suffers(.vanish, "vanishes")
      try t.never("the client scans or connects", for: .seconds(40)) {
        t.iut.isScanning
          || t.iut.effects.last.map { if case .connect = $0.effect { true } else { false } } ?? false
      }
      try t.require("the end of the session is shown", actual: "it is not", t.iut.ending != nil)
    },
  ]

  private static let secret = "Nadie lo sabe"

  private static func staysSecret(_ t: BabBed) throws {
    t.iut.seeks("screen")
    try t.never("the text is on the screen") {
      t.iut.babReports.contains { if case .screen(let line) = $0.report { line.text == secret } else { false } }
    }
  }

  private static func ownTurn(_ t: BabBed, _ host: HostTester, _ id: String) throws {
    host.giveTurn(host.line(id, for: t.iut.peerID))
    try t.expect("the turn shown is the client's") { t.iut.turn == t.iut.peerID }
    host.forget()
  }

  /// Tells these lines, one after the other, and compares the history.
  private static func commits(_ t: BabBed, _ host: HostTester, _ told: [(id: String, player: String)]) throws {
    let lines = told.map { host.line($0.id, for: $0.player, text: "Texto de " + $0.id) }
    host.giveTurn(lines[0])
    for index in lines.indices { host.commit(lines[index], next: index + 1 < lines.count ? lines[index + 1] : nil) }
    let ids = told.map(\.id)
    try t.expectHistory(ids, "the history is " + ids.joined(separator: ", "))
    try t.never("a line is appended once more", actual: { "\(t.iut.history)" }) { t.iut.history != ids }
  }
}

extension TestPurpose {
  /// A purpose for a client whose procedure begins in a game of a host, the client and a third player who is only a
  /// name, started with roles where the client claims them. No turn has been given.
  static func inToldGame(
    _ id: String, _ clauses: [String], _ purpose: String, expects expectedOutcomes: [String],
    needs: [ICS.Item] = [], lines: Int = 12, procedure: @escaping @Sendable (BabBed, HostTester) throws -> Void
  ) -> TestPurpose {
    TestPurpose(
      id, clauses, purpose,
      initial: "A game is on with the host, the client and a third player; no turn has been given.",
      expects: expectedOutcomes, needs: [.turns, .screen] + needs,
      arrange: { $0.playGame(lines: lines, roles: 3) },
      procedure: { t in
        let host = t.hosts[0]
        try t.preamble { try host.startGame(with: ["peer-third"]) }
        host.forget()
        try procedure(t, host)
      })
  }
}

extension SessionSummary {
  /// Some summary of two players; the second has more points.
  static func told(_ host: String, _ client: String) -> SessionSummary {
    SessionSummary(
      scenarioName: BabBed.ensemble, durationMilliseconds: 61_234, totalLines: 7,
      playerRankings: [
        Ranking(rank: 1, playerID: client, displayName: client, score: 123, highlight: "2 perfect"),
        Ranking(rank: 2, playerID: host, displayName: host, score: 45),
      ],
      xpEarned: [host: 45, client: 123],
      achievementsUnlocked: [Achievement(id: "first_multiplayer", name: "First", description: "", unlockedAt: 1)],
      overallAccuracy: 0.877)
  }
}
