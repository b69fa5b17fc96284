import BabSim
import Conformance

/// Defects of clients that show points.
extension Mutants {
  static let scoreMirror: [Mutant] = [
    .packets(
      "ranks-for-itself", .client, "BAB 1.3", "puts itself at the head of every ranking",
      showing: { m, report in
        guard case .leaderboard(let rows) = report else { return [report] }
        let own = m.configuration.peerID
        let sorted = rows.filter { $0.player == own } + rows.filter { $0.player != own }
        return [
          .leaderboard(
            sorted.enumerated().map { index, row in
              LeaderboardRow(rank: index + 1, player: row.player, score: row.score, highlight: row.highlight)
            })
        ]
      }),
    .packets(
      "summary-of-its-own", .client, "BAB 1.3", "counts the lines of the summary from its own history",
      showing: { m, report in
        if case .committed = report { m.count += 1 }
        guard case .summary(var summary) = report else { return [report] }
        summary.lines = m.count
        return [.summary(summary)]
      }),
  ]
}
