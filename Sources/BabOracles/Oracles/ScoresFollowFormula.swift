import AppSeam
import BabSim
package import Bench
package import Conformance
package import Judging

/// The host's scores are those that the formula of the dialect gives for the accepted lines, counted again here.
package final class ScoresFollowFormula: BabOracle {
  package static let id = "ScoresFollowFormula"
  package static let claim =
    "Every player's score is what the dialect's formula gives for that player's accepted lines."
  package static let clause = "BAB 6.1"
  package static let nature = OracleNature.safety
  package static let restsOn = ["score", "lineAccepted", "roster", "lobby", "phase"]
  package static let sees = [
    SeenReport("score", .host, with: "committed"), SeenReport("lineAccepted", .host, with: "committed"),
  ]
  package static let interests: [TraceKind] = [.line, .score, .launched]

  package let ledger = makeLedger()
  private let state: BabRunState
  /// By device: the accepted lines of its newest game.
  private var books: [(game: Int, book: ScoreBook)?]

  package init(state: BabRunState) {
    self.state = state
    books = Array(repeating: nil, count: state.devices.count)
  }

  package func observe(_ record: TraceRecord) {
    guard let device = state.device(of: record), device.role == .host, let dialect = device.dialect else { return }
    switch record.bab {
    case .input(.launched): books[device.index] = nil
    case .report(.lineAccepted(_, let player, let skipped, let accuracy)):
      var book = book(of: device) ?? ScoreBook(formula: dialect.formula)
      book.accept(
        player: player, skipped: skipped, accuracyPermille: accuracy, isMultiplayer: (device.roster?.count ?? 0) > 1,
        scenario: device.lobby?.scenarioID ?? "")
      books[device.index] = (device.game, book)
    case .report(.score(let player, let xp)):
      let expected = book(of: device)?.total(of: player) ?? 0
      if xp == expected {
        ledger.judged += 1
      } else {
        // What is counted here is of these.
        let unsaid =
          device.unsaid("lineAccepted") + device.unsaid("roster") + device.unsaid("lobby") + device.unsaid("phase")
        let newest = book(of: device)?.newest(of: player) ?? "no line yet"
        ledger.fail(
          record, clause: dialect.formula == .sdk ? "BAB 6.2" : nil, unless: unsaid,
          expected: "\(player) at \(expected) XP; the newest line: \(newest)",
          actual: "\(xp) XP")
      }
    default: break
    }
  }

  private func book(of device: BabDevice) -> ScoreBook? {
    books[device.index].flatMap { $0.game == device.game ? $0.book : nil }
  }
}
