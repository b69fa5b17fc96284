import AppSeam
import BabSim
import Conformance
import SimKernel

/// SCORE, client: points as the host tells them, and the comparing of words (BAB 1.3, 6.11).
extension Catalog {
  static let scoreClient: [TestPurpose] = [
    .inToldGame(
      "BAB/CLIENT/SCORE/BV-01-C", ["BAB 1.3", "BAB 6.8"], "The client shows the ranking that the host has told.",
      expects: ["players, points, ranks and highlights as in the newest LEADERBOARD_UPDATE"], needs: [.scoring]
    ) { t, host in
      let line = host.line("line-1", for: "peer-third")
      host.giveTurn(line)
      let boards = [
        [(host.peerID, 40, nil), (t.iut.peerID, 0, nil), ("peer-third", 0, nil)],
        [("peer-third", 77, "1 perfect"), (host.peerID, 40, nil), (t.iut.peerID, 7, "On fire! 6 streak")],
      ]
      for board in boards {
        let ranking = board.enumerated().map { index, entry in
          Ranking(
            rank: Int32(index + 1), playerID: entry.0, displayName: entry.0, score: Int32(entry.1), highlight: entry.2)
        }
        host.send(.leaderboardUpdate(Leaderboard(rankings: ranking, updatedAt: 0)))
        let rows = ranking.map {
          LeaderboardRow(rank: Int($0.rank), player: $0.playerID, score: Int($0.score), highlight: $0.highlight)
        }
        let shown = { ShownText.list((t.iut.leaderboard ?? []).map(\.description)) }
        try t.expect("the ranking told is shown", actual: shown) {
          t.iut.leaderboard == rows
        }
      }
    },
    .inToldGame(
      "BAB/CLIENT/SCORE/BV-02-C", ["BAB 1.3", "BAB 9.1"], "The client shows the summary that the host has told.",
      expects: ["lines, accuracy, duration, ranking and achievements as in the snapshot"], needs: [.summary]
    ) { t, host in
      host.finish(summary: .told(host.peerID, t.iut.peerID))
      try t.expect("the summary told is shown", actual: { t.iut.summary.map { "\($0)" } ?? "none" }) {
        guard let shown = t.iut.summary else { return false }
        return shown.lines == 7 && shown.accuracyPermille == 877 && shown.durationMilliseconds == 61_234
          && shown.rankings.map(\.player) == [t.iut.peerID, host.peerID] && shown.rankings.map(\.score) == [123, 45]
          && shown.achievements == ["first_multiplayer"]
      }
    },
    spoken(
      "BAB/CLIENT/SCORE/BV-03-C", "Words are compared in lower case.", expects: "no error, accuracy 1000",
      speech: { $0.map { $0.uppercased() } }, errors: { _ in 0 }),
    spoken(
      "BAB/CLIENT/SCORE/BV-04-C", "A wrong word is an error, and the accuracy is rounded down.",
      expects: "one error, accuracy 857", speech: { ["xyzzy"] + $0.dropFirst() }, errors: { _ in 1 }),
    spoken(
      "BAB/CLIENT/SCORE/BV-05-C", "Words are compared place by place.",
      expects: "seven errors with the first word left out", speech: { Array($0.dropFirst()) }, errors: { _ in 7 }),
    spoken(
      "BAB/CLIENT/SCORE/BV-06-C", "Words beyond the end of the line are ignored or each an error, by dialect.",
      expects: "two errors in `guide`, none in the others", speech: { $0 + ["xyzzy", "plugh"] },
      errors: { $0.pronunciation == .extraWordsCount ? 2 : 0 }),
    spoken(
      "BAB/CLIENT/SCORE/BV-07-C", "The accuracy is never below 0.",
      expects: "accuracy 0 when all words are wrong, and there are too many",
      speech: { $0.map { _ in "xyzzy" } + ["xyzzy", "xyzzy"] },
      errors: { 7 + ($0.pronunciation == .extraWordsCount ? 2 : 0) }),
  ]

  /// Seven words, no two neighbours the same.
  private static let words = ["Un", "café", "con", "leche,", "por", "favor,", "señora"]

  /// The client's user speaks a line of seven words in some way, which must make so many errors.
  private static func spoken(
    _ id: String, _ purpose: String, expects: String, speech: @escaping @Sendable ([String]) -> [String],
    errors: @escaping @Sendable (Dialect) -> Int
  ) -> TestPurpose {
    .inToldGame(id, ["BAB 6.11"], purpose, expects: ["LINE_COMPLETED: " + expects], needs: [.scoring]) { t, host in
      try t.preamble {
        host.giveTurn(host.line("line-1", for: t.iut.peerID, text: words.joined(separator: " ")))
        try t.expect("the turn shown is the client's") { t.iut.turn == t.iut.peerID }
      }
      let wrong = errors(t.dialect)
      let accuracy = max(0, 7 - wrong) * 1_000 / 7
      t.iut.user(.speak(speech(words).joined(separator: " ")))
      try host.expect(.lineCompleted, "has \(wrong) errors and accuracy \(accuracy) thousandths") {
        guard case .lineCompleted("line-1", let result) = $0.payload else { return false }
        return Int(result.errorCount) == wrong && result.accuracyPermille == accuracy && result.accuracy >= 0
      }
    }
  }
}
