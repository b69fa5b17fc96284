import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging
import SimKernel

/// A leaderboard is sorted by score, ties in roster order, ranked 1, 2, 3 …, and shows the scores the host reported.
package final class RankingFollowsScores: BabOracle {
  package static let id = "RankingFollowsScores"
  package static let claim = "Every leaderboard is sorted by score, ties in roster order, and ranked without gaps."
  package static let clause = "BAB 6.7"
  package static let nature = OracleNature.safety
  package static let restsOn = ["phase"]
  package static let interests: [TraceKind] = [.leaderboard, .score, .launched, .transmit]

  private struct Score {
    var player: String
    var xp: Int
  }

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device: the scores of its newest game that it reported last.
  private var scores: [(game: Int, of: [Score])]

  package init(state: BabRunState) {
    self.state = state
    scores = Array(repeating: (0, []), count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record) else { return }
    if scores[device.index].game != device.game { scores[device.index] = (device.game, []) }
    switch record.bab {
    case .input(.launched): scores[device.index].of = []
    case .report(.score(let player, let xp)):
      if let index = scores[device.index].of.firstIndex(where: { $0.player == player }) {
        scores[device.index].of[index].xp = xp
      } else {
        scores[device.index].of.append(Score(player: player, xp: xp))
      }
    case .report(.leaderboard(let rows)): judge(rows, device, record)
    case .report(.summary(let summary)): judge(summary.rankings, device, record)
    case .effect: for told in state.news { judge(told) }
    default: break
    }
  }

  private func judge(_ rows: [LeaderboardRow], _ device: BabDevice, _ record: TraceRecord) {
    if device.role == .client, device.isDamaged { return }
    for (index, row) in rows.enumerated() {
      if row.rank != index + 1 {
        ledger.fail(
          record, expected: "\(row.player) at rank \(index + 1)",
          actual: "rank \(row.rank)\(state.hearsay(device))")
        return
      }
      if index > 0, let problem = disorder(rows[index - 1], row, device) {
        ledger.fail(
          record, expected: problem,
          actual: ShownText.list(rows.map { "\($0.player) \($0.score)" }) + state.hearsay(device))
        return
      }
      if device.role == .host, let score = scores[device.index].of.first(where: { $0.player == row.player }),
        score.xp != row.score
      {
        ledger.fail(
          record, unless: device.unsaid("phase"), expected: "\(row.player) at \(score.xp)", actual: "\(row.score)")
        return
      }
    }
    ledger.judged += 1
  }

  /// Every completed line earns points (BAB 6.1, 6.2): a ranking that follows one has more than the ranking before.
  private func judge(_ told: HostStory.Told) {
    guard case .leaderboardUpdate(let board) = told.packet.payload, told.before.areLinesKnown else { return }
    for line in told.before.unranked where !told.before.returned.contains(line.player) {
      guard let row = board.rankings.first(where: { $0.playerID == line.player }),
        let before = told.before.scores[line.player], Int(row.score) <= before
      else { continue }
      return ledger.fail(
        at: told.instant, device: told.story.host.index, record: told.record, clause: "BAB 6.8",
        expected: "LEADERBOARD_UPDATE with the points of \(line.player) for \(line.id), more than \(before)",
        actual: "\(row.score)")
    }
  }

  /// What is wrong with two neighbours; nil when nothing is.
  private func disorder(_ upper: LeaderboardRow, _ lower: LeaderboardRow, _ device: BabDevice) -> String? {
    if upper.score < lower.score { return "\(lower.player) before \(upper.player)" }
    guard upper.score == lower.score, device.role == .host, let roster = device.roster else { return nil }
    guard let first = roster.firstIndex(of: upper.player), let second = roster.firstIndex(of: lower.player) else {
      return nil
    }
    return first < second ? nil : "\(lower.player) before \(upper.player), who is later in the roster"
  }
}
