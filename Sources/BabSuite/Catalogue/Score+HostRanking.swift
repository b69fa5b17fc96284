import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// SCORE, host: the ranking and its highlights (BAB 6.7 to 6.9).
extension Catalog {
  static let scoreHostRanking: [TestPurpose] = [
    .inGame(
      "BAB/HOST/SCORE/BV-15-C", ["BAB 6.7"],
      "The ranking lists the players by points, highest first, with ranks 1, 2, 3.",
      expects: ["client-2, host, client-1 with ranks 1, 2, 3"], needs: [.scoring], testers: 2
    ) { t in
      try t.preamble {
        try t.playLine(permille: 600)
        try t.playLine(permille: 300)
        try t.playLine(permille: 800)
      }
      try ranked(t, [t.clients[1].peerID, t.iut.peerID, t.clients[0].peerID])
    },
    TestPurpose(
      "BAB/HOST/SCORE/BV-16-C", ["BAB 6.7"],
      "Players with the same points are ranked in roster order, with ranks of their own.",
      initial: "A game with the host, client-2 and client-1, who joined in this order; nobody has read a line.",
      expects: ["after a skip by the host: host, client-2, client-1 with ranks 1, 2, 3"],
      needs: [.roles, .turns, .scoring], testers: 2, arrange: { $0.playGame() }
    ) { t in
      try t.preamble {
        t.iut.user(.startHosting)
        t.iut.user(.setLobbyScenario(t.scenarioID))
        try t.clients[1].join()
        try t.clients[0].join()
        try t.settle()
        try t.getReady()
        t.iut.user(t.start)
        try t.expectTold("a turn is announced to every client", by: [.turnAdvanced]) {
          t.seated.allSatisfy { $0.turn?.line != nil }
        }
        try t.settle()
        try t.skipLine()
      }
      try ranked(t, [t.iut.peerID, t.clients[1].peerID, t.clients[0].peerID])
      try t.preamble {
        try t.playLine(permille: 800)
        try t.playLine(permille: 800)
      }
      try ranked(t, [t.clients[1].peerID, t.clients[0].peerID, t.iut.peerID])
    },
    .inGame(
      "BAB/HOST/SCORE/BV-17-C", ["BAB 6.8"], "The ranking is sent to every client after every line, skipped ones too.",
      expects: ["a LEADERBOARD_UPDATE to each client for each of four lines"], needs: [.scoring], testers: 2
    ) { t in
      for number in 0..<4 {
        for client in t.clients { client.forget() }
        try t.preamble { _ = number % 2 == 0 ? try t.playLine() : try t.skipLine() }
        for client in t.clients {
          let count = client.news(.leaderboardUpdate).count
          let what = "\(client.name) is sent the ranking after line \(number + 1)"
          if count >= 1 {
            t.passed(what)
          } else {
            throw t.failed(what, "not", record: nil, clause: nil, cause: client.missingAtAll(.leaderboardUpdate))
          }
        }
      }
    },
    .inGame(
      "BAB/HOST/SCORE/BV-18-C", ["BAB 6.9", "BAB 6.5"], "The highlight counts perfect lines, from the first one.",
      expects: ["null, `1 perfect`, `1 perfect` after 999, `2 perfect`"], needs: [.scoring]
    ) { t in
      for (accuracy, highlight) in [(850, nil), (1_000, "1 perfect"), (999, "1 perfect"), (1_000, "2 perfect")] {
        try t.preamble {
          try t.playUntilTurn(of: t.iut.peerID)
          try t.playLine(permille: accuracy)
        }
        try highlighted(t, highlight)
      }
    },
    .inGame(
      "BAB/HOST/SCORE/BV-19-C", ["BAB 6.9", "BAB 6.3"], "The highlight is the streak from five lines on.",
      expects: [
        "`1 perfect` at a streak of 4, `On fire! 5 streak`, `On fire! 6 streak`, `1 perfect` when it has ended"
      ],
      needs: [.scoring], lines: 0
    ) { t in
      let lines = [
        (1_000, "1 perfect"), (900, "1 perfect"), (900, "1 perfect"), (900, "1 perfect"), (900, "On fire! 5 streak"),
        (950, "On fire! 6 streak"), (500, "1 perfect"),
      ]
      for (accuracy, highlight) in lines {
        try t.preamble {
          try t.playUntilTurn(of: t.iut.peerID)
          try t.playLine(permille: accuracy)
        }
        try highlighted(t, highlight)
      }
    },
    .inGame(
      "BAB/HOST/SCORE/BV-20-C", ["BAB 6.7", "BAB 1.3"], "The host shows the ranking that it tells.",
      expects: ["the same players, points and ranks on the screen as in LEADERBOARD_UPDATE"],
      needs: [.scoring, .screen]
    ) { t in
      try t.preamble {
        try t.playLine(permille: 600)
        try t.playLine(permille: 1_000)
        try t.playLine(permille: 900)
      }
      let told = t.clients[0].ranking?.map { "\($0.rank) \($0.playerID) \($0.score)" } ?? []
      try t.clients[0].need(.leaderboardUpdate)
      let shown = t.iut.leaderboard?.map { "\($0.rank) \($0.player) \($0.score)" } ?? []
      try t.require(
        "the host shows \(ShownText.list(told))", actual: ShownText.list(shown), !told.isEmpty && shown == told)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-21-C", ["BAB 6.3", "BAB 1.3"], "The host shows the points that it counts.",
      expects: ["the points shown after each line are those of the ranking"], needs: [.scoring, .screen], lines: 0
    ) { t in
      for _ in 0..<4 {
        try t.preamble {
          try t.playUntilTurn(of: t.iut.peerID)
          try t.playLine()
        }
        try t.clients[0].needRanking(of: t.iut.peerID)
        let told = t.clients[0].points(of: t.iut.peerID)
        let shown = t.iut.last("score") { report -> Int? in
          if case .score(t.iut.peerID, let points) = report { points } else { nil }
        }
        try t.require(
          "the host shows \(told ?? 0) points", actual: shown.map { "\($0)" } ?? "none", shown == nil || shown == told)
      }
    },
    .inGame(
      "BAB/HOST/SCORE/BV-22-C", ["BAB 6.7"], "A player who has left is not in the ranking.",
      expects: ["LEADERBOARD_UPDATE lists the roster and nobody else"], needs: [.scoring], testers: 2
    ) { t in
      try t.preamble {
        for _ in 0..<3 { try t.playLine() }
        t.clients[0].disconnect()
        try t.clients[0].expectDisconnected()
        try t.settle()
        try t.playLine(permille: 500)
      }
      try t.clients[1].need(.leaderboardUpdate)
      let listed = t.clients[1].ranking?.map(\.playerID) ?? []
      try t.require(
        "the ranking lists the host and client-2 only", actual: ShownText.list(listed),
        listed.count == 2 && listed.contains(t.iut.peerID) && listed.contains(t.clients[1].peerID))
    },
  ]

  private static func ranked(_ t: BabBed, _ players: [String]) throws {
    for client in t.clients {
      for player in players { try client.needRanking(of: player) }
      let ranking = client.ranking ?? []
      try t.require(
        "\(client.name) is told the order " + players.joined(separator: ", "),
        actual: ranking.map(\.playerID).joined(separator: ", "), ranking.map(\.playerID) == players)
      try t.require(
        "\(client.name) is told the ranks 1 to \(players.count)", actual: "\(ranking.map(\.rank))",
        ranking.map { Int($0.rank) } == Array(1...players.count))
    }
  }

  private static func highlighted(_ t: BabBed, _ highlight: String?) throws {
    try t.clients[0].needRanking(of: t.iut.peerID)
    let told = t.clients[0].ranking?.first { $0.playerID == t.iut.peerID }
    try t.require(
      "the host's highlight is \(highlight.map { "\"\($0)\"" } ?? "null")", actual: told?.highlight ?? "null",
      told != nil && told?.highlight == highlight)
  }
}
