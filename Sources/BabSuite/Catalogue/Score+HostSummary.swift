import AppSeam
import BabOracles
import BabSim
import Conformance
import SimKernel

/// SCORE, host: the summary of a game (BAB 6.6, 9.1, 9.2).
extension Catalog {
  static let scoreHostSummary: [TestPurpose] = [
    .inGame(
      "BAB/HOST/SCORE/BV-28-C", ["BAB 9.1"], "The summary names the scenario and counts the lines, skipped ones too.",
      expects: ["scenarioName is that of the scenario, totalLines is 3"], needs: [.summary], lines: 3
    ) { t in
      try t.preamble {
        try t.playLine()
        try t.skipLine()
        try t.playLine()
      }
      let summary = try summary(t)
      // What an app calls a scenario of its own is not known here.
      let isOwn = t.ics.claims(.ownScenarios)
      try t.require(
        "the scenario's name is \(isOwn ? "there" : BabBed.ensemble)", actual: summary.scenarioName,
        isOwn ? !summary.scenarioName.isEmpty : summary.scenarioName == BabBed.ensemble)
      try t.require("the lines are 3", actual: "\(summary.totalLines)", summary.totalLines == 3)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-29-C", ["BAB 9.1"], "The summary has the time from the start to the end.",
      expects: ["durationMs is the time between the two, within 100 ms"], needs: [.summary]
    ) { t in
      let start = t.iut.inputs.last { $0.input == .user(AppAction(t.start)) }?.instant ?? t.now
      try t.preamble {
        try t.playLine()
        try t.pause(.milliseconds(7_350))
      }
      let took = (t.now - start).nanoseconds / 1_000_000
      t.iut.user(.endGame)
      let told = try summary(t).durationMilliseconds
      try t.require("the time is \(took) ms", actual: "\(told) ms", abs(told - took) <= 100)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-30-C", ["BAB 9.1"], "The summary has the ranking and the points of every player.",
      expects: ["the same players, ranks and points as in the last LEADERBOARD_UPDATE, also in xpEarned"],
      needs: [.summary, .scoring], testers: 2, lines: 4
    ) { t in
      try t.preamble {
        try t.playLine(permille: 600)
        try t.playLine(permille: 1_000)
        try t.skipLine()
        try t.playLine(permille: 900)
      }
      let summary = try summary(t)
      try t.clients[0].need(.leaderboardUpdate)
      let ranking = t.clients[0].ranking ?? []
      try t.require(
        "the ranking is the last one", actual: "\(summary.playerRankings.map { "\($0.playerID) \($0.score)" })",
        summary.playerRankings.map(\.playerID) == ranking.map(\.playerID)
          && summary.playerRankings.map(\.score) == ranking.map(\.score)
          && summary.playerRankings.map(\.rank) == ranking.map(\.rank))
      for entry in ranking {
        let points = summary.xpEarned[entry.playerID]
        try t.require(
          "\(entry.playerID) has earned \(entry.score)", actual: points.map { "\($0)" } ?? "nothing is said",
          points == entry.score)
      }
    },
    .inGame(
      "BAB/HOST/SCORE/BV-31-C", ["BAB 6.6", "BAB 9.1"],
      "The mean accuracy is that of all completed lines, rounded half up.",
      expects: ["901 for lines of 900 and 901"], needs: [.summary, .scoring], lines: 2
    ) { t in
      try t.preamble {
        try t.playLine(permille: 900)
        try t.playLine(permille: 901)
      }
      try accuracy(t, 901)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-32-C", ["BAB 6.4", "BAB 6.6"], "A skipped line counts in no mean.",
      expects: ["800 for lines of 700 and 900 and a skipped one"], needs: [.summary, .scoring], lines: 3
    ) { t in
      try t.preamble {
        try t.playLine(permille: 700)
        try t.skipLine()
        try t.playLine(permille: 900)
      }
      try accuracy(t, 800)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-33-C", ["BAB 6.6"], "Without a completed line the mean accuracy is 0.",
      expects: ["0 for two skipped lines"], needs: [.summary, .scoring], lines: 2
    ) { t in
      try t.preamble { for _ in 0..<2 { try t.skipLine() } }
      try accuracy(t, 0)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-34-C", ["BAB 9.1"], "The mean accuracy is that of the players who are there.",
      expects: ["the lines of client-1, who has left, do not count"], needs: [.summary, .scoring], testers: 2
    ) { t, leaver, witness in
      try t.preamble {
        try t.playLine(permille: 1_000)
        try t.playLine(permille: 500)
        leaver.disconnect()
        try leaver.expectDisconnected()
        try t.settle()
        try t.playLine(permille: 900)
      }
      t.iut.user(.endGame)
      try t.expect("\(witness.name) is told the end", cause: { witness.missing(.fullStateSnapshot) }) {
        witness.finalState?.sessionSummary != nil
      }
      let told = Accuracy.permille(witness.finalState?.sessionSummary?.overallAccuracy ?? 0)
      try t.require("the mean accuracy is 950 thousandths", actual: "\(told)", told == 950)
    },
    .inGame(
      "BAB/HOST/SCORE/BV-35-C", ["BAB 9.2"], "The summary lists no vocabulary.",
      expects: ["vocabularyLearned is empty"], needs: [.summary], lines: 2
    ) { t in
      try t.preamble { for _ in 0..<2 { try t.playLine() } }
      let summary = try summary(t)
      try t.require(
        "vocabularyLearned is empty", actual: "\(summary.vocabularyLearned.count) entries",
        summary.vocabularyLearned.isEmpty)
    },
  ]

  /// The summary as the first client was told it.
  static func summary(_ t: BabBed) throws -> SessionSummary {
    let client = t.clients[0]
    try t.expect(
      "\(client.name) is told the end, with the summary", cause: { client.missing(.fullStateSnapshot) }
    ) { client.finalState?.sessionSummary != nil }
    guard let summary = client.finalState?.sessionSummary else { throw t.inconclusive("the summary is gone") }
    return summary
  }

  private static func accuracy(_ t: BabBed, _ permille: Int) throws {
    let told = Accuracy.permille(try summary(t).overallAccuracy)
    try t.require("the mean accuracy is \(permille) thousandths", actual: "\(told)", told == permille)
  }
}
