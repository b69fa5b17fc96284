import BabSim
import Conformance
package import Judging

/// A game begins with a scenario; the start with roles, when every player is ready with one.
package final class GameStartsWhenReady: TableOracle {
  package static let id = "GameStartsWhenReady"
  package static let claim = "A game starts with a scenario; the start with roles needs every player ready with a role."
  package static let clause = "BAB 5.3.8"

  package let ledger = makeLedger()
  let state: BabRunState

  package init(state: BabRunState) { self.state = state }

  func judge(_ told: HostStory.Told) {
    let (book, type) = (told.before, told.packet.payload.type)
    guard type == .startGame || type == .gameStarted, book.phase != .on, !book.roster.isEmpty else { return }
    if book.scenario?.isEmpty ?? false {
      return fail(told, "BAB 5.2.7", expected: "no start without a scenario", actual: type.rawValue)
    }
    guard type == .gameStarted else { return ledger.judged += 1 }
    guard book.areRolesKnown else { return }
    for player in book.roster {
      if book.returned.contains(player) || told.mayHaveLeft(player) { continue }
      let seat = book.roles[player]
      if seat?.isReady ?? false { continue }
      let clearedRole = book.clearedRoles[player].map { ", since another scenario has cleared \($0)" } ?? ""
      return fail(
        told, seat == nil && !clearedRole.isEmpty ? "BAB 5.2.6" : nil, expected: "no start before \(player) is ready",
        actual: "GAME_STARTED, and \(player) has "
          + (seat.map { "the role \($0.role) and is not ready" } ?? "no role\(clearedRole)"))
    }
    ledger.judged += 1
  }
}
