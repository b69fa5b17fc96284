import AppSeam
import BabOracles
import BabSim
import Conformance

/// Defects of points, rankings and achievements.
extension Mutants {
  static let score: [Mutant] = scorePoints + scoreRanking + scoreWords + scoreSummary + scoreAwards + scoreMirror

  /// What lines earn (BAB 6.1 to 6.4).
  private static let scorePoints: [Mutant] = [
    counting(
      "nine-for-a-line", clause: "BAB 6.1", "gives nine points for a line where ten are due",
      points: { line, formula in MutantBook.truly(line, formula) - (line.isSkipped ? 0 : 1) }),
    counting(
      "accuracy-points-rounded-up", clause: "BAB 6.1", "rounds the points for accuracy up",
      points: { line, formula in
        let share = line.permille * (formula == .guide ? 20 : 10) % 1_000
        return MutantBook.truly(line, formula) + (line.isSkipped || share == 0 ? 0 : 1)
      }),
    counting(
      "nothing-for-company", clause: "BAB 6.2", "gives no points for company",
      points: { line, formula in MutantBook.truly(line, formula) - (line.isTogether && !line.isSkipped ? 5 : 0) }),
    counting(
      "points-for-company-alone", clause: "BAB 6.1", "gives points for company to a player who is alone",
      points: { line, formula in MutantBook.truly(line, formula) + (line.isTogether || line.isSkipped ? 0 : 5) }),
    counting(
      "first-bonus-never", clause: "BAB 6.1", "gives nothing for a first line",
      points: { line, formula in
        MutantBook.truly(line, formula) - (formula == .guide && line.isFirst && !line.isSkipped ? 25 : 0)
      }),
    counting(
      "first-bonus-always", clause: "BAB 6.1", "gives 25 points for every line as for a first one",
      points: { line, formula in
        MutantBook.truly(line, formula) + (formula == .guide && !line.isFirst && !line.isSkipped ? 25 : 0)
      }),
    counting(
      "first-bonus-lost-by-skip", clause: "BAB 6.1", "takes a skipped line for a player's first",
      points: { line, formula in
        let isLost = formula == .guide && line.isFirst && !line.isUntouched && !line.isSkipped
        return MutantBook.truly(line, formula) - (isLost ? 25 : 0)
      }),
    counting(
      "first-bonus-in-one-scenario", clause: "BAB 6.1", "gives 25 points for the first line of all only",
      points: { line, formula in
        let isLost = formula == .guide && line.isFirst && !line.isFirstOfAll && !line.isSkipped
        return MutantBook.truly(line, formula) - (isLost ? 25 : 0)
      }),
    counting(
      "streak-bonus-at-once", clause: "BAB 6.3", "gives points for a streak to its first line",
      points: { line, formula in
        let isFirst = line.streak == 0 && line.permille >= 900 && !line.isSkipped
        return MutantBook.truly(line, formula) + (isFirst ? (formula == .guide ? 5 : 2) : 0)
      }),
    counting(
      "streak-without-limit", clause: "BAB 6.2", "gives two points for each line of a streak, however long",
      points: { line, formula in
        let isOver = formula == .sdk && line.streak > 10 && !line.isSkipped
        return MutantBook.truly(line, formula) + (isOver ? 2 * line.streak - 20 : 0)
      }),
    counting(
      "streak-only-perfect", clause: "BAB 6.3", "lets a streak go on with perfect lines only",
      streak: { before, permille, isSkipped in !isSkipped && permille >= 1_000 ? before + 1 : 0 }),
    counting(
      "streak-from-899", clause: "BAB 6.3", "lets a streak go on with 899",
      streak: { before, permille, isSkipped in !isSkipped && permille >= 899 ? before + 1 : 0 }),
    counting(
      "streak-survives-bad-lines", clause: "BAB 6.3", "lets a streak go on over a bad line",
      streak: { before, permille, isSkipped in isSkipped ? 0 : permille >= 900 ? before + 1 : before }),
    counting(
      "streak-survives-skips", clause: "BAB 6.4", "lets a streak go on over a skipped line",
      streak: { before, permille, isSkipped in isSkipped ? before : permille >= 900 ? before + 1 : 0 }),
    counting(
      "skips-earn-ten", clause: "BAB 6.4", "gives ten points for a skipped line",
      points: { line, formula in line.isSkipped ? 10 : MutantBook.truly(line, formula) }),
    .packets(
      "accuracy-cut-off", .host, clause: "BAB 6.3", "cuts accuracies off after three decimals",
      incoming: { _, _, packet in
        guard case .lineCompleted(let lineID, var result) = packet.payload, result.accuracy > 0, result.accuracy < 1
        else { return [packet] }
        result.accuracy = Float(Int(result.accuracy * 1_000)) / 1_000
        return [packet.saying(.lineCompleted(lineID: lineID, result: result))]
      }),
  ]

  /// Order, ranks and highlights (BAB 6.5, 6.7 to 6.9).
  private static let scoreRanking: [Mutant] = [
    ranking("lowest-first", clause: "BAB 6.7", "ranks the lowest score first") { rankings in
      rankings.reverse()
      for index in rankings.indices { rankings[index].rank = Int32(index + 1) }
    },
    ranking("ties-reversed", clause: "BAB 6.7", "ranks players with the same points against the roster's order") {
      rankings in
      let order = rankings.indices.sorted { a, b in
        let (left, right) = (rankings[a].score, rankings[b].score)
        return left != right ? left > right : a > b
      }
      rankings = order.map { rankings[$0] }
      for index in rankings.indices { rankings[index].rank = Int32(index + 1) }
    },
    ranking("ranks-shared", clause: "BAB 6.7", "gives players with the same points the same rank") { rankings in
      for index in rankings.indices.dropFirst() where rankings[index].score == rankings[index - 1].score {
        rankings[index].rank = rankings[index - 1].rank
      }
    },
    ranking("ranks-from-zero", clause: "BAB 6.7", "counts ranks from 0") { rankings in
      for index in rankings.indices { rankings[index].rank -= 1 }
    },
    ranking("nothing-is-not-ranked", clause: "BAB 6.7", "leaves players without points out of the ranking") {
      $0.removeAll { $0.score == 0 }
    },
    .packets(
      "leavers-ranked", .host, clause: "BAB 6.7", "goes on ranking players who have left",
      outgoing: { mutant, _, packet in
        guard case .leaderboardUpdate(var board) = packet.payload else { return [.packet(packet)] }
        for entry in board.rankings where !mutant.memory.contains(entry.playerID) {
          mutant.memory.append(entry.playerID)
        }
        for player in mutant.memory where !board.rankings.contains(where: { $0.playerID == player }) {
          board.rankings.append(
            Ranking(rank: Int32(board.rankings.count + 1), playerID: player, displayName: player, score: 0))
        }
        return [.packet(packet.saying(.leaderboardUpdate(board)))]
      }),
    .packets(
      "no-ranking-after-skips", .host, clause: "BAB 6.8", "sends no ranking after a skipped line",
      outgoing: { mutant, link, packet in
        let key = "ended on \(link.rawValue)"
        if packet.endedLineID != nil { mutant.remember(key, packet.payload.type.rawValue) }
        let isSkip = mutant.recall(key) == PacketType.lineSkipped.rawValue
        return packet.payload.type == .leaderboardUpdate && isSkip ? [] : [.packet(packet)]
      }),
    .packets(
      "ranking-to-first-only", .host, clause: "BAB 6.8", "sends the ranking to the first client only",
      outgoing: { mutant, link, packet in
        packet.payload.type == .leaderboardUpdate && link != mutant.links.first ? [] : [.packet(packet)]
      }),
    withBook("perfect-from-999", clause: "BAB 6.5", "takes 999 for perfect") { book, _, packet in
      highlighted(packet, book) { player in
        let perfect = book.lines.filter { $0.player == player && !$0.isSkipped && $0.permille >= 999 }.count
        return perfect > 0 ? "\(perfect) perfect" : nil
      }
    },
    ranking("fire-unsaid", clause: "BAB 6.9", "has no highlight for a streak") { rankings in
      for index in rankings.indices where rankings[index].highlight?.hasPrefix("On fire") ?? false {
        rankings[index].highlight = "5 perfect"
      }
    },
    withBook("fire-from-four", clause: "BAB 6.9", "takes a streak of four for a highlight") { book, _, packet in
      highlighted(packet, book) { player in
        var streak = 0
        for line in book.lines where line.player == player {
          streak = MutantBook.trueStreak(streak, line.permille, line.isSkipped)
        }
        return streak == 4 ? "On fire! 4 streak" : nil
      }
    },
    ranking("zero-perfect", clause: "BAB 6.9", "says `0 perfect` where nothing is due") { rankings in
      for index in rankings.indices where rankings[index].highlight == nil { rankings[index].highlight = "0 perfect" }
    },
    .packets(
      "ranking-shown-otherwise", .host, clause: "BAB 6.7", "shows other points than it tells",
      showing: { _, report in
        guard case .leaderboard(var rows) = report else { return [report] }
        for index in rows.indices { rows[index].score += 1 }
        return [.leaderboard(rows)]
      }),
  ]

  /// The packet with other highlights where `text` has one.
  private static func highlighted(_ packet: BabPacket, _ book: MutantBook, _ text: (String) -> String?) -> BabPacket {
    guard case .leaderboardUpdate(var board) = packet.payload else { return packet }
    for index in board.rankings.indices {
      if let text = text(board.rankings[index].playerID) { board.rankings[index].highlight = text }
    }
    return packet.saying(.leaderboardUpdate(board))
  }

  /// The comparing of words (BAB 6.11), in hosts and clients.
  private static let scoreWords: [Mutant] = words(.host, "host-") + words(.client, "client-")

  private static func words(_ role: AppRole, _ prefix: String) -> [Mutant] {
    [
      Mutant(
        prefix + "other-rule-for-extra-words", role, clause: "BAB 6.11",
        "treats words too many as the other dialect does",
        adjust: {
          $0.dialect.pronunciation =
            $0.dialect.pronunciation == .extraWordsCount ? .extraWordsIgnored : .extraWordsCount
        }),
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
    .packets(
      name, role, clause: "BAB 6.11", summary,
      outgoing: { _, _, packet in
        guard case .lineCompleted(let lineID, var result) = packet.payload else { return [.packet(packet)] }
        change(&result)
        return [.packet(packet.saying(.lineCompleted(lineID: lineID, result: result)))]
      })
  }

  /// The summary (BAB 6.6, 9.1, 9.2).
  private static let scoreSummary: [Mutant] = [
    summing("mean-cut-off", clause: "BAB 6.6", "cuts the mean accuracy off instead of rounding it") { book, summary in
      let completed = book.lines.filter { !$0.isSkipped }.map(\.permille)
      let mean = completed.isEmpty ? 0 : completed.reduce(0, +) / completed.count
      summary.overallAccuracy = Accuracy.float(permille: mean)
    },
    summing("mean-with-skips", clause: "BAB 6.4", "counts skipped lines as 0 in the mean accuracy") { book, summary in
      let mean = book.lines.isEmpty ? 0 : book.lines.map(\.permille).reduce(0, +) / book.lines.count
      summary.overallAccuracy = Accuracy.float(permille: mean)
    },
    summing("mean-of-nothing-is-one", clause: "BAB 6.6", "takes the mean accuracy of no line for 1") { book, summary in
      if book.lines.allSatisfy(\.isSkipped) { summary.overallAccuracy = 1 }
    },
    summing("mean-with-leavers", clause: "BAB 9.1", "counts lines of players who have left in the mean accuracy") {
      book, summary in
      let completed = book.lines.filter { !$0.isSkipped }.map(\.permille)
      let mean = completed.isEmpty ? 0 : (completed.reduce(0, +) + completed.count / 2) / completed.count
      summary.overallAccuracy = Accuracy.float(permille: mean)
    },
    summing("summary-without-scenario", clause: "BAB 9.1", "does not name the scenario") { $1.scenarioName = "" },
    summing("summary-without-skips", clause: "BAB 9.1", "does not count skipped lines in the summary") {
      book, summary in
      summary.totalLines -= Int32(book.lines.filter(\.isSkipped).count)
    },
    summing("summary-without-time", clause: "BAB 9.1", "has a duration of 0 in the summary") {
      $1.durationMilliseconds = 0
    },
    summing("summary-without-ranking", clause: "BAB 9.1", "has no ranking in the summary") { $1.playerRankings = [] },
    summing("summary-of-the-winner", clause: "BAB 9.1", "has the points of the winner only in the summary") {
      _, summary in
      let winner = summary.playerRankings.first?.playerID
      summary.xpEarned = OrderedMap(summary.xpEarned.entries.filter { $0.key == winner }.map { ($0.key, $0.value) })
    },
    summing("vocabulary-guessed", clause: "BAB 9.2", "takes a word for newly learned") {
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
        awarding("no-" + name, clause: clause, "never gives \(id)") { $0.removeAll { $0.id == id } },
        awarding("always-" + name, clause: clause, "always gives \(id)") { awards in
          guard !awards.contains(where: { $0.id == id }) else { return }
          awards.append(Achievement(id: id, name: id, description: "", unlockedAt: 0))
        },
      ]
    } + [
      awarding("awards-reversed", clause: "BAB 9.3", "lists achievements against their order") { $0.reverse() },
      .packets(
        "awards-for-everybody", .host, clause: "BAB 9.5", "shows every achievement for every player who ever was there",
        showing: { mutant, report in
          if case .roster(let players) = report {
            for player in players where !mutant.memory.contains(player) { mutant.memory.append(player) }
          }
          guard case .achievement(_, let id) = report else { return [report] }
          return mutant.memory.map { .achievement(player: $0, id: id) }
        }),
    ]

  /// A defect in the achievements of the summary, told and shown.
  private static func awarding(
    _ name: String, clause: String, _ summary: String, _ change: @escaping @Sendable (inout [Achievement]) -> Void
  ) -> Mutant {
    .packets(
      name, .host, clause: clause, summary,
      outgoing: { _, _, packet in
        guard case .fullStateSnapshot(var state) = packet.payload, var summary = state.sessionSummary else {
          return [.packet(packet)]
        }
        change(&summary.achievementsUnlocked)
        state.sessionSummary = summary
        return [.packet(packet.saying(.fullStateSnapshot(state)))]
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
