import AppSeam
import BabOracles
import BabSim
import Conformance

/// Defects of points, rankings and achievements.
extension Mutants {
  static let score: [Mutant] = scorePoints + scoreRanking + scoreWords + scoreSummary + scoreAwards + scoreMirror

  /// What lines earn (BAB 6.1 to 6.4).
  private static let scorePoints: [Mutant] = [
    earning("nine-for-a-line", "BAB 6.1", "gives nine points for a line where ten are due") { _, _ in -1 },
    earning("accuracy-points-rounded-up", "BAB 6.1", "rounds the points for accuracy up") { line, formula in
      line.permille * (formula == .guide ? 20 : 10) % 1_000 == 0 ? 0 : 1
    },
    earning("nothing-for-company", "BAB 6.2", "gives no points for company") { line, _ in line.isTogether ? -5 : 0 },
    earning("points-for-company-alone", "BAB 6.1", "gives points for company to a player who is alone") { line, _ in
      line.isTogether ? 0 : 5
    },
    earning("first-bonus-never", "BAB 6.1", "gives nothing for a first line") { line, formula in
      formula == .guide && line.isFirst ? -25 : 0
    },
    earning("first-bonus-always", "BAB 6.1", "gives 25 points for every line as for a first one") { line, formula in
      formula == .guide && !line.isFirst ? 25 : 0
    },
    earning("first-bonus-lost-by-skip", "BAB 6.1", "takes a skipped line for a player's first") { line, formula in
      formula == .guide && line.isFirst && !line.isUntouched ? -25 : 0
    },
    earning("first-bonus-in-one-scenario", "BAB 6.1", "gives 25 points for the first line of all only") {
      line, formula in
      formula == .guide && line.isFirst && !line.isFirstOfAll ? -25 : 0
    },
    earning("streak-bonus-at-once", "BAB 6.3", "gives points for a streak to its first line") { line, formula in
      line.streak == 0 && line.permille >= 900 ? (formula == .guide ? 5 : 2) : 0
    },
    earning("streak-without-limit", "BAB 6.2", "gives two points for each line of a streak, however long") {
      line, formula in
      formula == .sdk && line.streak > 10 ? 2 * line.streak - 20 : 0
    },
    streaking("streak-only-perfect", "BAB 6.3", "lets a streak go on with perfect lines only") {
      !$2 && $1 >= 1_000 ? $0 + 1 : 0
    },
    streaking("streak-from-899", "BAB 6.3", "lets a streak go on with 899") { !$2 && $1 >= 899 ? $0 + 1 : 0 },
    streaking("streak-survives-bad-lines", "BAB 6.3", "lets a streak go on over a bad line") {
      before, permille, isSkipped in
      isSkipped ? 0 : permille >= 900 ? before + 1 : before
    },
    streaking("streak-survives-skips", "BAB 6.4", "lets a streak go on over a skipped line") {
      before, permille, isSkipped in
      isSkipped ? before : permille >= 900 ? before + 1 : 0
    },
    counting(
      "skips-earn-ten", "BAB 6.4", "gives ten points for a skipped line",
      points: { line, formula in line.isSkipped ? 10 : MutantBook.truly(line, formula) }),
    .mishears("accuracy-cut-off", .host, "BAB 6.3", "cuts accuracies off after three decimals") { packet in
      guard let accuracy = packet.result?.accuracy, accuracy > 0, accuracy < 1 else { return }
      packet.result?.accuracy = Float(Int(accuracy * 1_000)) / 1_000
    },
  ]

  /// Order, ranks and highlights (BAB 6.5, 6.7 to 6.9).
  private static let scoreRanking: [Mutant] = [
    ranking("lowest-first", "BAB 6.7", "ranks the lowest score first") { rankings in
      rankings.reverse()
      for index in rankings.indices { rankings[index].rank = Int32(index + 1) }
    },
    ranking("ties-reversed", "BAB 6.7", "ranks players with the same points against the roster's order") {
      rankings in
      let order = rankings.indices.sorted { a, b in
        let (left, right) = (rankings[a].score, rankings[b].score)
        return left != right ? left > right : a > b
      }
      rankings = order.map { rankings[$0] }
      for index in rankings.indices { rankings[index].rank = Int32(index + 1) }
    },
    ranking("ranks-shared", "BAB 6.7", "gives players with the same points the same rank") { rankings in
      for index in rankings.indices.dropFirst() where rankings[index].score == rankings[index - 1].score {
        rankings[index].rank = rankings[index - 1].rank
      }
    },
    ranking("ranks-from-zero", "BAB 6.7", "counts ranks from 0") { rankings in
      for index in rankings.indices { rankings[index].rank -= 1 }
    },
    ranking("nothing-is-not-ranked", "BAB 6.7", "leaves players without points out of the ranking") {
      $0.removeAll { $0.score == 0 }
    },
    .misspeaks("leavers-ranked", .host, "BAB 6.7", "goes on ranking players who have left") { m, packet in
      guard var board = packet.board else { return }
      for entry in board.rankings where !m.memory.contains(entry.playerID) { m.memory.append(entry.playerID) }
      for player in m.memory where !board.rankings.contains(where: { $0.playerID == player }) {
        board.rankings.append(
          Ranking(rank: Int32(board.rankings.count + 1), playerID: player, displayName: player, score: 0))
      }
      packet.board = board
    },
    .says("no-ranking-after-skips", .host, "BAB 6.8", "sends no ranking after a skipped line") { m, packet in
      let key = "ended on \(m.link.rawValue)"
      if packet.endedLineID != nil { m.remember(key, packet.payload.type.rawValue) }
      let isSkip = m.recall(key) == PacketType.lineSkipped.rawValue
      return packet.payload.type == .leaderboardUpdate && isSkip ? [] : [packet]
    },
    .unsaid("ranking-to-first-only", .host, "BAB 6.8", "sends the ranking to the first client only") { m, packet in
      packet.payload.type == .leaderboardUpdate && m.link != m.links.first
    },
    withBook("perfect-from-999", "BAB 6.5", "takes 999 for perfect") { book, packet in
      highlight(&packet) { player in
        let perfect = book.lines.filter { $0.player == player && !$0.isSkipped && $0.permille >= 999 }.count
        return perfect > 0 ? "\(perfect) perfect" : nil
      }
    },
    ranking("fire-unsaid", "BAB 6.9", "has no highlight for a streak") { rankings in
      for index in rankings.indices where rankings[index].highlight?.hasPrefix("On fire") ?? false {
        rankings[index].highlight = "5 perfect"
      }
    },
    withBook("fire-from-four", "BAB 6.9", "takes a streak of four for a highlight") { book, packet in
      highlight(&packet) { player in
        var streak = 0
        for line in book.lines where line.player == player {
          streak = MutantBook.trueStreak(streak, line.permille, line.isSkipped)
        }
        return streak == 4 ? "On fire! 4 streak" : nil
      }
    },
    ranking("zero-perfect", "BAB 6.9", "says `0 perfect` where nothing is due") { rankings in
      for index in rankings.indices where rankings[index].highlight == nil { rankings[index].highlight = "0 perfect" }
    },
    .packets(
      "ranking-shown-otherwise", .host, "BAB 6.7", "shows other points than it tells",
      showing: { _, report in
        guard case .leaderboard(var rows) = report else { return [report] }
        for index in rows.indices { rows[index].score += 1 }
        return [.leaderboard(rows)]
      }),
  ]

  /// Other highlights where `text` has one.
  private static func highlight(_ packet: inout BabPacket, _ text: (String) -> String?) {
    for (index, entry) in (packet.ranking ?? []).enumerated() {
      if let text = text(entry.playerID) { packet.board?.rankings[index].highlight = text }
    }
  }

  /// The comparing of words (BAB 6.11), in hosts and clients.
  private static let scoreWords: [Mutant] = words(.host, "host-") + words(.client, "client-")

  private static func words(_ role: AppRole, _ prefix: String) -> [Mutant] {
    [
      .set(prefix + "other-rule-for-extra-words", role, "BAB 6.11", "treats words too many as the other dialect does") {
        $0.dialect.pronunciation =
          $0.dialect.pronunciation == .extraWordsCount ? .extraWordsIgnored : .extraWordsCount
      },
      speaking(prefix + "words-anywhere", role, clause: "BAB 6.11", "takes a word for right wherever it stands") {
        spoken, line in
        line.map { spoken.contains($0) ? $0 : "x" } + spoken.dropFirst(line.count)
      },
      reading(prefix + "accuracy-rounded-up", role, "rounds the accuracy up") { result in
        if result.errorCount > 0, result.accuracy > 0 { result.accuracy += 0.001 }
      },
      reading(prefix + "accuracy-below-zero", role, "sends an accuracy below 0") { result in
        if result.accuracy == 0 { result.accuracy = -0.25 }
      },
      reading(prefix + "errors-uncounted", role, "sends an error count of 0") { $0.errorCount = 0 },
    ]
  }

  /// A defect in the results of spoken lines, as LINE_COMPLETED tells them.
  private static func reading(
    _ name: String, _ role: AppRole, _ summary: String,
    _ change: @escaping @Sendable (inout PronunciationResult) -> Void
  ) -> Mutant {
    .misspeaks(name, role, "BAB 6.11", summary) { packet in
      guard var result = packet.result else { return }
      change(&result)
      packet.result = result
    }
  }

  /// The summary (BAB 6.6, 9.1, 9.2).
  private static let scoreSummary: [Mutant] = [
    summing("mean-cut-off", "BAB 6.6", "cuts the mean accuracy off instead of rounding it") { book, summary in
      let completed = book.lines.filter { !$0.isSkipped }.map(\.permille)
      let mean = completed.isEmpty ? 0 : completed.reduce(0, +) / completed.count
      summary.overallAccuracy = Accuracy.float(permille: mean)
    },
    summing("mean-with-skips", "BAB 6.4", "counts skipped lines as 0 in the mean accuracy") { book, summary in
      let mean = book.lines.isEmpty ? 0 : book.lines.map(\.permille).reduce(0, +) / book.lines.count
      summary.overallAccuracy = Accuracy.float(permille: mean)
    },
    summing("mean-of-nothing-is-one", "BAB 6.6", "takes the mean accuracy of no line for 1") { book, summary in
      if book.lines.allSatisfy(\.isSkipped) { summary.overallAccuracy = 1 }
    },
    summing("mean-with-leavers", "BAB 9.1", "counts lines of players who have left in the mean accuracy") {
      book, summary in
      let completed = book.lines.filter { !$0.isSkipped }.map(\.permille)
      let mean = completed.isEmpty ? 0 : (completed.reduce(0, +) + completed.count / 2) / completed.count
      summary.overallAccuracy = Accuracy.float(permille: mean)
    },
    summing("summary-without-scenario", "BAB 9.1", "does not name the scenario") { $1.scenarioName = "" },
    summing("summary-without-skips", "BAB 9.1", "does not count skipped lines in the summary") {
      book, summary in
      summary.totalLines -= Int32(book.lines.filter(\.isSkipped).count)
    },
    summing("summary-without-time", "BAB 9.1", "has a duration of 0 in the summary") {
      $1.durationMilliseconds = 0
    },
    summing("summary-without-ranking", "BAB 9.1", "has no ranking in the summary") { $1.playerRankings = [] },
    summing("summary-of-the-winner", "BAB 9.1", "has the points of the winner only in the summary") {
      _, summary in
      let winner = summary.playerRankings.first?.playerID
      summary.xpEarned = OrderedMap(summary.xpEarned.entries.filter { $0.key == winner }.map { ($0.key, $0.value) })
    },
    summing("vocabulary-guessed", "BAB 9.2", "takes a word for newly learned") {
      $1.vocabularyLearned = [.string("café")]
    },
  ]

  /// Achievements (BAB 9.3 to 9.10).
  private static let scoreAwards: [Mutant] =
    [
      ("first_multiplayer", "BAB 9.4"), ("perfect_pair", "BAB 9.5"), ("chatterbox", "BAB 9.6"),
      ("language_partner", "BAB 9.7"), ("flawless_scene", "BAB 9.8"), ("streak_master", "BAB 9.9"),
      ("speed_reader", "BAB 9.10"),
    ].flatMap { id, clause in
      let name = id.split(separator: "_").joined(separator: "-")
      return [
        awarding("no-" + name, clause, "never gives \(id)") { $0.removeAll { $0.id == id } },
        awarding("always-" + name, clause, "always gives \(id)") { awards in
          guard !awards.contains(where: { $0.id == id }) else { return }
          awards.append(Achievement(id: id, name: id, description: "", unlockedAt: 0))
        },
      ]
    } + [
      awarding("awards-reversed", "BAB 9.3", "lists achievements against their order") { $0.reverse() },
      .packets(
        "awards-for-everybody", .host, "BAB 9.5", "shows every achievement for every player who ever was there",
        showing: { m, report in
          if case .roster(let players) = report {
            for player in players where !m.memory.contains(player) { m.memory.append(player) }
          }
          guard case .achievement(_, let id) = report else { return [report] }
          return m.memory.map { .achievement(player: $0, id: id) }
        }),
    ]

  /// A defect in the achievements of the summary, told and shown.
  private static func awarding(
    _ name: String, _ clause: String, _ summary: String, _ change: @escaping @Sendable (inout [Achievement]) -> Void
  ) -> Mutant {
    .packets(
      name, .host, clause, summary,
      misspeaking: { _, packet in
        guard var summary = packet.summary else { return }
        change(&summary.achievementsUnlocked)
        packet.summary = summary
      },
      showing: { _, report in
        guard case .summary(var summary) = report else { return [report] }
        var awards = summary.achievements.map { Achievement(id: $0, name: $0, description: "", unlockedAt: 0) }
        change(&awards)
        summary.achievements = awards.map(\.id)
        return [.summary(summary)]
      })
  }
}
