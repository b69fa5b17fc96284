import AppSeam
import BabSim
import Conformance
import SimKernel

/// SCORE, host: points, ranking, summary and achievements (BAB 6, 9).
extension Catalog {
  static let scoreHost = scoreHostPoints + scoreHostRanking + scoreHostWords + scoreHostSummary + scoreHostAwards

  /// The dialects that count by the formula of `guide`.
  private static let guides: [DialectName] = [.guide, .app]

  /// What lines earn (BAB 6.1 to 6.5).
  private static let scoreHostPoints: [TestPurpose] = [
    .inGame(
      "BAB/HOST/SCORE/BV-01-C", ["BAB 6.10", "BAB 6.1"], "700, no streak, together, first time: 54 points.",
      expects: ["LEADERBOARD_UPDATE gives the host 54"], needs: [.scoring], dialects: guides
    ) { t in
      try t.preamble { try t.playLine(permille: 700) }
      try earned(t, t.iut.peerID, 54)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-02-C", ["BAB 6.10", "BAB 6.1"], "850, no streak, together: 32 points.",
      expects: ["LEADERBOARD_UPDATE gives the host 32 more for its second line"], needs: [.scoring], dialects: guides
    ) { t in
      let before = try t.preamble { try pointsAfterHostLines(t, [700]) }
      try t.preamble { try t.playLine(permille: 850) }
      try earned(t, t.iut.peerID, before + 32)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-03-C", ["BAB 6.10", "BAB 6.1"], "Perfect, in a streak, alone: 35 points.",
      expects: ["once the client is back and the host has read on, the ranking has the 35 of the line read alone"],
      needs: [.scoring, .reconnect], dialects: guides
    ) { t in try aloneEarns(t, alone: 35, together: 40) },
    .inGame(
      "BAB/HOST/SCORE/BV-04-C", ["BAB 6.2"], "A line read alone earns nothing for company.",
      expects: ["once the client is back and the host has read on, the ranking has the points of the line read alone"],
      needs: [.scoring, .reconnect], dialects: [.sdk]
    ) { t in try aloneEarns(t, alone: 22, together: 29) },
    .inGame(
      "BAB/HOST/SCORE/BV-05-C", ["BAB 6.1"],
      "The 25 points of the first line come once for each player, and only for a completed line.",
      expects: ["10 + 20 + 5 + 25 for the first completed line of host and client, without 25 for the second"],
      needs: [.scoring], dialects: guides
    ) { t in
      let (host, client) = (t.iut.peerID, t.clients[0].peerID)
      try t.preamble { try t.playLine(permille: 850) }
      try earned(t, host, 57)
      try t.preamble { try t.skipLine() }
      try earned(t, client, 0)
      try t.preamble { try t.playLine(permille: 850) }
      try earned(t, host, 57 + 32)
      try t.preamble { try t.playLine(permille: 850) }
      try earned(t, client, 57)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-06-C", ["BAB 6.1", "BAB 5.5.8"], "The first line in another scenario earns 25 points again.",
      expects: ["after a change of scenario the host's next line earns 57, the one after it 32"],
      needs: [.scoring, .votes], dialects: guides
    ) { t in
      try t.preamble {
        try t.playLine(permille: 850)
        try t.playLine(permille: 850)
        t.iut.user(.proposeVote("CHANGE_SCENE"))
        try t.settle()
        t.clients[0].send(.voteCast(voterID: t.clients[0].peerID, vote: true))
        try t.clients[0].expect(.navigationSync, "ends the vote")
        try t.settle()
      }
      try t.preamble { try t.playLine(permille: 850) }
      try earned(t, t.iut.peerID, 57 + 57)
      try t.preamble {
        try t.playLine(permille: 850)
        try t.playLine(permille: 850)
      }
      try earned(t, t.iut.peerID, 57 + 57 + 32)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-07-C", ["BAB 6.3", "BAB 6.1"],
      "A streak goes on from the second line of 900 or more, ends below 900, and earns 5.",
      expects: ["900: 58, 950: 39, 899: 32, 900: 33, 1000: 40"], needs: [.scoring], dialects: guides
    ) { t in try hostEarns(t, [(900, 58), (950, 39), (899, 32), (900, 33), (1_000, 40)]) },
    .inGame(
      "BAB/HOST/SCORE/BV-08-C", ["BAB 6.3", "BAB 6.2"],
      "A streak earns two points for each of its lines, and ends below 900.",
      expects: ["900: 24, 950: 26, 1000: 29, 899: 29, 900: 24"], needs: [.scoring], dialects: [.sdk]
    ) { t in try hostEarns(t, [(900, 24), (950, 26), (1_000, 29), (899, 29), (900, 24)]) },
    .inGame(
      "BAB/HOST/SCORE/BV-09-C", ["BAB 6.2"], "A streak earns 20 points at most.",
      expects: ["twelve perfect lines earn 25, 27, 29 … 45, 45"], needs: [.scoring], dialects: [.sdk], lines: 0
    ) { t in try hostEarns(t, (0..<12).map { (1_000, 25 + min(2 * $0, 20)) }) },
    .inGame(
      "BAB/HOST/SCORE/BV-10-C", ["BAB 6.1", "BAB 6.2"], "Points for accuracy are rounded down.",
      expects: ["899 earns 17 (`guide`) or 8 (`sdk`) for accuracy"], needs: [.scoring]
    ) { t in
      let earns = t.dialect.scoring == .guide ? 10 + 17 + 5 + 25 : 10 + 8 + 5
      try hostEarns(t, [(899, earns)])
    },
    .inGame(
      "BAB/HOST/SCORE/BV-11-C", ["BAB 6.3"], "Accuracy is rounded half up to thousandths before it counts.",
      expects: ["0.8996 counts as 900 and lets a streak begin; 0.8994 counts as 899 and does not"], needs: [.scoring],
      testers: 2
    ) { t, first, second in
      for (client, accuracy) in [(first, Float(0.8996)), (second, Float(0.8994))] {
        try t.preamble { try t.playUntilTurn(of: client.peerID) }
        let turn = try t.turn()
        client.complete(turn.lineID, accuracy: accuracy)
        try t.preamble { try t.settle() }
      }
      let isGuide = t.dialect.scoring == .guide
      let (high, low) = isGuide ? (58, 57) : (24, 23)
      try earned(t, first.peerID, high)
      try earned(t, second.peerID, low)
      try t.preamble { for _ in 0..<3 { try t.playLine() } }
      try earned(t, first.peerID, high + (isGuide ? 40 : 27))
      try earned(t, second.peerID, low + (isGuide ? 35 : 25))
    },
    .inGame(
      "BAB/HOST/SCORE/BV-12-C", ["BAB 6.4"], "A skipped line earns nothing.",
      expects: ["the host's points are the same after its skip"], needs: [.scoring]
    ) { t in
      let before = try t.preamble { try pointsAfterHostLines(t, [1_000]) }
      try t.preamble { try t.skipLine() }
      try earned(t, t.iut.peerID, before)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-13-C", ["BAB 6.4", "BAB 6.3"], "A skipped line ends the streak.",
      expects: ["the line after the skip earns nothing for a streak"], needs: [.scoring]
    ) { t in
      let before = try t.preamble {
        _ = try pointsAfterHostLines(t, [1_000])
        try t.playLine()
        try t.playLine()
        try t.skipLine()
        try t.playLine()
        return t.clients[0].points(of: t.iut.peerID) ?? 0
      }
      try t.preamble { try t.playLine() }
      try earned(t, t.iut.peerID, before + (t.dialect.scoring == .guide ? 35 : 25))
    },
    .inGame(
      "BAB/HOST/SCORE/BV-14-C", ["BAB 6.4", "BAB 5.4.13"], "A completion whose result says skipped earns nothing.",
      expects: ["the client has no points"], needs: [.scoring]
    ) { t, client in
      try t.preamble { try t.playUntilTurn(of: client.peerID) }
      let turn = try t.turn()
      client.forget()
      let result = PronunciationResult(errorCount: 0, accuracy: 1, wordErrors: [], skipped: true, duration: 1_000)
      client.send(
        .lineCompleted(lineID: turn.lineID, result: result), note: "\(client.name) completes with a skipped result")
      try t.preamble { try t.settle() }
      try earned(t, client.peerID, 0)
    },
  ]

  /// The newest ranking gives a player so many points.
  static func earned(_ t: BabBed, _ player: String, _ points: Int) throws {
    guard let witness = t.seated.first else { throw t.inconclusive("nobody is there to be told the ranking") }
    try witness.needRanking(of: player)
    let told = witness.points(of: player)
    // Each dialect has a formula of its own.
    let clause = t.purpose.clauses.first == "BAB 6.1" && t.dialect.scoring == .sdk ? "BAB 6.2" : nil
    try t.require(
      "\(player) has \(points) points", clause: clause, actual: told.map { "\($0)" } ?? "none", told == points)
  }

  /// The host reads lines of these accuracies, the client perfect ones between; each must earn the host so much.
  private static func hostEarns(_ t: BabBed, _ lines: [(permille: Int, points: Int)]) throws {
    var total = 0
    for line in lines {
      try t.preamble {
        try t.playUntilTurn(of: t.iut.peerID)
        try t.playLine(permille: line.permille)
      }
      total += line.points
      try earned(t, t.iut.peerID, total)
    }
  }

  /// The host's points after its lines of these accuracies, with its next turn begun.
  private static func pointsAfterHostLines(_ t: BabBed, _ accuracies: [Int]) throws -> Int {
    for accuracy in accuracies {
      try t.playUntilTurn(of: t.iut.peerID)
      try t.playLine(permille: accuracy)
    }
    try t.playUntilTurn(of: t.iut.peerID)
    return t.clients[0].points(of: t.iut.peerID) ?? 0
  }

  /// A perfect line in a streak of one, read while no client is there, and the next one read together again.
  private static func aloneEarns(_ t: BabBed, alone: Int, together: Int) throws {
    let client = t.clients[0]
    let before = try t.preamble {
      try t.playLine()
      let before = client.points(of: t.iut.peerID) ?? 0
      client.disconnect()
      try client.expectDisconnected()
      try t.pause(.seconds(1))
      t.iut.user(.completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 2_000))
      try t.pause(.seconds(1))
      try client.join()
      try t.settle()
      return before
    }
    client.forget()
    t.iut.user(.completeLine(accuracyPermille: 1_000, errorCount: 0, durationMilliseconds: 2_000))
    try client.expect(.leaderboardUpdate, "ranks the host's next line")
    try earned(t, t.iut.peerID, before + alone + together)
  }
}
