import AppSeam
import BabSim
import Conformance
import SimKernel

/// SCORE, host: achievements (BAB 9.3 to 9.10).
extension Catalog {
  static let scoreHostAwards: [TestPurpose] = [
    awards(
      "BAB/HOST/SCORE/BV-36-C", ["BAB 9.4", "BAB 9.3"], "Two players who end a game have `first_multiplayer`.",
      [.read(900), .read(900)], has: ["first_multiplayer"]),
    .inGame(
      "BAB/HOST/SCORE/BV-37-C", ["BAB 9.4"], "A player who is alone at the end has no `first_multiplayer`.",
      expects: ["the summary that the host shows does not have it"], needs: [.achievements, .summary, .screen]
    ) { t in
      try t.preamble {
        try t.playLine()
        t.clients[0].disconnect()
        try t.clients[0].expectDisconnected()
        try t.pause(.seconds(1))
        t.iut.user(.endGame)
        try t.expect("the host shows the summary") { t.iut.summary != nil }
      }
      let shown = t.iut.summary?.achievements ?? []
      try t.require(
        "first_multiplayer is not there", actual: ShownText.list(shown), !shown.contains("first_multiplayer"))
    },
    awards(
      "BAB/HOST/SCORE/BV-38-C", ["BAB 9.5"], "Two perfect lines that follow each other bring `perfect_pair`.",
      [.read(900), .read(1_000), .read(1_000)], has: ["perfect_pair"]),
    awards(
      "BAB/HOST/SCORE/BV-39-C", ["BAB 9.5"], "Perfect lines with another between them bring no `perfect_pair`.",
      [.read(1_000), .read(999), .read(1_000)], hasNot: ["perfect_pair"]),
    .inGame(
      "BAB/HOST/SCORE/BV-40-C", ["BAB 9.5"], "Only the readers of the two lines have `perfect_pair`.",
      expects: ["the host shows it for itself and client-1, not for client-2"],
      needs: [.achievements, .screen], testers: 2, lines: 3
    ) { t in
      try t.preamble {
        try t.playLine()
        try t.playLine()
        try t.playLine(permille: 900)
        try t.expect("the host shows achievements") { !shown(t, nil).isEmpty }
      }
      let readers = shown(t, "perfect_pair")
      try t.require(
        "perfect_pair is the host's and client-1's", actual: ShownText.list(readers),
        readers.count == 2 && readers.contains(t.iut.peerID) && readers.contains(t.clients[0].peerID))
    },
    awards(
      "BAB/HOST/SCORE/BV-41-C", ["BAB 9.6"], "Fifty committed lines bring `chatterbox`.",
      Array(repeating: .read(900), count: 50), has: ["chatterbox"]),
    awards(
      "BAB/HOST/SCORE/BV-42-C", ["BAB 9.6"], "Forty-nine committed lines bring no `chatterbox`.",
      Array(repeating: .read(900), count: 49), hasNot: ["chatterbox"]),
    TestPurpose(
      "BAB/HOST/SCORE/BV-43-C", ["BAB 9.7"], "The fifth session of a client with the host brings `language_partner`.",
      initial: "The app has been launched; the client was never there.",
      expects: ["the summary of the fifth session has it, that of the fourth has not"],
      needs: [.roles, .turns, .summary, .achievements], arrange: { $0.playGame(lines: 1) }
    ) { t in
      for session in 1...5 {
        try t.preamble {
          try t.startGame()
          try t.playLine()
        }
        let unlocked = try summary(t).achievementsUnlocked.map(\.id)
        if session >= 4 {
          try t.require(
            "session \(session) \(session == 5 ? "has" : "has no") language_partner", actual: ShownText.list(unlocked),
            unlocked.contains("language_partner") == (session == 5))
        }
        try t.preamble {
          try t.hostLeaves()
          try t.pause(.seconds(1))
        }
      }
    },
    awards(
      "BAB/HOST/SCORE/BV-44-C", ["BAB 9.8"], "A game of completed lines without an error brings `flawless_scene`.",
      [.read(1_000), .read(1_000), .read(1_000)], has: ["flawless_scene"]),
    awards(
      "BAB/HOST/SCORE/BV-45-C", ["BAB 9.8"], "One error, and there is no `flawless_scene`.",
      [.read(1_000), .readWithErrors(1), .read(1_000)], hasNot: ["flawless_scene"]),
    awards(
      "BAB/HOST/SCORE/BV-46-C", ["BAB 9.8", "BAB 6.4"], "One skipped line, and there is no `flawless_scene`.",
      [.read(1_000), .skip, .read(1_000)], hasNot: ["flawless_scene"]),
    awards(
      "BAB/HOST/SCORE/BV-47-C", ["BAB 9.9"], "Ten perfect lines of one player in a row bring `streak_master`.",
      Array(repeating: [.read(1_000), .read(900)], count: 10).flatMap { $0 }, has: ["streak_master"]),
    awards(
      "BAB/HOST/SCORE/BV-48-C", ["BAB 9.9", "BAB 6.5"],
      "Ten lines with one of 999 among them bring no `streak_master`.",
      (0..<10).flatMap { [.read($0 == 5 ? 999 : 1_000), .read(900)] }, hasNot: ["streak_master"]),
    awards(
      "BAB/HOST/SCORE/BV-49-C", ["BAB 9.10"], "Lines of less than 3 000 ms on average bring `speed_reader`.",
      [.readIn(4_998), .readIn(9_000), .readIn(1_000)], has: ["speed_reader"]),
    awards(
      "BAB/HOST/SCORE/BV-50-C", ["BAB 9.10"], "Lines of 3 000 ms on average bring no `speed_reader`.",
      [.readIn(5_000), .readIn(3_000), .readIn(1_000)], hasNot: ["speed_reader"]),
    awards(
      "BAB/HOST/SCORE/BV-51-C", ["BAB 9.3"], "Achievements are in the order of the list.",
      [.read(1_000), .read(1_000)],
      has: ["first_multiplayer", "perfect_pair", "flawless_scene", "speed_reader"]),
    .inGame(
      "BAB/HOST/SCORE/BV-52-C", ["BAB 9.3"], "A player who has left has no achievement.",
      expects: ["the host shows achievements for the host and client-2 only"], needs: [.achievements, .screen],
      testers: 2
    ) { t in
      try t.preamble {
        for _ in 0..<3 { try t.playLine() }
        t.clients[0].disconnect()
        try t.clients[0].expectDisconnected()
        try t.settle()
        t.iut.user(.endGame)
        try t.expect("the host shows achievements") { !shown(t, nil).isEmpty }
      }
      let players = shown(t, nil)
      try t.require(
        "client-1 has none", actual: ShownText.list(players), !players.contains(t.clients[0].peerID))
    },
  ]

  /// One line of a game, as its player reads it.
  private enum Reading {
    case read(Int)
    case readWithErrors(Int)
    case readIn(Int)
    case skip
  }

  /// A game of the host and a client with just these lines, whose summary has these achievements, or has not.
  private static func awards(
    _ id: String, _ clauses: [String], _ purpose: String, _ lines: [Reading], has: [String] = [],
    hasNot: [String] = []
  ) -> TestPurpose {
    let expected = has.map { "achievementsUnlocked has \($0)" } + hasNot.map { "achievementsUnlocked has no \($0)" }
    return .inGame(
      id, clauses, purpose, expects: [expected.joined(separator: ", ")], needs: [.summary, .achievements],
      lines: lines.count
    ) { t in
      try t.preamble { for line in lines { try read(line, t) } }
      let unlocked = try summary(t).achievementsUnlocked.map(\.id)
      for name in has { try t.require("\(name) is there", actual: ShownText.list(unlocked), unlocked.contains(name)) }
      for name in hasNot {
        try t.require("\(name) is not there", actual: ShownText.list(unlocked), !unlocked.contains(name))
      }
      if has.count > 1 {
        let places = has.compactMap { unlocked.firstIndex(of: $0) }
        try t.require(
          "they are in the order of BAB 9.4 to 9.10", actual: ShownText.list(unlocked), places == places.sorted())
      }
    }
  }

  /// Without waiting for more than the next turn: some games are long.
  private static func read(_ line: Reading, _ t: BabBed) throws {
    let turn = try t.turn()
    switch line {
    case .read(let permille): t.readLine(turn, permille: permille)
    case .readWithErrors(let errors): t.readLine(turn, permille: 900, errors: errors)
    case .readIn(let milliseconds): t.readLine(turn, permille: 900, milliseconds: milliseconds)
    case .skip:
      if let client = t.client(turn.player) {
        client.send(.lineSkipped(lineID: turn.lineID))
      } else {
        t.iut.user(.skipLine)
      }
    }
    try t.expectTold("\(turn.lineID) of \(turn.player) is over", by: [.turnAdvanced, .fullStateSnapshot]) {
      t.clients[0].finalState != nil || t.clients[0].turn?.line?.id != turn.lineID
    }
  }

  /// The players for whom the host shows an achievement; nil: any.
  private static func shown(_ t: BabBed, _ id: String?) -> [String] {
    t.iut.seeks("achievement")
    var players: [String] = []
    for entry in t.iut.babReports {
      if case .achievement(let player, let name) = entry.report, id == nil || name == id, !players.contains(player) {
        players.append(player)
      }
    }
    return players
  }
}
