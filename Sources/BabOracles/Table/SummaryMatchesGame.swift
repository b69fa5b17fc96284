import BabSim
import Conformance
package import Judging
import SimKernel

/// The summary counts the lines, points and achievements of the game that has just ended.
package final class SummaryMatchesGame: TableOracle {
  package static let id = "SummaryMatchesGame"
  package static let claim = "The summary contains the lines, accuracy, points and achievements of its game."
  package static let clause = "BAB 9.1"

  private typealias Difference = (clause: String?, expected: String, actual: String)

  package let ledger = makeLedger()
  let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  func judge(_ told: HostStory.Told) {
    let book = told.before
    guard book.phase == .on, case .fullStateSnapshot(let snapshot) = told.packet.payload,
      snapshot.currentPhase == .finished
    else { return }
    guard let summary = snapshot.sessionSummary else {
      return fail(told, "BAB 5.8.2", expected: "the summary of the game", actual: "none")
    }
    guard book.areLinesKnown, !book.roster.isEmpty,
      !book.roster.contains(where: { told.mayHaveLeft($0) })
    else { return }
    guard let difference = contents(summary, told) ?? achievements(summary, book) else { return ledger.judged += 1 }
    fail(told, difference.clause, expected: difference.expected, actual: difference.actual)
  }

  private func contents(_ summary: SessionSummary, _ told: HostStory.Told) -> Difference? {
    let book = told.before
    if Int(summary.totalLines) != book.lines.count {
      return (nil, "\(book.lines.count) lines", "\(summary.totalLines) lines")
    }
    if summary.scenarioName.isEmpty, let scenario = book.scenario, !scenario.isEmpty {
      return (nil, "the name of \(scenario)", "no scenario")
    }
    let ranked = summary.playerRankings.map(\.playerID)
    if let missing = book.roster.first(where: { !ranked.contains($0) || summary.xpEarned[$0] == nil }) {
      return (nil, "\(missing) in the ranking and with points", "\(missing) is missing")
    }
    for row in summary.playerRankings {
      let earned = summary.xpEarned[row.playerID]
      if earned != row.score || book.scores[row.playerID].map({ $0 != Int(row.score) }) ?? false {
        let points = book.scores[row.playerID] ?? Int(row.score)
        return (nil, "\(row.playerID) at \(points) XP", "\(row.score) in the ranking, \(earned ?? 0) earned")
      }
    }
    let completed = book.lines.filter { !$0.isSkipped && book.roster.contains($0.player) }
    let sum = completed.reduce(0) { $0 + ($1.result?.accuracyPermille ?? 0) }
    let mean = completed.isEmpty ? 0 : (sum + completed.count / 2) / completed.count
    let told = Accuracy.permille(summary.overallAccuracy)
    if told != mean {
      return ("BAB 9.1", "a mean accuracy of \(mean) thousandths", "\(told)")
    }
    return nil
  }

  // MARK: Achievements

  /// BAB 9.4 to 9.10.
  private static let badges = [
    "first_multiplayer", "perfect_pair", "chatterbox", "language_partner", "flawless_scene", "streak_master",
    "speed_reader",
  ]

  /// Earlier sessions are not seen: `language_partner` may be there or not.
  private func achievements(_ summary: SessionSummary, _ book: TableBook) -> Difference? {
    let told = summary.achievementsUnlocked.map(\.id)
    for (place, badge) in Self.badges.enumerated() where badge != "language_partner" {
      let isDue = isEarned(badge, book)
      if told.contains(badge) == isDue { continue }
      let shown = told.isEmpty ? "no achievement" : told.joined(separator: ", ")
      return ("BAB 9.\(place + 4)", isDue ? badge : "no \(badge)", shown)
    }
    let order = told.compactMap { Self.badges.firstIndex(of: $0) }
    if order.count == told.count, zip(order, order.dropFirst()).allSatisfy(<) { return nil }
    return ("BAB 9.3", "each achievement once, in the order of the list", told.joined(separator: ", "))
  }

  private func isEarned(_ badge: String, _ book: TableBook) -> Bool {
    let lines = book.lines
    func isThere(_ line: TableBook.Line) -> Bool { book.roster.contains(line.player) }
    func read(by player: String) -> [TableBook.Line] { lines.filter { $0.player == player } }
    switch badge {
    case "first_multiplayer": return book.roster.count >= 2
    case "perfect_pair":
      return zip(lines, lines.dropFirst()).contains {
        $0.isPerfect && $1.isPerfect && (isThere($0) || isThere($1))
      }
    case "chatterbox": return lines.count >= 50
    case "flawless_scene": return !lines.isEmpty && lines.allSatisfy { !$0.isSkipped && $0.result?.errorCount == 0 }
    case "streak_master":
      return book.roster.contains { player in
        var run = 0
        return read(by: player).contains { line in
          run = line.isPerfect ? run + 1 : 0
          return run == 10
        }
      }
    case "speed_reader":
      return book.roster.contains { player in
        let completed = read(by: player).filter { !$0.isSkipped }
        let time = completed.reduce(Int64(0)) { $0 + ($1.result?.duration ?? 0) }
        return !completed.isEmpty && time < 3_000 * Int64(completed.count)
      }
    default: return false
    }
  }
}
